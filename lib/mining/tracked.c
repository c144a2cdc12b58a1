/* tracked.c: git lists the paths, and each file is then read here, so that no filter of
 * the repository's configuration runs. */
#include "mining/tracked.h"

#include "sys/file.h"
#include "sys/git.h"

#include <fcntl.h>
#include <unistd.h>

#define WORDS_MAX 40 /* of the command line */

struct reader {
	const char *dir;
	int top;
	int fd; /* of FOLDER, or -1 */
	struct buf folder;
	struct buf full; /* path of the file, for messages */
	struct buf text;
	size_t files, bytes;
};

/* Open the directory of PATH, unless it is still open, and set *NAME to the name of the
 * file there. Returns 1, 0 if it is absent, or -1 as file_open_below(). */
static int open_folder(struct reader *r, const char *path, const char **name,
		       struct err *e)
{
	const char *slash = strrchr(path, '/');
	const size_t len = slash ? (size_t)(slash - path) : 0;
	int result = 1;

	*name = path + len + (slash != NULL);
	if (r->fd >= 0 && r->folder.len == len &&
	    !memcmp(buf_str(&r->folder), path, len))
		return 1;
	if (r->fd >= 0 && r->fd != r->top)
		close(r->fd);
	buf_cut(&r->folder, 0);
	buf_add(&r->folder, path, len);
	r->fd = r->top;
	if (len)
		result = file_open_below(r->top, r->dir, buf_str(&r->folder), 0,
					 &r->fd, e);
	if (result != 1)
		r->fd = -1;
	return result;
}

/* Read the file at PATH. Returns 1; 0 if it is absent, no regular file or too large; or
 * -1, ERR_SYSTEM. */
static int read_file(struct reader *r, const char *path, struct err *e)
{
	const char *name;
	int result = open_folder(r, path, &name, e);

	buf_cut(&r->full, 0);
	buf_addf(&r->full, "%s/%s", r->dir, path);
	if (result == 1)
		result = file_read(r->fd, name, r->full.p, TRACKED_FILE,
				   &r->text, e);
	if (result < 0 && e->code == ERR_DATA)
		return 0;
	r->files += result == 1;
	r->bytes += result == 1 ? r->text.len : 0;
	return result;
}

static int list_tracked(const char *dir, const char *const *paths,
			struct buf *out, struct err *e)
{
	const char *words[WORDS_MAX] = {"ls-files", "-z", "--"};
	size_t n = 3;
	int r;

	while (*paths && n + 1 < WORDS_MAX)
		words[n++] = *paths++;
	r = git_ask(dir, words, "", 0, out, e);
	return r > 0 ? err_set(e, ERR_HELPER, "git cannot list its files") : r;
}

/* Return the end of the names in NAMES that equal the one at AT. git lists a file
 * with a conflict once for each version. */
static size_t end_of_name(const struct buf *names, size_t at)
{
	const char *path = names->p + at;
	const size_t len = strlen(path) + 1;
	size_t end = at + len;

	while (end < names->len && !strcmp(names->p + end, path))
		end += len;
	return end;
}

int tracked_each(const char *dir, const char *const *paths,
		 const struct report *report, tracked_fn *fn, void *ctx,
		 struct err *e)
{
	struct reader r = {.dir = dir, .fd = -1};
	struct buf names = {0};
	int result = list_tracked(dir, paths, &names, e);
	bool more = !result;
	struct err why;

	r.top = result ? -1
		       : file_open(AT_FDCWD, dir, O_RDONLY | O_DIRECTORY, 0);
	if (!result && r.top < 0)
		result = err_sys(e, "cannot open '%s'", dir);
	for (size_t at = 0, end; more && result >= 0 && at < names.len;
	     at = end) {
		const char *path = names.p + at;
		const int got = read_file(&r, path, &why);

		end = end_of_name(&names, at);
		if (got < 0) {
			err_report(report, &why);
			result = 1;
		}
		if (got == 1)
			more = fn(ctx,
				  &(struct tracked_file){
					  .path = path,
					  .text = &r.text,
					  .unmerged =
						  end > at + strlen(path) + 1});
		if (r.files >= TRACKED_FILES || r.bytes >= TRACKED_BYTES) {
			result = 1;
			break;
		}
	}
	if (r.fd >= 0 && r.fd != r.top)
		close(r.fd);
	file_close(r.top);
	buf_release(&r.folder);
	buf_release(&r.full);
	buf_release(&r.text);
	buf_release(&names);
	return result;
}
