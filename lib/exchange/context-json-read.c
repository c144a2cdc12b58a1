/* context-json-read.c: see context-json.h. Texts are looked up in a
 * table. */
#include "exchange/context-json.h"

#include "base/date.h"
#include "base/utf8.h"

#define FAULTS_MOST 10 /* faults reported per file */

/* Classes by precedence: in each section, the file of memories comes before
 * context.json. */
#define CLASSES (2 * CONTEXT_SECTIONS)

/* A place where a text occurs. */
struct context_place {
	struct context_place *next; /* of one text and class */
	const char *key;
	size_t fact;
	unsigned class;
};

struct context_fact {
	const char *text;
	size_t len, number, order;
	const char *source, *created, *updated;
	struct value keys; /* `expires` and others, as saved */
	unsigned class;	   /* the first one with a place */
	size_t nplaces;
	bool refused; /* because of a fault at one of its places */
	struct context_place *first[CLASSES], *last[CLASSES];
};

/* A file being read. */
struct file_reader {
	struct context_read *to;
	const struct note_sink *sink;
	const char *source, *created, *updated;
	unsigned section;
	bool file;
	size_t faults;
};

static void report_fault(struct file_reader *f, const char *key,
			 const char *what)
{
	char *text = arena_printf(&f->to->arena, "'%s': %s", key, what);

	if (f->faults++ < FAULTS_MOST)
		note_fault(f->sink, text);
}

/* Report the number of faults that were not reported. */
static void report_more_faults(struct file_reader *f)
{
	if (f->faults > FAULTS_MOST)
		note_fault(f->sink,
			   arena_printf(&f->to->arena, "%zu more such faults",
					f->faults - FAULTS_MOST));
}

/* Return true if FACT has a place with KEY in CLASS. */
static bool has_place(const struct context_read *c,
		      const struct context_fact *fact, unsigned class,
		      const char *key)
{
	struct table_look k = table_look(&c->by_key, key, strlen(key),
					 fact->number * CLASSES + class);
	size_t i;

	while (table_next(&k, &i)) {
		const struct context_place *p = c->places[i];

		if (p->fact == fact->number && p->class == class &&
		    !strcmp(p->key, key))
			return true;
	}
	return false;
}

/* Add the place KEY in CLASS to FACT. */
static void add_place(struct context_read *c, struct context_fact *fact,
		      unsigned class, const char *key)
{
	struct context_place *p;

	if (has_place(c, fact, class, key))
		return;
	p = arena_alloc(&c->arena, sizeof(*p));
	*p = (struct context_place){NULL, arena_strdup(&c->arena, key),
				    fact->number, class};
	*(fact->last[class] ? &fact->last[class]->next : &fact->first[class]) =
		p;
	fact->last[class] = p;
	fact->nplaces++;
	table_put(&c->by_key, key, strlen(key), fact->number * CLASSES + class,
		  c->nplaces);
	*MEM_ADD(c->places, c->nplaces, c->places_cap) = p;
}

/* Return the fact with the LEN bytes of TEXT, adding it if necessary. It is
 * borrowed until the next call. */
static struct context_fact *find_fact(struct context_read *c, const char *text,
				      size_t len)
{
	struct table_look k = table_look_to_put(&c->by_text, text, len, 0);
	struct context_fact *fact;
	size_t i;

	while (table_next(&k, &i)) {
		fact = &c->facts[i];
		if (fact->len == len && !memcmp(fact->text, text, len))
			return fact;
	}
	table_put_looked(&c->by_text, &k, c->n);
	c->facts = mem_grow(c->facts, c->n, &c->cap, sizeof(*c->facts));
	fact = &c->facts[c->n];
	*fact = (struct context_fact){.text = arena_copy(&c->arena, text, len),
				      .len = len,
				      .number = c->n++,
				      .class = CLASSES};
	return fact;
}

/* Add TEXT, found at KEY. KEYS must have room for one more pair. */
static void add_fact(struct file_reader *f, const char *key, const char *text,
		     size_t len, const char *created, struct value keys)
{
	struct arena *a = &f->to->arena;
	const unsigned class = 2 * f->section + !f->file;
	struct context_fact *fact;
	bool sensitive;

	utf8_strip(&text, &len);
	if (!len)
		return;
	fact = find_fact(f->to, text, len);
	sensitive = value_is_true(value_get(&fact->keys, "sensitive"));
	add_place(f->to, fact, class, key);
	if (class < fact->class) {
		fact->class = class;
		fact->order = f->to->order++;
		fact->source = f->source;
		fact->created = created ? arena_strdup(a, created) : f->created;
		fact->updated = f->updated;
		fact->keys = keys;
	}
	/* If it is sensitive in one place, it is in all. */
	if ((sensitive || value_is_true(value_get(&keys, "sensitive"))) &&
	    !value_is_true(value_get(&fact->keys, "sensitive")))
		value_put(&fact->keys, "sensitive",
			  (struct value){.kind = VALUE_BOOL, .u.b = true});
}

/* Return the value of `expires` for a text of the time CREATED with the
 * lifetime TTL, allocated in A, or NULL if they are invalid. */
static const char *expiry_of(const struct value *ttl, const char *created,
			     struct arena *a)
{
	char text[INSTANT_TEXT];
	struct instant t;

	if (!instant_parse_day(created, strlen(created), &t))
		return NULL;
	if (ttl->kind == VALUE_STR)
		return date_after(ttl->u.s.p, t, text) ? arena_strdup(a, text)
						       : NULL;
	if (ttl->kind != VALUE_INT || ttl->u.i < 0 || ttl->u.i > INT64_MAX / 2)
		return NULL;
	t.sec += ttl->u.i;
	instant_format(t, text);
	return instant_parse(text, strlen(text), &t) ? arena_strdup(a, text)
						     : NULL;
}

static const struct {
	const char *name, *key;
} flags[] = {
	{"pin", "always"},	 {"pinned", "always"},
	{"always", "always"},	 {"archive", "archive"},
	{"archived", "archive"}, {"sensitive", "sensitive"},
};

/* Return our key for the flag NAME, or NULL if it is not a flag. */
static const char *flag_of(const struct value *name)
{
	for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
		if (value_is(name, flags[i].name))
			return flags[i].key;
	}
	return NULL;
}

static bool is_known(const struct value *name)
{
	return flag_of(name) ||
	       value_is_word(name, "value|timestamp|ttl|expires");
}

/* Set the key for NAME: V in KEYS. CREATED is the time of the memory. Returns
 * NULL, or a description of the fault in V. */
static const char *set_mark(struct file_reader *f, struct value *keys,
			    const struct value *name, const struct value *v,
			    const char *created)
{
	const char *key = flag_of(name), *end = NULL;
	struct instant t;

	if (v->kind == VALUE_NULL || value_is_word(name, "value|timestamp"))
		return NULL;
	if (key && v->kind != VALUE_BOOL)
		return "'pin', 'archive' and 'sensitive' must be true or false";
	if (key && v->u.b)
		value_put(keys, key, *v);
	if (key)
		return NULL;
	if (value_is(name, "ttl"))
		end = expiry_of(v, created, &f->to->arena);
	else if (v->kind == VALUE_STR &&
		 instant_parse_day(v->u.s.p, v->u.s.len, &t))
		end = arena_strdup(&f->to->arena, v->u.s.p);
	if (!end)
		return "'ttl' must be seconds or one of " DATE_SPANS
		       ", and 'expires' a date or time";
	value_put(keys, "expires", value_str(end));
	return NULL;
}

/* Reject the text SAID, so that its copy is not imported without its marks. */
static void refuse_text(struct context_read *c, const struct value *said)
{
	const char *text;
	size_t len;

	if (!said || said->kind != VALUE_STR)
		return;
	text = said->u.s.p;
	len = said->u.s.len;
	utf8_strip(&text, &len);
	find_fact(c, text, len)->refused = true;
}

/* Add V, found at KEY: a text, or an object with the text in "value". */
static void add_value(struct file_reader *f, const char *key,
		      const struct value *v)
{
	struct arena *a = &f->to->arena;
	const struct value *said =
		v->kind == VALUE_MAP ? value_get(v, "value") : v;
	const char *created = value_text(v, "timestamp"), *wrong = NULL;
	struct value keys = {.kind = VALUE_MAP};
	const size_t n = v->kind == VALUE_MAP ? v->u.map.n : 0;
	struct buf text = {0};
	struct instant t;

	keys.u.map.pairs = arena_alloc(a, (n + 1) * sizeof(*keys.u.map.pairs));
	if (!created || !instant_parse_day(created, strlen(created), &t))
		created = f->created;
	if (!said || said->kind == VALUE_LIST || said->kind == VALUE_MAP)
		wrong = "expected a text, or an object with it as 'value'";
	for (size_t i = 0; i < n && !wrong; i++) {
		const struct value_pair *pair = &v->u.map.pairs[i];

		if (is_known(&pair->key))
			wrong = set_mark(f, &keys, &pair->key, &pair->val,
					 created);
		else
			report_fault(f, key,
				     arena_printf(a, "the key '%s' is left out",
						  pair->key.u.s.p));
	}
	if (wrong) {
		report_fault(f, key, wrong);
		refuse_text(f->to, said);
		return;
	}
	if (said->kind == VALUE_STR)
		buf_add(&text, said->u.s.p, said->u.s.len);
	else if (said->kind != VALUE_NULL)
		json_write_value(&text, said, NULL);
	add_fact(f, key, buf_str(&text), text.len, created, keys);
	buf_release(&text);
}

/* Return true if V at KEY is a text with metadata, not a map of texts. */
static bool is_fact(const char *key, const struct value *v)
{
	const struct value *said = value_get(v, "value");

	return said && said->kind == VALUE_STR && v->u.map.n > 1 &&
	       strcmp(key, "preferences") != 0;
}

/* Add all texts in V. KEY is the path to V, joined by dots; items of a list
 * have the path of the list. */
static void add_leaves(struct file_reader *f, const char *key,
		       const struct value *v)
{
	const bool map = v->kind == VALUE_MAP && (!key || !is_fact(key, v));

	for (size_t i = 0; v->kind == VALUE_LIST && i < v->u.list.n; i++)
		add_leaves(f, key, &v->u.list.items[i]);
	for (size_t i = 0; map && i < v->u.map.n; i++) {
		const struct value_pair *pair = &v->u.map.pairs[i];
		const char *name = pair->key.u.s.p;

		if (key)
			name = arena_printf(&f->to->arena, "%s.%s", key, name);
		add_leaves(f, name, &pair->val);
	}
	if (!map && v->kind != VALUE_LIST)
		add_value(f, key, v);
}

/* Return the state for reading a file of S whose memories get SOURCE. */
static struct file_reader start_file(struct context_read *c,
				     const struct note_sink *s,
				     const char *source)
{
	return (struct file_reader){
		.to = c,
		.sink = s,
		.source = source,
		.created = arena_strdup(&c->arena, s->created)};
}

bool context_read_is(const struct value *v)
{
	const char *version = value_text(v, "version");

	return version &&
	       (!strcmp(version, CONTEXT_VERSION) || value_get(v, "user") ||
		value_get(v, "project") || value_get(v, "learned_facts"));
}

/* Return the time V has under KEY, allocated in A, or NULL. */
static const char *time_of(const struct value *v, const char *key,
			   struct arena *a)
{
	const char *text = value_text(v, key);
	struct instant t;

	return text && instant_parse_day(text, strlen(text), &t)
		       ? arena_strdup(a, text)
		       : NULL;
}

int context_read_add(struct context_read *c, const struct note_sink *s,
		     const struct value *v, struct err *e)
{
	struct file_reader f = start_file(c, s, CONTEXT_FILE);
	const char *version = value_text(v, "version");
	const char *created = time_of(v, "created", &c->arena);
	const struct value *memories = value_get(v, "memories");

	if (strcmp(version, CONTEXT_VERSION) != 0)
		return err_set(e, ERR_DATA,
			       "'%s': unsupported version '%s' of " CONTEXT_FILE
			       ": expected " CONTEXT_VERSION,
			       s->path, version);
	f.updated = time_of(v, "updated", &c->arena);
	if (created || f.updated)
		f.created = created ? created : f.updated;
	for (size_t i = 0; i < v->u.map.n; i++) {
		const struct value_pair *pair = &v->u.map.pairs[i];
		unsigned section = 0;

		while (section < CONTEXT_SECTIONS &&
		       !value_is(&pair->key, context_sections[section].name))
			section++;
		f.section = section;
		if (section < CONTEXT_SECTIONS && pair->val.kind == VALUE_MAP)
			add_leaves(&f, NULL, &pair->val);
		else if (section < CONTEXT_SECTIONS &&
			 pair->val.kind != VALUE_NULL)
			report_fault(&f, pair->key.u.s.p, "expected an object");
		else if (section == CONTEXT_SECTIONS &&
			 !value_is_word(&pair->key, "version|created|updated|"
						    "memories"))
			report_fault(&f, pair->key.u.s.p,
				     "expected user, project or learned_facts");
	}
	for (unsigned i = 0; memories && i < CONTEXT_SECTIONS; i++) {
		const struct value *file =
			value_get(memories, context_sections[i].stem);

		if (file)
			context_read_add_memories(c, s, i, file);
	}
	report_more_faults(&f);
	return 0;
}

unsigned context_read_section(const char *name)
{
	unsigned i = 0;

	while (i < CONTEXT_SECTIONS &&
	       strcmp(name, context_sections[i].file) != 0)
		i++;
	return i;
}

void context_read_add_memories(struct context_read *c,
			       const struct note_sink *s, unsigned section,
			       const struct value *v)
{
	struct file_reader f = start_file(c, s, context_sections[section].file);

	f.section = section;
	f.file = true;
	if (v->kind != VALUE_MAP)
		note_fault(s, "expected an object, a memory under each key");
	for (size_t i = 0; v->kind == VALUE_MAP && i < v->u.map.n; i++)
		add_value(&f, v->u.map.pairs[i].key.u.s.p,
			  &v->u.map.pairs[i].val);
	report_more_faults(&f);
}

/* Return true if P, a place of FACT in context.json, is a copy from a file of
 * memories. */
static bool is_copy(const struct context_read *c,
		    const struct context_fact *fact,
		    const struct context_place *p)
{
	const struct context_section *s = &context_sections[p->class / 2];
	const struct context_field *field = &s->fields[s->copies];
	const size_t len = strlen(field->name);
	const unsigned file = p->class - 1;

	if (p->class % 2 == 0 || !fact->first[file] ||
	    strncmp(p->key, field->name, len) != 0)
		return false;
	return field->kind == CONTEXT_LIST
		       ? !p->key[len]
		       : p->key[len] == '.' &&
				 has_place(c, fact, file, p->key + len + 1);
}

/* Add KEY to the list of CATEGORY, if that is the last one in MAP, or to a new
 * list. MOST: the largest length of the list. */
static void add_key(struct value *map, const char *category, const char *key,
		    size_t most, struct arena *a)
{
	struct value_pair *last = map->u.map.pairs + map->u.map.n;
	struct value list = {.kind = VALUE_LIST};

	if (!map->u.map.n || !value_is(&last[-1].key, category)) {
		value_put(map, category, value_str(key));
		return;
	}
	last--;
	if (last->val.kind == VALUE_STR) {
		list.u.list.items = arena_alloc(a, most * sizeof(struct value));
		list.u.list.items[list.u.list.n++] = last->val;
		last->val = list;
	}
	last->val.u.list.items[last->val.u.list.n++] = value_str(key);
}

/* Return the `key` of the memory of FACT, and add its category tags to TAGS. */
static struct value compose_key(const struct context_read *c,
				const struct context_fact *fact,
				struct strings *tags, struct arena *a)
{
	struct value map = {.kind = VALUE_MAP}, one = {.kind = VALUE_NULL};
	bool same = true;

	map.u.map.pairs =
		arena_alloc(a, CONTEXT_SECTIONS * sizeof(*map.u.map.pairs));
	for (unsigned i = 0; i < CLASSES; i++) {
		const char *category = context_sections[i / 2].category;

		for (const struct context_place *p = fact->first[i]; p;
		     p = p->next) {
			if (is_copy(c, fact, p))
				continue;
			if (one.kind == VALUE_NULL)
				one = value_str(p->key);
			same = same && value_is(&one, p->key);
			add_key(&map, category, p->key, fact->nplaces, a);
		}
	}
	for (size_t i = 0; i < map.u.map.n; i++)
		strings_add(tags, arena_printf(a, CONTEXT_TAG "%s",
					       map.u.map.pairs[i].key.u.s.p));
	return same ? one : map;
}

/* Send the memory of FACT to SINK. */
static int send_fact(struct context_read *c, const struct note_sink *sink,
		     struct context_fact *fact, struct err *e)
{
	struct arena *a = &c->arena;
	const size_t most = fact->keys.u.map.n + 2;
	struct value keys = {.kind = VALUE_MAP};
	struct note n = {.content = fact->text,
			 .len = fact->len,
			 .created = fact->created,
			 .source = fact->source,
			 .keys = &keys};
	int r;

	keys.u.map.pairs = arena_alloc(a, most * sizeof(*keys.u.map.pairs));
	value_put(&keys, "key", compose_key(c, fact, &n.tags, a));
	if (fact->updated)
		value_put(&keys, "updated", value_str(fact->updated));
	for (size_t i = 0; i < fact->keys.u.map.n; i++)
		keys.u.map.pairs[keys.u.map.n++] = fact->keys.u.map.pairs[i];
	r = note_send(sink, &n, e);
	free(n.tags.items);
	return r;
}

static int by_precedence(const void *a, const void *b)
{
	const struct context_fact *x = a, *y = b;

	if (x->class / 2 != y->class / 2)
		return x->class < y->class ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

int context_read_send(struct context_read *c, const struct note_sink *s,
		      struct err *e)
{
	int r = 0;

	MEM_SORT(c->facts, c->n, by_precedence);
	for (size_t i = 0; i < c->n && !r; i++) {
		if (!c->facts[i].refused)
			r = send_fact(c, s, &c->facts[i], e);
	}
	return r;
}

void context_read_release(struct context_read *c)
{
	table_release(&c->by_text);
	table_release(&c->by_key);
	free(c->facts);
	free(c->places);
	arena_release(&c->arena);
}
