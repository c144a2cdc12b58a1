/* sanitize.c: any bytes, cleaned for a terminal and for a prompt.
 *
 * Properties: a clean text is UTF-8, has no control and no hidden character,
 * and stays the same if cleaned again; in a prompt, nothing reads as the tag of
 * the wrapper, in a skeleton of the text that is computed here in another
 * way.
 */
#include "../fuzz.h"

#include "base/unicode.h"
#include "base/utf8.h"
#include "text/sanitize.h"

static bool is_control(uint32_t c)
{
	return (c < 0x20 && c != '\t' && c != '\n') ||
	       (c >= 0x7F && c <= 0x9F) || c == UTF8_BAD;
}

/* Explicit overrides, and tags outside of flags, are always hidden. */
static bool is_weapon(uint32_t c)
{
	return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) ||
	       c == 0x200B || c == 0xFEFF || c == 0xE0001;
}

static void must_be_clean(const struct buf *b, bool lines)
{
	size_t size;

	for (size_t i = 0; i < b->len; i += size) {
		uint32_t c = utf8_decode(b->p + i, b->len - i, &size);

		must(!is_control(c), "a clean text has no control");
		must(lines || c != '\n', "a line is one line");
		must(!is_weapon(c),
		     "a clean text has no override and no tag character");
	}
	must(sanitize_find_hidden(buf_str(b), b->len, NULL) == b->len,
	     "a clean text has no hidden character");
}

static void must_be_same(const struct buf *a, const struct buf *b)
{
	must(a->len == b->len && (!a->len || !memcmp(a->p, b->p, a->len)),
	     "cleaning twice changes nothing");
}

static void terminal(const char *p, size_t len, bool lines)
{
	struct buf once = {0}, twice = {0};

	sanitize_terminal(&once, p, len, lines);
	must_be_clean(&once, lines);
	sanitize_terminal(&twice, buf_str(&once), once.len, lines);
	must_be_same(&once, &twice);
	buf_release(&once);
	buf_release(&twice);
}

static bool ends_in(const struct buf *b, const char *tail)
{
	const size_t len = strlen(tail);

	return b->len >= len && !memcmp(b->p + b->len - len, tail, len);
}

/* Return whether a reader of tags skips C after B: blanks, the slash before the
 * name, the dash in it. */
static bool is_filler(const struct buf *b, uint32_t c)
{
	return c <= ' ' || (c == '/' && ends_in(b, "<")) ||
	       ((c == '-' || c == '_') && ends_in(b, "<system"));
}

/* Append the ASCII skeleton of P. */
static void skeleton(struct buf *out, const char *p, size_t len)
{
	uint32_t bare[UNICODE_BARE_MAX];
	size_t size, n;

	for (size_t i = 0; i < len; i += size) {
		n = unicode_bare(utf8_decode(p + i, len - i, &size), bare);
		for (size_t k = 0; k < n; k++) {
			if (!is_filler(out, bare[k]))
				buf_addc(out,
					 bare[k] < 0x7F ? (char)bare[k] : '?');
		}
	}
}

static void prompt(const char *p, size_t len)
{
	struct buf once = {0}, twice = {0}, bones = {0};

	sanitize_prompt(&once, p, len);
	must_be_clean(&once, true);
	sanitize_prompt(&twice, buf_str(&once), once.len);
	must_be_same(&once, &twice);
	skeleton(&bones, buf_str(&once), once.len);
	must(!strstr(buf_str(&bones), "<systemreminder"),
	     "nothing reads as the wrapper's tag");
	buf_release(&once);
	buf_release(&twice);
	buf_release(&bones);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	uint32_t c = 0;
	size_t at = sanitize_find_hidden(text, size, &c), unused;

	must(at <= size, "a hidden character is inside the text");
	if (at < size)
		must(c == utf8_decode(text + at, size - at, &unused),
		     "the reported character is the one in the text");
	terminal(text, size, true);
	terminal(text, size, false);
	prompt(text, size);
	return 0;
}
