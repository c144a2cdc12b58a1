/* attachment.c: the name begins with the sum of the content, so every clone
 * gives one file the same name. */
#include "article/attachment.h"

#include "article/article-new.h"
#include "base/ascii.h"
#include "base/sha256.h"

#include <unistd.h>

#define NAME_MAX_BYTES 60

bool attachment_has_sum(const char *name)
{
	return strspn(name, "0123456789abcdef") == ATTACHMENT_SUM_DIGITS &&
	       name[ATTACHMENT_SUM_DIGITS] == '-';
}

/* Return the file name "SUM-NAME", allocated in A. */
static const char *make_name(const struct buf *bytes, const char *name,
			     struct arena *a)
{
	char sum[SHA256_HEX];
	struct buf safe = {0};
	const char *file, *part;
	size_t len;

	sha256_of(buf_str(bytes), bytes->len, sum);
	part = article_new_last_part(name ? name : "", &len);
	for (size_t i = 0; i < len && safe.len < NAME_MAX_BYTES; i++) {
		const char c = part[i];
		const bool plain = ascii_is_digit(c) || c == '.' || c == '_' ||
				   ascii_is_letter(c);

		if (plain)
			buf_addc(&safe, c);
		else if (safe.len && safe.p[safe.len - 1] != '-')
			buf_addc(&safe, '-');
	}
	file = arena_printf(a, "%.*s-%s", ATTACHMENT_SUM_DIGITS, sum,
			    safe.len ? safe.p : "original");
	buf_release(&safe);
	return file;
}

int attachment_keep(struct store *s, const struct buf *bytes,
		    const char *called, struct arena *a, const char **kept,
		    struct err *e)
{
	const char *name, *path;
	struct buf there = {0};
	int dir, r;

	name = make_name(bytes, called, a);
	path = arena_printf(a, "%s/%s", layout_path(&s->repo, ATTACHMENTS, a),
			    name);
	if (layout_make(&s->repo, ATTACHMENTS, &dir, e) < 0)
		return -1;
	r = file_create_from(s->repo.fd, dir, name, path,
			     root_file_mode(&s->repo.root), buf_str(bytes),
			     bytes->len, e);
	if (r == 0) {
		r = file_read(dir, name, path, ARTICLE_ATTACHMENT_MAX, &there,
			      e);
		if (r >= 0 && (r == 0 || there.len != bytes->len ||
			       memcmp(there.p, buf_str(bytes), there.len) != 0))
			r = err_set(e, ERR_DATA,
				    "'%s' is there, and is another file", path);
	}
	buf_release(&there);
	close(dir);
	*kept = arena_printf(a, "%s/%s", ATTACHMENTS, name);
	return r < 0 ? -1 : 0;
}
