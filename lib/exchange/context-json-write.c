/* context-json-write.c: see context-json.h. Everything is collected
 * first, because one memory may have several places. */
#include "exchange/context-json.h"

#include "base/strings.h"
#include "repo/marks.h"

#define DAY 86400
#define DAY_LENGTH 10	/* 2026-02-09 */
#define DAYS_MOST 52000 /* largest "ttl" in days */

struct context_entry {
	/* The field in context.json; NULL if it is in a file of memories. */
	const struct context_field *field;
	/* The key in the file of memories; or the field in context.json, with a
	 * path if it is a map, "preferences.style". */
	const char *key;
	unsigned section;
	size_t next;   /* number for the next duplicate of KEY */
	size_t number; /* position in its field */
	const char *text;
	size_t len;
	const char *timestamp, *expires;
	int64_t ttl; /* in seconds, or days if DAYS; 0: none */
	bool days, pin, archive, sensitive, hidden;
};

/* Return the entry of SECTION with KEY, in context.json if CONTEXT, else in its
 * file of memories, or NULL. */
static struct context_entry *find_entry(const struct context_write *w,
					unsigned section, bool context,
					const char *key)
{
	struct table_look k =
		table_look(&w->by_key, key, strlen(key), 2 * section + context);
	size_t i;

	while (table_next(&k, &i)) {
		struct context_entry *x = &w->entries[i];

		if (x->section == section && !!x->field == context &&
		    !strcmp(x->key, key))
			return x;
	}
	return NULL;
}

#define ANYWHERE CONTEXT_SECTIONS

/* Return true if an entry has the LEN bytes of TEXT: ANYWHERE, or in the field
 * with the copies of SECTION. */
static bool has_text(const struct context_write *w, const char *text,
		     size_t len, uint64_t section)
{
	struct table_look k = table_look(&w->by_text, text, len, section);
	size_t i;

	while (table_next(&k, &i)) {
		if (w->entries[i].len == len &&
		    !memcmp(w->entries[i].text, text, len))
			return true;
	}
	return false;
}

static const struct context_field *field_of_copies(unsigned section)
{
	const struct context_section *s = &context_sections[section];

	return &s->fields[s->copies];
}

/* Add ENTRY to W and to its tables. */
static void add_entry(struct context_write *w, struct context_entry entry)
{
	const struct context_field *f = entry.field;

	w->entries = mem_grow(w->entries, w->n, &w->cap, sizeof(*w->entries));
	entry.next = 2;
	w->entries[w->n] = entry;
	if (!f || f->kind != CONTEXT_LIST)
		table_put(&w->by_key, entry.key, strlen(entry.key),
			  2 * entry.section + !!f, w->n);
	if (!has_text(w, entry.text, entry.len, ANYWHERE))
		table_put(&w->by_text, entry.text, entry.len, ANYWHERE, w->n);
	if (f == field_of_copies(entry.section) &&
	    !has_text(w, entry.text, entry.len, entry.section))
		table_put(&w->by_text, entry.text, entry.len, entry.section,
			  w->n);
	w->n++;
}

/* Return KEY, or, if SECTION's file has it already, KEY with a number. */
static const char *free_key(struct context_write *w, unsigned section,
			    const char *key)
{
	struct context_entry *has = find_entry(w, section, false, key);
	const char *other = key;

	while (has && find_entry(w, section, false, other))
		other = arena_printf(&w->arena, "%s-%zu", key, has->next++);
	return other;
}

/* Set the expiry of R in X: as a lifetime if that converts back exactly. */
static void set_expiry(struct context_entry *x, const struct record *r,
		       struct arena *a)
{
	const char *end = value_text(r->frontmatter, "expires");
	const int64_t day = r->at.sec - (r->at.sec % DAY + DAY) % DAY;
	char text[INSTANT_TEXT];
	struct instant t;

	if (!end || !instant_parse_day(end, strlen(end), &t))
		return;
	x->days = strlen(end) == DAY_LENGTH;
	x->ttl = x->days ? (t.sec - day) / DAY : t.sec - r->at.sec;
	if (x->ttl > 0 && (x->days ? x->ttl <= DAYS_MOST
				   : !strcmp(instant_format(t, text), end)))
		return;
	x->ttl = 0;
	x->expires = arena_strdup(a, end);
}

/* Return true if R has keys that X cannot express. CONTEXT: it is in
 * context.json. */
static bool has_other_keys(const struct record *r,
			   const struct context_entry *x, bool context)
{
	const struct value *map = r->frontmatter;

	for (size_t i = 0; i < map->u.map.n; i++) {
		const struct value *key = &map->u.map.pairs[i].key;
		const struct value *v = &map->u.map.pairs[i].val;

		if (!(value_is_word(key, "id|created|tags|source|key") ||
		      (value_is(key, "updated") && context) ||
		      (value_is(key, "expires") && (x->ttl || x->expires)) ||
		      /* the default of an import */
		      (value_is(key, "trust") && value_is(v, "external")) ||
		      (value_is_word(key, "always|archive|sensitive") &&
		       v->kind == VALUE_BOOL)))
			return true;
	}
	return false;
}

/* Return the set of sections named by the tags of R, as bits. *OTHERS is set
 * if it has other tags. */
static unsigned sections_of(const struct record *r, bool *others)
{
	const size_t len = strlen(CONTEXT_TAG);
	unsigned in = 0;

	*others = false;
	for (size_t i = 0; i < r->ntags; i++) {
		unsigned k = 0;

		while (k < CONTEXT_SECTIONS &&
		       (strncmp(r->tags[i], CONTEXT_TAG, len) != 0 ||
			strcmp(r->tags[i] + len,
			       context_sections[k].category) != 0))
			k++;
		if (k < CONTEXT_SECTIONS)
			in |= 1u << k;
		else
			*others = true;
	}
	return in;
}

/* Return true if X, the entry of R, can go to context.json. SEVERAL: its key
 * is a map. */
static bool fits_context(struct context_write *w, const struct record *r,
			 const struct context_entry *x, bool several)
{
	const char *updated = value_text(r->frontmatter, "updated");

	if ((!several &&
	     (!r->source || strcmp(r->source, CONTEXT_FILE) != 0)) ||
	    x->ttl || x->expires || x->pin || x->archive || x->sensitive)
		return false;
	if (!w->created) {
		w->created = x->timestamp;
		w->updated = updated ? arena_strdup(&w->arena, updated) : NULL;
	}
	return strings_equal(w->created, x->timestamp) &&
	       strings_equal(w->updated, updated);
}

/* Add X to its section under KEY, or under its file name if KEY is NULL.
 * Returns true if it went into the file of memories. */
static bool add_at_key(struct context_write *w, struct context_entry x,
		       const struct value *key, const char *path, bool context)
{
	const char *name = strrchr(path, '/') + 1, *wanted;

	wanted =
		key ? arena_strdup(&w->arena, key->u.s.p)
		    : arena_copy(&w->arena, name, strlen(name) - strlen(".md"));
	x.field = key && context ? context_field(x.section, wanted) : NULL;
	if (x.field && x.field->kind != CONTEXT_LIST &&
	    find_entry(w, x.section, true, wanted))
		x.field = NULL;
	x.key = x.field ? wanted : free_key(w, x.section, wanted);
	w->unsaid.keys += !key || strcmp(x.key, wanted) != 0;
	add_entry(w, x);
	return !x.field;
}

static bool is_key(const struct value *v)
{
	return v && v->kind == VALUE_STR && strlen(v->u.s.p) == v->u.s.len;
}

/* Add X for each key in V, or without a key. Returns as add_at_key(). */
static bool add_each(struct context_write *w, struct context_entry x,
		     const struct value *v, const char *path, bool context)
{
	const struct value *item;
	bool file = false, any = false;

	for (size_t i = 0; (item = value_item(v, i)); i++) {
		if (!is_key(item))
			continue;
		file |= add_at_key(w, x, item, path, context);
		any = true;
	}
	return any ? file
		   : add_at_key(w, x, is_key(v) ? v : NULL, path, context);
}

void context_write_add(struct context_write *w, const struct record *r)
{
	const struct value *key = value_get(r->frontmatter, "key");
	const bool map = key && key->kind == VALUE_MAP;
	struct context_entry x = {
		.text = arena_copy(&w->arena, r->content, r->content_len),
		.len = r->content_len,
		.timestamp = arena_strdup(&w->arena, r->created),
		.pin = value_is_true(value_get(r->frontmatter, "always")),
		.archive = value_is_true(value_get(r->frontmatter, "archive")),
		.sensitive = record_marks(r) & MARK_SENSITIVE,
		.hidden = record_marks(r) & marks_hidden()};
	const char *source = NULL;
	bool others, context;
	unsigned in = sections_of(r, &others);

	set_expiry(&x, r, &w->arena);
	context = fits_context(w, r, &x, map);
	w->unsaid.memories++;
	w->unsaid.same += has_text(w, x.text, x.len, ANYWHERE);
	w->unsaid.tags += others;
	w->unsaid.categories += !in;
	in = in ? in : 1u << CONTEXT_LEARNED;
	for (unsigned i = 0; i < CONTEXT_SECTIONS; i++) {
		bool file;

		if (!(in & 1u << i))
			continue;
		x.section = i;
		file = add_each(
			w, x,
			map ? value_get(key, context_sections[i].category)
			    : key,
			r->path, context);
		if (!source)
			source = file ? context_sections[i].file : CONTEXT_FILE;
	}
	w->unsaid.sources += !r->source || strcmp(r->source, source) != 0;
	w->unsaid.others +=
		has_other_keys(r, &x, !strcmp(source, CONTEXT_FILE));
}

/* Append X as a member of the object of a file of memories. */
static void write_memory(struct buf *out, const struct context_entry *x)
{
	char days[32];

	json_write_open(out, x->key, '{');
	json_write_bytes(out, "value", x->text, x->len);
	json_write_text(out, "timestamp", x->timestamp);
	snprintf(days, sizeof(days), "%lldd", (long long)x->ttl);
	if (x->ttl && x->days)
		json_write_text(out, "ttl", days);
	else if (x->ttl)
		json_write_int(out, "ttl", x->ttl);
	json_write_given(out, "expires", x->expires);
	if (x->pin)
		json_write_bool(out, "pin", true);
	if (x->archive)
		json_write_bool(out, "archive", true);
	if (x->sensitive)
		json_write_bool(out, "sensitive", true);
	json_write_close(out, '}');
}

/* Append the file of SECTION, under KEY unless that is NULL. Returns false if
 * it is empty. */
static bool write_file(struct buf *out, const struct context_write *w,
		       unsigned section, const char *key)
{
	bool any = false;

	for (size_t i = 0; i < w->n; i++) {
		const struct context_entry *x = &w->entries[i];

		if (x->field || x->section != section)
			continue;
		if (!any)
			json_write_open(out, key, '{');
		any = true;
		write_memory(out, x);
	}
	if (any)
		json_write_close(out, '}');
	return any;
}

/* Return the copy of X, an entry of a file of memories, for context.json. Its
 * FIELD is NULL if there is to be no copy. */
static struct context_entry copy_of(struct context_write *w,
				    const struct context_entry *x)
{
	const struct context_field *f = field_of_copies(x->section);
	struct context_entry copy = *x;
	const bool map = f->kind == CONTEXT_MAP;

	copy.key = map ? arena_printf(&w->arena, "%s.%s", f->name, x->key)
		       : f->name;
	if (!x->hidden &&
	    !(map ? find_entry(w, x->section, true, copy.key) != NULL
		  : has_text(w, x->text, x->len, x->section)))
		copy.field = f;
	return copy;
}

static int by_place(const void *a, const void *b)
{
	const struct context_entry *x = a, *y = b;

	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	if (x->field != y->field)
		return x->field < y->field ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* Return the *N entries of context.json in their order, including copies if
 * COPIES. The caller frees the list. */
static struct context_entry *list_context(struct context_write *w, bool copies,
					  size_t *n)
{
	struct context_entry *all = mem_resize(NULL, w->n + 1, sizeof(*all));

	*n = 0;
	for (size_t i = 0; i < w->n; i++) {
		const bool own = w->entries[i].field;

		all[*n] = own || !copies ? w->entries[i]
					 : copy_of(w, &w->entries[i]);
		all[*n].number = *n + (own ? 0 : w->n);
		*n += !!all[*n].field;
	}
	MEM_SORT(all, *n, by_place);
	return all;
}

/* Append the N entries at X, which form one field. */
static void write_field(struct buf *out, const struct context_entry *x,
			size_t n)
{
	const struct context_field *f = x->field;
	const size_t len = strlen(f->name) + 1;

	if (f->kind != CONTEXT_TEXT)
		json_write_open(out, f->name,
				f->kind == CONTEXT_MAP ? '{' : '[');
	for (size_t i = 0; i < n; i++)
		json_write_bytes(out,
				 f->kind == CONTEXT_TEXT  ? f->name
				 : f->kind == CONTEXT_MAP ? x[i].key + len
							  : NULL,
				 x[i].text, x[i].len);
	if (f->kind != CONTEXT_TEXT)
		json_write_close(out, f->kind == CONTEXT_MAP ? '}' : ']');
}

/* Append context.json without the closing brace. */
static void write_context(struct buf *out, struct context_write *w, bool copies)
{
	struct context_entry *all;
	size_t n, at = 0;

	all = list_context(w, copies, &n);
	json_write_open(out, NULL, '{');
	json_write_text(out, "version", CONTEXT_VERSION);
	json_write_given(out, "created", w->created);
	json_write_given(out, "updated", w->updated);
	for (unsigned i = 0; i < CONTEXT_SECTIONS; i++) {
		json_write_open(out, context_sections[i].name, '{');
		while (at < n && all[at].section == i) {
			size_t end = at;

			while (end < n && all[end].field == all[at].field)
				end++;
			write_field(out, &all[at], end - at);
			at = end;
		}
		json_write_close(out, '}');
	}
	free(all);
}

/* Pass the file of memories of SECTION to PUT, unless it is empty. */
static int put_file(const struct context_write *w, unsigned section,
		    export_fn *put, void *ctx, struct err *e)
{
	struct buf file = {0}, name = {0};
	int r = 0;

	buf_addf(&name, "memories/%s", context_sections[section].file);
	if (write_file(&file, w, section, NULL)) {
		buf_addc(&file, '\n');
		r = put(ctx, name.p, file.p, file.len, e);
	}
	buf_release(&file);
	buf_release(&name);
	return r;
}

int context_write_put(struct context_write *w, bool files, export_fn *put,
		      void *ctx, struct err *e)
{
	struct buf text = {0};
	int r;

	write_context(&text, w, true);
	if (text.len > CONTEXT_MAX) {
		buf_cut(&text, 0);
		write_context(&text, w, false);
	}
	if (!files) {
		json_write_open(&text, "memories", '{');
		for (unsigned i = 0; i < CONTEXT_SECTIONS; i++)
			write_file(&text, w, i, context_sections[i].stem);
		json_write_close(&text, '}');
	}
	json_write_end(&text);
	r = put(ctx, "internal/" CONTEXT_FILE, text.p, text.len, e);
	for (unsigned i = 0; files && i < CONTEXT_SECTIONS && !r; i++)
		r = put_file(w, i, put, ctx, e);
	buf_release(&text);
	return r;
}

/* Append "WHAT of N" if N is not 0. */
static void add_count(struct buf *out, size_t n, const char *what)
{
	if (n)
		buf_addf(out, "%s%s of %zu", out->len ? ", " : "", what, n);
}

void context_write_unsaid(const struct context_write *w, struct buf *out)
{
	const struct context_unsaid *u = &w->unsaid;

	add_count(out, u->memories, "ids");
	add_count(out, u->categories, "no category");
	add_count(out, u->keys, "no key of its own");
	add_count(out, u->tags, "tags");
	add_count(out, u->sources, "sources");
	add_count(out, u->others, "further keys");
	add_count(out, u->same, "a text twice");
}

void context_write_release(struct context_write *w)
{
	table_release(&w->by_key);
	table_release(&w->by_text);
	free(w->entries);
	arena_release(&w->arena);
}
