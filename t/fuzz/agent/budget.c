/* budget.c: any bytes as the texts of both contexts, fitted into any budget.
 * The first two bytes are the budget. A line of `%%` separates the user's text
 * from the project's.
 *
 * Properties: no result exceeds its budget; a result has one pair of marks and
 * one wrapper; equal inputs give equal results; a sufficient budget leaves
 * nothing out.
 */
#include "../fuzz.h"

#include "agent/budget.h"
#include "base/utf8.h"
#include "text/injected.h"
#include "text/sanitize.h"

/* Make a context of two texts, as context_load_whole() does. */
static void make(struct context *c, const char *p, size_t len)
{
	const char *part = memmem(p, len, "\n%%\n", 4);
	const size_t first = part ? (size_t)(part - p) : len;
	const char *bodies[] = {p, part ? part + 4 : p + len};
	size_t sizes[] = {first, part ? len - first - 4 : 0};

	*c = (struct context){0};
	for (size_t i = 0; i < 2; i++) {
		struct context_part *to = &c->parts[i];

		to->scope = i ? SCOPE_PROJECT : SCOPE_GLOBAL;
		utf8_strip(&bodies[i], &sizes[i]);
		if (!sizes[i])
			continue;
		buf_adds(&c->text, c->text.len ? "\n\n" : CONTEXT_TITLE);
		context_heading(&c->text, to->scope);
		to->at = c->text.len;
		sanitize_prompt(&c->text, bodies[i], sizes[i]);
		to->len = c->text.len - to->at;
	}
	c->size = c->text.len;
}

static size_t count(const struct buf *text, const char *what)
{
	size_t n = 0;

	for (const char *p = text->p; (p = strstr(p, what)); p++)
		n++;
	return n;
}

static void check(const struct fitted *f, size_t bytes, bool wrap)
{
	must(f->text.len <= bytes, "a result fits the budget");
	if (!f->text.len)
		return;
	must(utf8_check(f->text.p, f->text.len) == f->text.len,
	     "no character is cut");
	must(count(&f->text, INJECTED_OPEN) == 1 &&
		     count(&f->text, INJECTED_CLOSE) == 1,
	     "a result has one pair of marks");
	must(count(&f->text, "</" SANITIZE_WRAPPER ">") == wrap &&
		     count(&f->text, "<" SANITIZE_WRAPPER ">") == wrap,
	     "a result has one wrapper");
	must(f->left <= f->entries, "no more entries are left out than exist");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct budget b = {.name = "fuzz"};
	struct fitted f, again;
	struct context c;
	struct buf names = {0};

	if (size < 2)
		return 0;
	b.bytes = (size_t)data[0] * 8 + (data[1] & 7) + 1;
	b.project_first = data[1] & 8;
	make(&c, (const char *)data + 2, size - 2);
	budget_fit(&f, &c, &b, data[1] & 16, data[1] >> 5);
	check(&f, b.bytes, data[1] & 16);
	budget_fit(&again, &c, &b, data[1] & 16, data[1] >> 5);
	must(f.text.len == again.text.len &&
		     (!f.text.len ||
		      !memcmp(f.text.p, again.text.p, f.text.len)),
	     "equal inputs give equal results");
	budget_explain(&names, &f);
	budget_release(&f);
	budget_release(&again);
	b.bytes = size * 16 + 1000;
	budget_fit(&f, &c, &b, false, 0);
	check(&f, b.bytes, false);
	must(!f.left && (f.text.len || !c.text.len),
	     "a sufficient budget leaves nothing out");
	budget_release(&f);
	buf_release(&names);
	buf_release(&c.text);
	return 0;
}
