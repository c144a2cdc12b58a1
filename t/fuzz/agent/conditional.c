/* conditional.c: any bytes as a template with conditionals.
 *
 * Properties: a template is resolved, or refused with an offset; the result is
 * a subsequence of the template; the result for an unknown provider is no
 * longer than for a named one; a disarmed template has no markers, and
 * disarming it again changes nothing.
 */
#include "../fuzz.h"

#include "agent/conditional.h"

/* Check that TEXT is a subsequence of the template. */
static void must_be_part(const struct buf *text, const char *p, size_t len)
{
	size_t at = 0;

	for (size_t i = 0; i < text->len; i++) {
		while (at < len && p[at] != text->p[i])
			at++;
		must(at++ < len, "the result is a subsequence of the template");
	}
}

static bool holds_marker(const struct buf *text)
{
	static const char *const words[] = {"[IF", "[ENDIF"};

	for (size_t w = 0; w < ARRAY_LEN(words); w++) {
		size_t n = strlen(words[w]);

		for (size_t i = 0; i + n <= text->len; i++) {
			char next = i + n < text->len ? text->p[i + n] : ' ';

			if (!memcmp(text->p + i, words[w], n) &&
			    !(next >= '0' && next <= '9') &&
			    !((next | 32) >= 'a' && (next | 32) <= 'z'))
				return true;
		}
	}
	return false;
}

static void must_disarm(const struct buf *text)
{
	struct buf once = {0}, twice = {0};

	conditional_disarm(&once, buf_str(text), text->len);
	must(!holds_marker(&once), "a disarmed template has no marker");
	must(holds_marker(text) == (once.len != text->len),
	     "disarming changes only markers");
	conditional_disarm(&twice, buf_str(&once), once.len);
	must(once.len == twice.len, "disarming twice changes nothing");
	buf_release(&once);
	buf_release(&twice);
}

/* Resolve the template for PROVIDER into TEXT. */
static int resolve(struct buf *text, const char *p, size_t len,
		   const char *provider)
{
	struct err e;
	int r;

	r = conditional_resolve(text, p, len, provider, "x", &e);
	if (r < 0) {
		must_be_error(&e);
		must(e.code == ERR_DATA && !strncmp(e.text, "'x':", 4),
		     "a refusal has an offset");
		buf_release(text);
	} else {
		must_be_part(text, p, len);
	}
	must_disarm(text);
	return r;
}

/* Count the bytes of TEXT that are not blanks. */
static size_t shown(const struct buf *text)
{
	size_t n = 0;

	for (size_t i = 0; i < text->len; i++)
		n += !strchr(" \t\r\n", text->p[i]) || !text->p[i];
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const providers[] = {"gemini", "ollama"};
	const char *p = size ? (const char *)data : "";
	struct buf any = {0}, one = {0};
	int r = resolve(&any, p, size, NULL);

	for (size_t i = 0; i < ARRAY_LEN(providers); i++) {
		must(resolve(&one, p, size, providers[i]) == r,
		     "a template is valid for all providers or for none");
		must(shown(&one) >= shown(&any),
		     "an unknown provider gets no additional text");
		buf_release(&one);
	}
	buf_release(&any);
	return 0;
}
