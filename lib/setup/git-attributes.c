/* git-attributes.c: our lines are one of a few constant texts, so they are found and
 * removed as a whole.
 */
#include "setup/setup-git.h"

#include "sys/file-write.h"
#include "sys/lock.h"

#include <unistd.h>

#define FILE_MAX ((size_t)64 * 1024)

#define RULES                  \
	"*.md text eol=lf\n"   \
	"*.json text eol=lf\n" \
	"knowledge/**/*.md merge=co\n"

/* What is written, then what earlier versions wrote. */
static const char *const ours[] = {
	"# git merges memories field by field: run 'co setup git' in each "
	"clone.\n" RULES,
	"# What is known merges by what it means: 'co setup git', in each "
	"clone.\n" RULES,
};

/* Return the start of our lines in TEXT, of any version, and set *LEN. Return NULL if
 * they are not there. */
static const char *find_ours(const struct buf *text, size_t *len)
{
	for (size_t i = 0; i < ARRAY_LEN(ours); i++) {
		const char *p = buf_str(text);

		while ((p = strstr(p, ours[i])) && p != text->p &&
		       p[-1] != '\n')
			p++;
		*len = strlen(ours[i]);
		if (p)
			return p;
	}
	return NULL;
}

bool setup_git_attributes_edit(struct buf *text, bool put)
{
	size_t len;
	const char *at = find_ours(text, &len);
	struct buf now = {0};

	if (put == (at != NULL))
		return false;
	if (put) {
		buf_adds(&now, ours[0]);
		buf_add(&now, buf_str(text), text->len);
	} else {
		const size_t before = (size_t)(at - text->p);
		const size_t end = before + len;

		buf_add(&now, text->p, before);
		buf_add(&now, text->p + end, text->len - end);
	}
	buf_release(text);
	*text = now;
	return true;
}

int setup_git_attributes_read(const struct root *r, struct buf *text,
			      struct err *e)
{
	struct buf path = {0};
	int n;

	buf_addf(&path, "%s/" SETUP_GIT_ATTRIBUTES, r->path);
	n = r->fd < 0 ? 0
		      : file_read(r->fd, SETUP_GIT_ATTRIBUTES, path.p, FILE_MAX,
				  text, e);
	buf_release(&path);
	return n;
}

static int write_locked(const struct root *r, bool put, struct err *e)
{
	struct buf text = {0}, path = {0};
	int n = setup_git_attributes_read(r, &text, e);
	const bool exists = n > 0;

	buf_addf(&path, "%s/" SETUP_GIT_ATTRIBUTES, r->path);
	if (n >= 0 && setup_git_attributes_edit(&text, put)) {
		if (!text.len)
			n = file_remove(r->fd, SETUP_GIT_ATTRIBUTES, path.p, e);
		else if (exists)
			n = file_replace(r->fd, SETUP_GIT_ATTRIBUTES, path.p,
					 text.p, text.len, e);
		else
			n = file_create(r->fd, SETUP_GIT_ATTRIBUTES, path.p,
					root_file_mode(r), text.p, text.len, e);
		n = n < 0 ? -1 : 1;
	} else if (n > 0) {
		n = 0;
	}
	buf_release(&text);
	buf_release(&path);
	return n;
}

int setup_git_attributes_write(const struct root *r, bool put, struct err *e)
{
	int lock, n;

	if (lock_take(r->fd, r->path, &lock, e) < 0)
		return -1;
	n = write_locked(r, put, e);
	lock_release(r->fd, lock);
	return n;
}
