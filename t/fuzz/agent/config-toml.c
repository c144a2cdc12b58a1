/* config-toml.c: any bytes as codex's file of settings.
 *
 * Holds: what is read stands on bytes inside the text, in order; adding the
 * table where there is none changes no other byte, and it is read back; so does
 * setting up, which refuses or has its entry, and does nothing the second time;
 * taken away it is gone, with its own lines alone, and where it was put the
 * bytes from before are back, but for the newline that ends the last line.
 */
#include "../fuzz.h"

#include "agent/config.h"
#include "agent/toml.h"

#define FAMILY "mcp_servers"
#define NAME "co"

static const struct agent agent = {.servers = FAMILY};
static const struct config config = {&agent, CONFIG_SERVER | CONFIG_TOML,
				     "/opt/a \"b\"\\c/co"};

static void copy(struct buf *to, const struct buf *from)
{
	buf_cut(to, 0);
	buf_add(to, buf_str(from), from->len);
}

static bool equal(const struct buf *a, const struct buf *b)
{
	return a->len == b->len && (!a->len || !memcmp(a->p, b->p, a->len));
}

static void must_stand(const struct toml_table *t, size_t len)
{
	size_t end = 0;

	for (size_t i = 0; i < t->nspans; i++) {
		must(t->spans[i].start >= end, "spans are in order");
		must(t->spans[i].start < t->spans[i].end, "and not empty");
		end = t->spans[i].end;
	}
	must(end <= len, "they are inside");
	for (size_t i = 0; i < t->n; i++) {
		const struct toml_span *span = &t->entries[i].span;

		must(span->start < span->end && span->end <= len,
		     "a value has its place");
		must(t->entries[i].key, "and a key");
	}
}

/* True if A begins with B, and has no more than a line's end behind it. */
static bool is_ended(const struct buf *a, const struct buf *b)
{
	return a->len >= b->len && a->len <= b->len + 2 &&
	       (!b->len || !memcmp(a->p, b->p, b->len)) &&
	       strspn(a->p + b->len, "\r\n") == a->len - b->len;
}

/* Find the table in TEXT: as toml_find(). */
static int find(struct toml_table *t, const struct buf *text, struct arena *a)
{
	struct err e;
	int r = toml_find(t, text, FAMILY, NAME, a, &e);

	if (r < 0)
		must_be_error(&e);
	else
		must_stand(t, text->len);
	return r;
}

/* Put the table into TEXT, which has none, and take it away. */
static void add(const struct buf *was, struct arena *a)
{
	struct buf text = {0};
	struct toml_table t;

	copy(&text, was);
	toml_add(&text, FAMILY, NAME, "command = \"x\"\n");
	must(!was->len || !memcmp(text.p, was->p, was->len),
	     "what was there stays");
	must(find(&t, &text, a) == 1 && t.n == 1, "the table is read back");
	must(toml_entry(&t, "command") &&
		     !strcmp(toml_entry(&t, "command")->string, "x"),
	     "with its entry");
	toml_drop(&text, &t);
	must(is_ended(&text, was), "the bytes from before are back");
	must(find(&t, &text, a) == 0, "and it is gone");
	buf_release(&text);
}

/* Take the table away, which is there. */
static void drop(const struct buf *was, const struct toml_table *there,
		 struct arena *a)
{
	struct buf text = {0};
	struct toml_table t;
	size_t lines = 0;

	copy(&text, was);
	for (size_t i = 0; i < there->nspans; i++)
		lines += there->spans[i].end - there->spans[i].start;
	toml_drop(&text, there);
	must(was->len - text.len >= lines, "its lines go");
	must(find(&t, &text, a) == 0, "what is dropped is gone");
	buf_release(&text);
}

/* But for the value of its command, TEXT is what it WAS. */
static void must_keep(const struct buf *was, const struct buf *text,
		      const struct toml_span *command)
{
	const size_t rest = was->len - command->end;

	must(text->len >= command->start + rest &&
		     !memcmp(text->p, was->p, command->start) &&
		     !memcmp(text->p + text->len - rest, was->p + command->end,
			     rest),
	     "the path alone is changed");
}

static void set_up(const struct buf *was, const struct toml_table *there)
{
	const struct toml_entry *command =
		there ? toml_entry(there, "command") : NULL;
	struct buf text = {0}, again = {0};
	struct err e;

	copy(&text, was);
	if (config_put(&text, &config, &e) < 0) {
		must_be_error(&e);
	} else {
		must(!there || command, "only ours is set up again");
		if (there)
			must_keep(was, &text, &command->span);
		copy(&again, &text);
		must(config_put(&again, &config, &e) == 0, "it goes twice");
		must(equal(&again, &text), "and the second time is none");
		must(config_drop(&again, &config, &e) == 0, "it is taken out");
		must(!equal(&again, &text), "which changes something");
		copy(&text, &again);
		must(config_drop(&again, &config, &e) == 0, "and again");
		must(equal(&again, &text), "which does not");
	}
	buf_release(&text);
	buf_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = {0};
	struct buf was = {0};
	struct toml_table t;
	int r;

	buf_add(&was, data, size);
	r = find(&t, &was, &a);
	if (r == 0)
		add(&was, &a);
	else if (r > 0)
		drop(&was, &t, &a);
	if (r >= 0)
		set_up(&was, r ? &t : NULL);
	buf_release(&was);
	arena_release(&a);
	return 0;
}
