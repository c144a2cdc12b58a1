/* contradiction.c: any bytes as two texts, which a line of === parts; what has none
 * is two by its middle.
 *
 * Holds: a text is compared to its end and not beyond; the answer is the same
 * when it is asked for again, of texts that were compared with others between,
 * and of texts that are read anew; no text contradicts itself, and none that is
 * too long says anything.
 */
#include "../fuzz.h"

#include "rank/alike.h"

#define PARTS "\n===\n"

struct side {
	char *p; /* of its own size, so that a sanitizer sees a byte too far */
	size_t len;
	struct arena a;
	struct alike_text *text;
};

static void read_side(struct side *s, struct terms *t, const char *p,
		      size_t len)
{
	s->p = len ? mem_alloc(len) : NULL;
	if (len)
		memcpy(s->p, p, len);
	s->len = len;
	s->a = (struct arena){0};
	s->text = alike_text_read(t, len ? s->p : "", len, &s->a);
}

static void free_side(struct side *s)
{
	arena_release(&s->a);
	free(s->p);
}

/* Whether X contradicts Y, both read for this alone. */
static bool says_anew(const struct side *x, const struct side *y)
{
	struct terms t = {0};
	struct side later, earlier;
	bool says;

	read_side(&later, &t, x->p, x->len);
	read_side(&earlier, &t, y->p, y->len);
	says = alike_text_contradicts(later.text, earlier.text);
	free_side(&later);
	free_side(&earlier);
	terms_release(&t);
	return says;
}

static void check(struct side *x, struct side *y)
{
	const bool says = alike_text_contradicts(x->text, y->text);

	must(!says || (x->len <= ALIKE_TEXT_MAX && y->len <= ALIKE_TEXT_MAX),
	     "a longer text says more than one thing");
	must(!alike_text_contradicts(x->text, x->text),
	     "a text agrees with itself");
	alike_text_contradicts(y->text, x->text);
	must(alike_text_contradicts(x->text, y->text) == says, "asked again");
	must(says_anew(x, y) == says, "read anew");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *p = size ? (const char *)data : "";
	const char *parts = memmem(p, size, PARTS, strlen(PARTS));
	const size_t len = parts ? (size_t)(parts - p) : size / 2;
	const size_t skip = len + (parts ? strlen(PARTS) : 0);
	struct terms t = {0};
	struct side x, y;

	read_side(&x, &t, p, len);
	read_side(&y, &t, p + skip, size - skip);
	check(&x, &y);
	check(&y, &x);
	free_side(&x);
	free_side(&y);
	terms_release(&t);
	return 0;
}
