/* reader.h: any bytes as a record of the format that FORMAT names.
 *
 * Properties: a record is read, or refused with a message; a turn is a stripped
 * text or a tool; an unfinished last line removes nothing; no text between the
 * suite's marks is left in a person's words.
 */
#include "../fuzz.h"

#include "base/compat.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "text/injected.h"
#include "transcript/transcript.h"

#include <unistd.h>

struct seen {
	size_t n;
	uint64_t hash;
};

static int see(void *ctx, const struct turn *t, struct err *e)
{
	struct seen *seen = ctx;
	const char *p = t->text;
	size_t len = t->len;

	(void)e;
	must((t->text == NULL) != (t->tool == NULL),
	     "a turn is a text or a tool");
	must(!t->tool || *t->tool, "a tool has a name");
	if (t->text) {
		utf8_strip(&p, &len);
		must(len && len == t->len, "a text is stripped");
		must(utf8_check(t->text, t->len) == t->len, "and UTF-8");
		seen->hash = hash_bytes(t->text, t->len, seen->hash);
	}
	seen->n++;
	return 0;
}

static int look(const char *p, size_t len, const char *more, struct seen *seen)
{
	char session[] = "s", path[] = "record";
	struct transcript t = {.fd = compat_memory_file(),
			       .path = path,
			       .session = session,
			       .format = FORMAT};
	const size_t more_len = strlen(more);
	struct err e;
	int r;

	*seen = (struct seen){0};
	must(t.fd >= 0 && write(t.fd, p, len) == (ssize_t)len &&
		     write(t.fd, more, more_len) == (ssize_t)more_len,
	     "the record is created");
	r = transcript_each(&t, see, seen, &e);
	if (r < 0)
		must_be_error(&e);
	must(transcript_detect(&t, &e) == 0, "the format is detected");
	close(t.fd);
	return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *p = size ? (const char *)data : "";
	struct seen seen, again;
	struct buf stripped = {0}, marked = {0};
	const int r = look(p, size, "", &seen);

	injected_add(&marked, p, size);
	injected_strip(&stripped, marked.p, marked.len);
	must(stripped.len <= 1, "text between the suite's marks is removed");
	buf_release(&stripped);
	buf_release(&marked);
	if (BY_LINES && size && p[size - 1] == '\n') {
		must(look(p, size, "{\"type\":\"user\",\"message\":{\"ro",
			  &again) == r,
		     "an unfinished line is not an error");
		must(seen.n == again.n && seen.hash == again.hash,
		     "an unfinished line removes no turn");
	}
	return 0;
}
