/* reply.c: any reply of a model is refused with a message, or gives items that
 * are one line each and read back from a file. */
#include "../fuzz.h"

#include "base/utf8.h"
#include "harvest/item-file.h"
#include "harvest/reply.h"

static void check(const struct reply_item *it, struct arena *a)
{
	struct buf line = {0}, from = {0};
	struct item_span span;
	struct item back;

	must(it->len && it->len <= REPLY_ITEM_MAX, "an item has a length");
	must(utf8_check(it->text, it->len) == it->len, "an item is UTF-8");
	for (size_t i = 0; i < it->len; i++)
		must((unsigned char)it->text[i] >= ' ', "an item is one line");
	must(!it->path || it->key == REPLY_FILES, "only notes have a path");
	/* Any text can be the name of a conversation. */
	item_clean_from(&from, it->text);
	item_add(&line, it->text, it->len, buf_str(&from), "2026-02-09");
	span = (struct item_span){0, line.len, false};
	must(item_read(&back, line.p, &span, a), "a written item is read");
	must(back.len == it->len && !memcmp(back.text, it->text, it->len),
	     "its text reads back");
	must(back.from && !strcmp(back.from, buf_str(&from)) &&
		     !strcmp(back.date, "2026-02-09"),
	     "its source reads back");
	buf_release(&line);
	buf_release(&from);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = {0};
	struct reply r;
	struct err e = {.code = ERR_NONE};

	if (reply_parse(&r, (const char *)data, size, &a, &e) < 0) {
		must_be_error(&e);
	} else {
		for (size_t i = 0; i < r.n; i++)
			check(&r.items[i], &a);
	}
	arena_release(&a);
	return 0;
}
