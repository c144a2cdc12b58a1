/* item-file.c: whatever stands in a file of items, what is put in leaves every
 * byte of it, what is taken out can be put back, and a digest is small.
 */
#include "../fuzz.h"

#include "harvest/items.h"

#define LINE "- put in [from: fuzz, 2026-02-09]\n"

/* True if what is in IS stands in WITH, in order. */
static bool holds(const struct buf *with, const struct buf *is)
{
	size_t at = 0;

	for (size_t i = 0; i < with->len && at < is->len; i++)
		at += with->p[i] == is->p[at];
	return at == is->len;
}

/* How many items TEXT has; *OURS of them are what was put in, done or not. */
static size_t count(const struct buf *text, bool done, size_t *ours)
{
	struct item_walk w = {.p = buf_str(text), .len = text->len};
	struct arena a = {0};
	struct item_span span;
	struct item it;
	size_t n = 0, end = 0;

	*ours = 0;
	while (item_walk_next(&w, &span)) {
		must(span.start >= end && span.end > span.start &&
			     span.end <= text->len,
		     "items stand in order");
		end = span.end;
		n++;
		if (item_read(&it, w.p, &span, &a) &&
		    !strcmp(it.text, "put in") && it.from &&
		    !strcmp(it.from, "fuzz"))
			*ours += span.done == done;
	}
	arena_release(&a);
	return n;
}

static void add(const struct buf *text, enum category c, bool done)
{
	const size_t len = strlen(LINE);
	struct buf line = {0}, with = {0};
	size_t ours, before, n = count(text, done, &before);

	buf_adds(&line, LINE);
	item_file_add(&with, text, c, done, &line);
	must(with.len >= text->len + len, "it grows");
	must(holds(&with, text), "every byte is kept");
	must(count(&with, done, &ours) == n + 1 &&
		     (ours == before + 1 || c != CATEGORY_TASKS),
	     "one item more, where it belongs");
	buf_release(&line);
	buf_release(&with);
}

static void cut(const struct buf *text)
{
	struct item_walk w = {.p = buf_str(text), .len = text->len};
	struct buf without = {0}, again = {0};
	struct item_span s;

	while (item_walk_next(&w, &s)) {
		buf_cut(&without, 0);
		buf_cut(&again, 0);
		item_file_cut(&without, text, &s);
		item_file_insert(&again, &without, s.start, w.p + s.start,
				 s.end - s.start);
		must(again.len == text->len &&
			     !memcmp(again.p, text->p, text->len),
		     "it goes back to the byte");
	}
	buf_release(&without);
	buf_release(&again);
}

static void digest(const struct buf *text)
{
	const struct buf texts[CATEGORY_FILES] = {*text, *text, *text, *text,
						  *text};
	struct buf out = {0};

	items_compose_digest(&out, texts);
	must(out.len <= DIGEST_MAX, "a digest is small");
	must(!out.len || out.p[out.len - 1] == '\n', "and ends in a newline");
	buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf text = {0};

	buf_add(&text, data, size);
	add(&text, CATEGORY_FACTS, false);
	add(&text, CATEGORY_TASKS, false);
	add(&text, CATEGORY_TASKS, true);
	cut(&text);
	digest(&text);
	buf_release(&text);
	return 0;
}
