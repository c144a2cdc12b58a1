/* secrets.c: any bytes as a text that may contain a secret.
 *
 * Properties: findings are inside the text, in order; a refusal never shows the
 * secret; a secret that was in the old text is accepted; no text before a key
 * on its own line hides the key.
 */
#include "../fuzz.h"

#include "text/secrets.h"

/* Split, so that no scanner of this repository takes it for a real secret. */
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
		     "a finding is inside the text, after the previous one");
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
		must(any == 0, "a text with a secret is refused");
	} else {
		must_be_error(&e);
		must(any < 0 || e.code == ERR_DATA,
		     "a refusal is a data error");
		must(any < 1 || found.end - found.start < 12 ||
			     !strstr(e.text,
				     arena_copy(&a, p + found.start,
						found.end - found.start)),
		     "a refusal does not show the secret");
		must(any < 0 ||
			     secrets_refuse(s, p, len, p, len, NULL, &e) == 0,
		     "a secret of the old text is accepted");
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
	     "no text before a key hides it");
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
