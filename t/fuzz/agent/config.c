/* config.c: any bytes as an agent's settings file in JSON. The first line
 * chooses the agent and the kind of file, the rest is the file.
 *
 * Properties: setup fails and changes nothing, or writes everything; a second
 * setup changes nothing; valid strict JSON stays valid; after a removal nothing
 * of co is left, and another setup gives the same file as before.
 */
#include "../fuzz.h"

#include "agent/config.h"
#include "format/json-read.h"

static void copy(struct buf *to, const struct buf *from)
{
	buf_cut(to, 0);
	buf_add(to, buf_str(from), from->len);
}

static bool equal(const struct buf *a, const struct buf *b)
{
	return a->len == b->len && (!a->len || !memcmp(a->p, b->p, a->len));
}

static bool is_strict(const struct buf *text)
{
	struct arena a = {0};
	struct value v;
	struct err e;
	bool strict = json_parse(buf_str(text), text->len, &a, &v, &e) == 0;

	arena_release(&a);
	return strict;
}

/* Put W into TEXT, which must succeed, and must do nothing the second time. */
static void put(struct buf *text, const struct config *w)
{
	struct buf once = {0};
	struct err e;

	must(config_put(text, w, &e) == 0, "the entries can be written");
	copy(&once, text);
	must(config_put(text, w, &e) == 0, "and again");
	must(equal(&once, text), "the second setup changes nothing");
	buf_release(&once);
}

static void drop(struct buf *text, const struct config *w)
{
	struct buf once = {0};
	struct err e;

	must(config_drop(text, w, &e) == 0, "the entries can be removed");
	copy(&once, text);
	must(config_drop(text, w, &e) == 0, "and again");
	must(equal(&once, text), "the second removal finds nothing");
	buf_release(&once);
}

/* Return whether TEXT has a hook that calls co and that co did not write. */
static bool has_theirs(const struct buf *text, const struct config *w)
{
	struct strings theirs = {0};
	struct arena a = {0};
	const bool has = (config_theirs(text, w, &theirs, &a), theirs.n > 0);

	free(theirs.items);
	arena_release(&a);
	return has;
}

static void set_up(const struct buf *was, const struct config *w)
{
	struct config other = {w->agent, w->holds, "/else/co"};
	struct buf text = {0}, out = {0};
	struct err e;

	copy(&text, was);
	if (config_put(&text, w, &e) < 0) {
		must_be_error(&e);
		goto out;
	}
	must(!is_strict(was) || is_strict(&text),
	     "strict JSON stays strict JSON");
	put(&text, w);
	copy(&out, &text);
	drop(&out, w);
	must(!equal(&out, &text) || has_theirs(&text, w),
	     "a removal changes the text");
	must(has_theirs(&out, w) == has_theirs(was, w), "foreign hooks stay");
	must(!is_strict(&text) || is_strict(&out),
	     "strict JSON stays strict JSON");
	put(&out, w);
	/* Move the program to another path, and back. */
	copy(&out, &text);
	put(&out, &other);
	put(&out, w);
	drop(&out, &other);
out:
	buf_release(&text);
	buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const unsigned holds[] = {CONFIG_SERVER, CONFIG_HOOKS,
					 CONFIG_SERVER | CONFIG_HOOKS};
	const char *p = size ? (const char *)data : "";
	struct arena a = {0};
	struct config w = {.program = "/opt/it's a \"b\"\\c/co"};
	struct buf was = {0};
	size_t line, agents = 0;

	while (agent_at(agents))
		agents++;
	fuzz_line(&p, &size, &line, &a);
	w.agent = agent_at(line % agents);
	w.holds = holds[line / agents % ARRAY_LEN(holds)];
	if ((w.agent->one_list || !agent_has_hooks(w.agent)) &&
	    w.holds & CONFIG_HOOKS)
		w.holds = w.agent->one_list ? CONFIG_PLUGIN : CONFIG_RULE;
	buf_add(&was, p, size);
	set_up(&was, &w);
	buf_release(&was);
	arena_release(&a);
	return 0;
}
