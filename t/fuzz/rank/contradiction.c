/* contradiction.c: any bytes as two texts, separated by a line of ===, or else
 * split in the middle.
 *
 * Properties: comparing reads no byte beyond a text; the result is the same if
 * repeated, also after other texts were compared or the texts were read again;
 * no text contradicts itself, and a text that is too long contradicts
 * nothing.
 */
#include "../fuzz.h"

#include "rank/alike.h"

#define PARTS "\n===\n"

struct side {
	char *p; /* of its exact size, for sanitizers */
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

/* Return whether X contradicts Y, with both texts read again. */
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
	     "a long text contradicts nothing");
	must(!alike_text_contradicts(x->text, x->text),
	     "a text does not contradict itself");
	alike_text_contradicts(y->text, x->text);
	must(alike_text_contradicts(x->text, y->text) == says,
	     "repeating gives the same result");
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
