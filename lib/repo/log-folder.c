/* log-folder.c: see log-folder.h. */
#include "repo/log-folder.h"

#include "base/hash.h"
#include "base/mem.h"
#include "repo/shared-drafts.h"
#include "sys/dirs.h"
#include "sys/file.h"

#include <fcntl.h>
#include <unistd.h>

/* Place the log of R in the git directory, beside drafts in that of the main work
 * tree. */
static void place_in_git(struct root *r)
{
	const char *place = r->shared + strlen(r->common);
	struct buf path = {0};

	buf_addf(&path, "%s%.*s/log", r->own,
		 (int)(strlen(place) - strlen("/drafts")), place);
	r->log = buf_take(&path);
	r->log_above = mem_strdup(r->common);
}

/* The path of the log of R in the state directory; the caller's.  *STATE, too, is that
 * directory.  NULL where nothing says where that is. */
static char *path_in_state(const struct root *r, char **state)
{
	struct buf path = {0};
	size_t len;

	if (dirs_state(state, NULL) < 0)
		return NULL;
	buf_addf(&path, "%s/log/", *state);
	len = path.len;
	if (!shared_add_name(&path, r->path)) {
		const size_t n = strlen(r->path);

		buf_cut(&path, len);
		buf_addf(&path, "%016llx%016llx",
			 (unsigned long long)hash_bytes(r->path, n, 0),
			 (unsigned long long)hash_bytes(r->path, n, 1));
	}
	return buf_take(&path);
}

const char *log_folder_path(struct root *r)
{
	const char *shared = r->log ? NULL : shared_path(r);

	if (!r->log && shared && r->own)
		place_in_git(r);
	else if (!r->log) {
		r->log = path_in_state(r, &r->log_above);
		r->log_in_state = true;
	}
	return r->log;
}

char *log_folder_before_git(struct root *r)
{
	char *state, *path = NULL;

	if (!log_folder_path(r) || r->log_in_state)
		return NULL;
	path = path_in_state(r, &state);
	if (path)
		free(state);
	return path;
}

/* Open the folder from which the log's is opened without following links. */
static int open_above(const struct root *r, bool make, int *fd, struct err *e)
{
	if (make && r->log_in_state)
		return file_make_path(r->log_above, 0700, fd, e) < 0 ? -1 : 1;
	return file_open_dir(AT_FDCWD, r->log_above, r->log_above, fd, e);
}

int log_folder_open(struct root *r, bool make, int *fd, struct err *e)
{
	char *state;
	int above, found;

	*fd = -1;
	if (!log_folder_path(r)) {
		if (make && dirs_state(&state, e) == 0)
			free(state);
		return make ? -1 : 0;
	}
	found = open_above(r, make, &above, e);
	if (found != 1)
		return found;
	found = file_open_below(above, r->log_above,
				r->log + strlen(r->log_above) + 1,
				make ? log_folder_dir_mode(r) : 0, fd, e);
	close(above);
	return found;
}

unsigned log_folder_file_mode(struct root *r)
{
	log_folder_path(r);
	return r->log_in_state ? 0600 : root_file_mode(r);
}

unsigned log_folder_dir_mode(struct root *r)
{
	log_folder_path(r);
	return r->log_in_state ? 0700 : root_dir_mode(r);
}
