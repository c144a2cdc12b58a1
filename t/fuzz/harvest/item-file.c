/* item-file.c: in any file of items, adding an item keeps every byte, a removed
 * item can be restored, and a digest is small. */
#include "../fuzz.h"

#include "harvest/items.h"

#define LINE "- put in [from: fuzz, 2026-02-09]\n"

/* Return whether the text of IS is in WITH, in order. */
static bool holds(const struct buf *with, const struct buf *is)
{
	size_t at = 0;

	for (size_t i = 0; i < with->len && at < is->len; i++)
		at += with->p[i] == is->p[at];
	return at == is->len;
}

/* Count the items of TEXT, and set *OURS to the number of items added here,
 * done or not. */
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
		     "items are in order");
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
	     "one item is added at its place");
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
		     "removing the item restores every byte");
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
	must(!out.len || out.p[out.len - 1] == '\n',
	     "a digest ends in a newline");
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
