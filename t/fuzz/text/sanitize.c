/* sanitize.c: any bytes, bound for a terminal and for a prompt.
 *
 * Holds: what is clean is UTF-8, holds no control and nothing hidden, and is
 * left as it is when cleaned again; in a prompt, nothing reads as the wrapper's
 * tag, by a skeleton of the text that is made here in another way.
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

/* Explicit overrides and tags outside of flags: hidden wherever they stand. */
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

		must(!is_control(c), "no control goes raw");
		must(lines || c != '\n', "a line is one line");
		must(!is_weapon(c), "nor what reorders or hides");
	}
	must(sanitize_find_hidden(buf_str(b), b->len, NULL) == b->len,
	     "nothing is hidden in what is clean");
}

static void must_be_same(const struct buf *a, const struct buf *b)
{
	must(a->len == b->len && (!a->len || !memcmp(a->p, b->p, a->len)),
	     "what is clean stays as it is");
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

/* True if C is left out by who reads B and what follows as a tag: blanks, the
 * slash in front of its name, the dash in it. */
static bool is_filler(const struct buf *b, uint32_t c)
{
	return c <= ' ' || (c == '/' && ends_in(b, "<")) ||
	       ((c == '-' || c == '_') && ends_in(b, "<system"));
}

/* Append what is left of P to somebody who sees ASCII alone. */
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

	must(at <= size, "what is hidden lies in the text");
	if (at < size)
		must(c == utf8_decode(text + at, size - at, &unused),
		     "and is what stands there");
	terminal(text, size, true);
	terminal(text, size, false);
	prompt(text, size);
	return 0;
}
