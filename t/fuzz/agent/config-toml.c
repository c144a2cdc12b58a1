/* config-toml.c: any bytes as the settings file of Codex.
 *
 * Properties: spans are inside the text, in order; adding the table to a text
 * without it changes no other byte, and the table is read back; setup fails or
 * writes its entry, and does nothing the second time; removing the table
 * removes only its lines, and restores the text from before it was added,
 * except for the newline of the last line.
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
		must(t->spans[i].start < t->spans[i].end,
		     "spans are not empty");
		end = t->spans[i].end;
	}
	must(end <= len, "spans are inside the text");
	for (size_t i = 0; i < t->n; i++) {
		const struct toml_span *span = &t->entries[i].span;

		must(span->start < span->end && span->end <= len,
		     "a value has a valid span");
		must(t->entries[i].key, "and a key");
	}
}

/* Return whether A begins with B, followed by at most an end of line. */
static bool is_ended(const struct buf *a, const struct buf *b)
{
	return a->len >= b->len && a->len <= b->len + 2 &&
	       (!b->len || !memcmp(a->p, b->p, b->len)) &&
	       strspn(a->p + b->len, "\r\n") == a->len - b->len;
}

/* Find the table in TEXT with toml_find(). */
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

/* Add the table to TEXT, which has none, and remove it. */
static void add(const struct buf *was, struct arena *a)
{
	struct buf text = {0};
	struct toml_table t;

	copy(&text, was);
	toml_add(&text, FAMILY, NAME, "command = \"x\"\n");
	must(!was->len || !memcmp(text.p, was->p, was->len),
	     "adding the table keeps the other bytes");
	must(find(&t, &text, a) == 1 && t.n == 1, "the table is read back");
	must(toml_entry(&t, "command") &&
		     !strcmp(toml_entry(&t, "command")->string, "x"),
	     "the table has its entry");
	toml_drop(&text, &t);
	must(is_ended(&text, was), "removing the table restores the text");
	must(find(&t, &text, a) == 0, "a removed table is not found");
	buf_release(&text);
}

/* Remove the table, which exists. */
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
	must(was->len - text.len >= lines,
	     "removing the table makes the text shorter");
	must(find(&t, &text, a) == 0, "a dropped table is not found");
	buf_release(&text);
}

/* Check that TEXT equals WAS except for the value of the command. */
static void must_keep(const struct buf *was, const struct buf *text,
		      const struct toml_span *command)
{
	const size_t rest = was->len - command->end;

	must(text->len >= command->start + rest &&
		     !memcmp(text->p, was->p, command->start) &&
		     !memcmp(text->p + text->len - rest, was->p + command->end,
			     rest),
	     "only the path is changed");
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
		must(!there || command, "only an entry of co is set up again");
		if (there)
			must_keep(was, &text, &command->span);
		copy(&again, &text);
		must(config_put(&again, &config, &e) == 0,
		     "the second setup succeeds");
		must(equal(&again, &text), "the second setup changes nothing");
		must(config_drop(&again, &config, &e) == 0,
		     "the entry is removed");
		must(!equal(&again, &text),
		     "removing the entry changes the text");
		copy(&text, &again);
		must(config_drop(&again, &config, &e) == 0, "and again");
		must(equal(&again, &text),
		     "removing an absent entry changes nothing");
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
