/* secrets.c: any bytes as a text that may hold a secret.
 *
 * Holds: findings lie in the text and move on; a refusal never shows what it
 * found; what was there before is let through; and no text in front keeps a
 * key on a line of its own from being found.
 */
#include "../fuzz.h"

#include "text/secrets.h"

/* No scanner of this repository shall take it for a real one. */
#define PLANTED \
	"AK"    \
	"IA"    \
	"Q3EGRIV7ZKX2LM5N"

static void find_all(struct secrets *s, const char *p, size_t len)
{
	struct secret found;
	size_t from = 0;
	struct err e;
	int r;

	while ((r = secrets_find(s, p, len, from, &found, &e)) > 0) {
		must(found.rule && *found.rule, "a finding names its rule");
		must(found.start >= from && found.start < found.end &&
			     found.end <= len,
		     "a finding lies in the text, behind the last");
		from = found.end;
	}
	if (r < 0)
		must_be_error(&e);
}

static void refuse(struct secrets *s, const char *p, size_t len)
{
	struct secret found;
	struct err e, unused;
	struct arena a = {0};
	int any = secrets_find(s, p, len, 0, &found, &unused);

	if (secrets_refuse(s, p, len, NULL, 0, NULL, &e) == 0) {
		must(any == 0, "what is found is refused");
	} else {
		must_be_error(&e);
		must(any < 0 || e.code == ERR_DATA, "as bad data");
		must(any < 1 || found.end - found.start < 12 ||
			     !strstr(e.text,
				     arena_copy(&a, p + found.start,
						found.end - found.start)),
		     "a refusal does not show what it found");
		must(any < 0 ||
			     secrets_refuse(s, p, len, p, len, NULL, &e) == 0,
		     "what was there before is let through");
	}
	arena_release(&a);
}

static void plant(struct secrets *s, const char *p, size_t len)
{
	struct buf text = {0};
	struct secret found;
	struct err e;

	buf_add(&text, p, len);
	buf_adds(&text, "\n" PLANTED "\n");
	must(secrets_find(s, text.p, text.len, 0, &found, &e) != 0,
	     "no text in front hides a key");
	buf_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct secrets *s = secrets_new();
	const char *text = size ? (const char *)data : "";

	find_all(s, text, size);
	refuse(s, text, size);
	plant(s, text, size);
	secrets_free(s);
	return 0;
}
