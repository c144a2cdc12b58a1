/* why.c: the ledger may have been edited, so every text in it is made safe, and what
 * has another kind than expected is left out.
 */
#include "overview/why.h"

#include "agent/agent.h"
#include "base/date.h"
#include "base/mem.h"
#include "base/sha256.h"
#include "shown/shown.h"
#include "store/store.h"
#include "text/sanitize.h"

#define NAMED_MAX 20 /* memories in a line */

static void add_safe(struct buf *out, const char *text)
{
	sanitize_terminal(out, text, strlen(text), false);
}

static void add_time(struct buf *out, const char *at, bool clock)
{
	static const char today[] = " today";
	char text[DATE_CLOCK];
	struct instant time;
	size_t len;

	if (!clock || !instant_parse(at, strlen(at), &time)) {
		add_safe(out, at);
		return;
	}
	date_clock(time, text);
	len = strlen(text);
	if (len >= sizeof(today) && !strcmp(text + len - strlen(today), today))
		len -= strlen(today);
	buf_add(out, text, len);
}

/* Append what the agent did, or was about to do. */
static void add_event(struct buf *out, const struct value *event)
{
	static const struct {
		const char *event, *text;
	} known[] = {
		{"start", "at the start of the session"},
		{"server", "at the start of the server"},
		{"repeated", "after a compression"},
		{"prompt", "for a prompt"},
		{"resource", "reading a resource"},
		{"action", "before a command"},
		{"subagent", "at the start of a subagent"},
	};
	const struct value *trigger = value_get(event, "trigger");
	const char *name = value_text(event, "event");
	const char *words = value_text(trigger, "words");
	const char *file = value_text(trigger, "file");
	size_t i = 0;

	if (file) {
		buf_adds(out, "before editing ");
		add_safe(out, file);
		return;
	}
	while (i < ARRAY_LEN(known) && strcmp(known[i].event, name) != 0)
		i++;
	if (i < ARRAY_LEN(known)) {
		buf_adds(out, known[i].text);
	} else {
		buf_adds(out, "calling ");
		add_safe(out, name);
	}
	if (words) {
		buf_adds(out, " with '");
		add_safe(out, words);
		buf_addc(out, '\'');
	}
}

struct why_name {
	char sum[SHA256_HEX];
	const char *name;
};

static int add_name(void *ctx, const struct record *r)
{
	struct why_names *names = ctx;
	struct why_name one;

	if (!shown_hash(r->path, one.sum))
		return 0;
	one.name = arena_printf(&names->arena, "article %s",
				strrchr(r->path, '/') + 1);
	*MEM_ADD(names->items, names->n, names->cap) = one;
	return 0;
}

static void fill_names(struct why_names *names)
{
	struct store s;
	struct err none; /* a store that cannot be read names nothing */

	names->filled = true;
	for (enum scope at = SCOPE_PROJECT; at <= SCOPE_GLOBAL; at++) {
		if (store_open(&s, at, NULL, &none) < 0)
			continue;
		store_each(&s, AREA_ARTICLES, add_name, names, &none);
		store_close(&s);
	}
}

/* Return the name of the article whose file has the hash of ITEM, or NULL. */
static const char *find_name(struct why_names *names, const struct value *item)
{
	const struct value *sum = value_get(item, "sha256");

	if (!names->filled)
		fill_names(names);
	for (size_t i = 0; i < names->n; i++) {
		if (value_is(sum, names->items[i].sum))
			return names->items[i].name;
	}
	return NULL;
}

void why_names_release(struct why_names *names)
{
	free(names->items);
	arena_release(&names->arena);
}

/* Append what ITEM is, if it is not a memory. */
static void add_other(struct buf *out, const struct value *item,
		      struct why_names *names)
{
	const struct value *why = value_get(item, "why");
	const char *name;

	if (value_is(why, "context"))
		buf_addf(out, "the %s context",
			 value_is(value_get(item, "scope"), "global")
				 ? "user's"
				 : "project's");
	else if (value_is(why, "digest"))
		buf_adds(out, "the digest");
	else if ((name = find_name(names, item)))
		add_safe(out, name);
	else if (value_text(item, "sha256"))
		buf_adds(out, "a draft, an item, or an article that has "
			      "changed since");
	else
		buf_adds(out, "an article, item or draft");
}

static bool has_id(const struct value *item, const char *id)
{
	struct buf text = {0};
	const bool same =
		shown_list_id(&text, item) && !strcmp(buf_str(&text), id);

	buf_release(&text);
	return same;
}

/* Return true if EVENT shows the memory ID. */
static bool shows_memory(const struct value *event, const char *id)
{
	const struct value *items = value_get(event, "memories");

	for (size_t i = 0; i < items->u.list.n; i++) {
		if (has_id(&items->u.list.items[i], id))
			return true;
	}
	return false;
}

const char *why_id(const char *text, struct arena *a)
{
	const char *colon = strrchr(text, ':');
	const char *digits = colon ? colon + 1 : text + (*text == 'g');
	const size_t before = (size_t)(digits - text);

	if (!*digits || digits[strspn(digits, "0123456789")])
		return NULL;
	digits += strspn(digits, "0");
	return arena_printf(a, "%.*s%s", (int)before, text, digits);
}

static bool meets_filter(const struct value *event, const struct why_filter *f)
{
	const char *at = value_text(event, "at");
	struct instant time;

	if ((f->agent && !value_is(value_get(event, "agent"), f->agent)) ||
	    (f->session &&
	     !value_is(value_get(event, "session"), f->session)) ||
	    (f->id && !shows_memory(event, f->id)))
		return false;
	return !f->since || (instant_parse(at, strlen(at), &time) &&
			     instant_cmp(time, *f->since) >= 0);
}

size_t why_find(const struct value ***list, const struct why_filter *f,
		const struct value *ledger, size_t n, struct arena *a)
{
	size_t found = 0;

	*list = arena_alloc(a, n * sizeof(**list));
	for (size_t i = 0; i < n; i++) {
		if (meets_filter(&ledger[i], f))
			(*list)[found++] = &ledger[i];
	}
	return found;
}

/* Append the place CITE, PATH#L10-L20, as people write it: PATH:10-20. */
static void add_place(struct buf *out, const char *cite)
{
	const char *lines = strstr(cite, "#L");
	const size_t len = lines ? (size_t)(lines - cite) : strlen(cite);

	sanitize_terminal(out, cite, len, false);
	if (!lines)
		return;
	buf_addc(out, ':');
	for (lines += 2; *lines; lines++) {
		if (*lines != 'L')
			sanitize_terminal(out, lines, 1, false);
	}
}

/* Append why ITEM was given, if that is not said by its event. */
static void add_reason(struct buf *out, const struct value *item)
{
	static const struct {
		const char *why, *text;
	} known[] = {
		{"rule", "always loaded"},
		{"path", "its paths match"},
		{"name", "names it"},
	};
	const struct value *why = value_get(item, "why");
	const char *cite = value_text(item, "cite");

	if (value_is(why, "cite") && cite) {
		buf_adds(out, " (cites ");
		add_place(out, cite);
		buf_adds(out, ", unchanged)");
	}
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		if (value_is(why, known[i].why))
			buf_addf(out, " (%s)", known[i].text);
	}
}

/* Append the size of ITEM, and what became of its file. */
static void add_size(struct buf *out, const struct value *item)
{
	const struct value *file = value_get(item, "file");

	buf_addf(out, " (%lld bytes", (long long)value_positive(item, "bytes"));
	if (value_is(file, "same"))
		buf_adds(out, ", unchanged");
	else if (value_is(file, "changed"))
		buf_adds(out, ", changed since");
	else if (value_is(file, "gone"))
		buf_adds(out, ", gone");
	buf_addc(out, ')');
}

static void add_item(struct buf *out, const struct value *item,
		     struct why_names *names)
{
	const struct value *used = value_get(item, "used");
	const size_t start = out->len;

	buf_adds(out, "memory ");
	if (!shown_list_id(out, item)) {
		buf_cut(out, start);
		add_other(out, item, names);
	}
	add_reason(out, item);
	if (used && used->kind == VALUE_BOOL)
		buf_adds(out, used->u.b ? " (used)" : " (not used)");
	if (value_get(item, "file"))
		add_size(out, item);
}

static void add_items(struct buf *out, const struct value *event,
		      const struct why_how *how)
{
	const struct value *items = value_get(event, "memories");
	size_t named = 0, n = 0;

	for (size_t i = 0; i < items->u.list.n; i++) {
		const struct value *item = &items->u.list.items[i];

		if (how->id && !has_id(item, how->id))
			continue;
		if (++n > NAMED_MAX)
			continue;
		buf_adds(out, named++ ? ", " : "");
		add_item(out, item, how->names);
	}
	if (n > named)
		buf_addf(out, " and %zu more", n - named);
	if (!n && value_get(event, "bytes")->u.i)
		buf_adds(out, "text without a memory");
	else if (!n)
		buf_adds(out, "nothing");
}

void why_event(struct buf *out, const struct value *event,
	       const struct why_how *how)
{
	const char *from = value_text(value_get(event, "trigger"), "read");

	if (value_is(value_get(event, "event"), SHOWN_READ)) {
		buf_adds(out, "reading from outside: ");
		add_safe(out, from ? from : "-");
		return;
	}
	add_event(out, event);
	buf_adds(out, ": ");
	add_items(out, event, how);
}

void why_line(struct buf *out, const struct value *event,
	      const struct why_how *how)
{
	const char *name = value_text(event, "agent");
	const struct agent *agent = agent_find(name);

	add_time(out, value_text(event, "at"), how->clock);
	buf_addc(out, ' ');
	add_safe(out, agent ? agent->title : name);
	buf_adds(out, ", ");
	why_event(out, event, how);
	buf_addc(out, '\n');
}
