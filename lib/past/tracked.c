/* tracked.c: git lists the paths, and each file is then read here, so that no filter of
 * the repository's configuration runs. */
#include "past/tracked.h"

#include "base/mem.h"
#include "sys/file.h"
#include "sys/git.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define WORDS_MAX 40 /* of the command line */

struct reader {
	const char *dir;
	int top;
	int fd; /* of FOLDER, or -1 */
	struct buf folder;
	struct buf text;
	size_t files, bytes;
};

/* Open the directory of PATH, unless it is still open, and return the name of the file
 * there.  NULL: it cannot be opened. */
static const char *open_folder(struct reader *r, const char *path)
{
	const char *slash = strrchr(path, '/');
	const size_t len = slash ? (size_t)(slash - path) : 0;

	if (r->fd >= 0 && r->folder.len == len &&
	    !memcmp(buf_str(&r->folder), path, len))
		return path + len + (slash != NULL);
	if (r->fd >= 0 && r->fd != r->top)
		close(r->fd);
	buf_cut(&r->folder, 0);
	buf_add(&r->folder, path, len);
	r->fd = r->top;
	if (len && file_open_below(r->top, r->dir, buf_str(&r->folder), 0,
				   &r->fd, NULL) != 1) {
		r->fd = -1;
		return NULL;
	}
	return path + len + (slash != NULL);
}

/* Read the file at PATH.  Returns false if it cannot be read. */
static bool read_file(struct reader *r, const char *path)
{
	const char *name = open_folder(r, path);

	if (!name ||
	    file_read(r->fd, name, path, TRACKED_FILE, &r->text, NULL) != 1)
		return false;
	r->files++;
	r->bytes += r->text.len;
	return true;
}

static int list(const char *dir, const char *const *paths, struct buf *out,
		struct err *e)
{
	const char *words[WORDS_MAX] = {"ls-files", "-z", "--"};
	size_t n = 3;
	int r;

	while (*paths && n + 1 < WORDS_MAX)
		words[n++] = *paths++;
	r = git_ask(dir, words, "", 0, out, e);
	return r > 0 ? err_set(e, ERR_HELPER, "git cannot list its files") : r;
}

int tracked_each(const char *dir, const char *const *paths, tracked_fn *fn,
		 void *ctx, struct err *e)
{
	struct reader r = {.dir = dir, .fd = -1};
	struct buf names = {0};
	int result = list(dir, paths, &names, e);

	r.top = result ? -1
		       : file_open(AT_FDCWD, dir, O_RDONLY | O_DIRECTORY, 0);
	if (!result && r.top < 0)
		result = err_sys(e, "cannot open '%s'", dir);
	for (size_t at = 0; !result && at < names.len;
	     at += strlen(names.p + at) + 1) {
		if (r.files >= TRACKED_FILES || r.bytes >= TRACKED_BYTES)
			result = 1;
		else if (read_file(&r, names.p + at) &&
			 !fn(ctx, names.p + at, &r.text))
			break;
	}
	if (r.fd >= 0 && r.fd != r.top)
		close(r.fd);
	if (r.top >= 0)
		close(r.top);
	buf_release(&r.folder);
	buf_release(&r.text);
	buf_release(&names);
	return result;
}
