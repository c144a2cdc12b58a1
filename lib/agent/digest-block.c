#include "agent/digest-block.h"

#include "base/unicode.h"
#include "base/utf8.h"
#include "harvest/items.h"
#include "repo/settings.h"
#include "sys/dirs.h"
#include "text/conflict.h"
#include "text/sanitize.h"

#include <unistd.h>

#define NAME "knowledge"
#define OPEN "{" NAME "}\n"
#define CLOSE "{/" NAME "}"
#define MORE "(truncated; see the category files for the rest)\n"

bool digest_block_wanted(const struct root *user)
{
	const struct settings *s;
	struct arena a = {0};
	bool on;

	if (user)
		s = settings_load(user->fd, user->path, -1, "", &a, NULL);
	else
		settings_user(&s, &a, NULL, NULL);
	on = !strcmp(settings_str(s, "context.digest"), "on");
	arena_release(&a);
	return on;
}

/* Return true if the LEN bytes of P, after a brace, would be read as NAME, with
 * any blanks and slashes before it. Characters that look alike count as
 * equal. */
static bool is_name(const char *p, size_t len)
{
	uint32_t bare[UNICODE_BARE_MAX];
	size_t at = 0, size, n;

	for (size_t i = 0; i < len; i += size) {
		const uint32_t c = utf8_decode(p + i, len - i, &size);

		n = c == UTF8_BAD ? 0 : unicode_bare(c, bare);
		for (size_t k = 0; k < n; k++) {
			if (!at && bare[k] < 0x80 &&
			    strchr(" \t\n/\\", (int)bare[k]))
				continue;
			if (bare[k] != (unsigned char)NAME[at])
				return false;
			if (++at == strlen(NAME))
				return true;
		}
	}
	return false;
}

static bool is_brace(const char *p, size_t len, size_t *size)
{
	uint32_t bare[UNICODE_BARE_MAX];
	const uint32_t c = utf8_decode(p, len, size);

	return c != UTF8_BAD && unicode_bare(c, bare) && bare[0] == '{';
}

/* Append the LEN bytes of P. Braces that could be read as one of our lines
 * become `&#123;`. */
static void disarm(struct buf *out, const char *p, size_t len)
{
	size_t size;

	for (size_t i = 0; i < len; i += size) {
		if (is_brace(p + i, len - i, &size) &&
		    is_name(p + i + size, len - i - size))
			buf_adds(out, "&#123;");
		else
			buf_add(out, p + i, size);
	}
}

/* Append the digest FILE, sanitized and at most DIGEST_MAX bytes of it. PATH is
 * for messages. */
static void add_text(struct buf *out, enum scope scope, const char *path,
		     const struct buf *file, const struct report *r)
{
	struct arena a = {0};
	struct buf clean = {0};
	size_t len = file->len, line, most;
	const char *p = conflict_ours(buf_str(file), &len, &a, &line);
	struct err e;

	if (line) {
		conflict_err(&e, path, line, record_scope_option(scope));
		err_report(r, &e);
	}
	most = len;
	if (len > DIGEST_MAX) {
		err_warn(r, ERR_DATA,
			 "'%s' has more than %d bytes: the rest is left out; "
			 "run 'co-digest-build%s'",
			 path, DIGEST_MAX, record_scope_option(scope));
		most = utf8_cut(p, len, DIGEST_MAX - strlen(MORE));
		while (most && p[most - 1] != '\n')
			most--;
	}
	sanitize_prompt(&clean, p, most);
	p = buf_str(&clean);
	most = clean.len;
	utf8_strip(&p, &most);
	if (most && out->len)
		buf_adds(out, "\n");
	disarm(out, p, most);
	if (most)
		buf_addc(out, '\n');
	if (most && len > DIGEST_MAX)
		buf_adds(out, MORE);
	buf_release(&clean);
	arena_release(&a);
}

static void add_scope(struct buf *out, enum scope scope, const struct report *r)
{
	struct buf file = {0}, path = {0};
	struct root root;
	struct err e;
	int fd, found;

	/* Others report a missing home or a refused root. */
	if ((scope == SCOPE_GLOBAL && !dirs_known()) ||
	    root_find(&root, scope, &e) < 0)
		return;
	found = root_open_knowledge(&root, &path, &fd, &e);
	if (found == 1) {
		buf_adds(&path, "/" DIGEST_FILE);
		found = file_read(fd, DIGEST_FILE, path.p, LAYOUT_FILE_MAX,
				  &file, &e);
		close(fd);
		if (found < 0)
			err_report(r, &e);
	}
	if (found == 1)
		add_text(out, scope, path.p, &file, r);
	buf_release(&file);
	buf_release(&path);
	root_release(&root);
}

void digest_block_add(struct buf *out, unsigned want, const struct report *r)
{
	struct buf text = {0};

	if (want & 1u << SCOPE_GLOBAL)
		add_scope(&text, SCOPE_GLOBAL, r);
	if (want & 1u << SCOPE_PROJECT)
		add_scope(&text, SCOPE_PROJECT, r);
	if (text.len)
		buf_addf(out, OPEN "%s" CLOSE, text.p);
	buf_release(&text);
}

void digest_block_fit(struct buf *out, const struct buf *block, size_t room)
{
	const size_t tail = strlen("\n" MORE CLOSE);
	size_t len = room > tail ? room - tail : 0;

	if (block->len <= room) {
		buf_add(out, buf_str(block), block->len);
		return;
	}
	while (len && block->p[len - 1] != '\n')
		len--;
	if (len > strlen(OPEN) && memmem(block->p, len, "\n- ", 3)) {
		buf_add(out, block->p, len);
		buf_adds(out, "\n" MORE CLOSE);
	}
}
