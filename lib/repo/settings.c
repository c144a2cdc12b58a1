/* settings.c: one table of keys. Each value is stored as text, in the form of the
 * table's presets, so presets, values of both files and the output of `co status` are
 * treated alike. The few numbers are parsed again by settings_int().
 */
#include "repo/settings.h"

#include "base/strings.h"
#include "base/utf8.h"
#include "format/json-read.h"
#include "format/jsonc.h"
#include "repo/format-number.h"
#include "repo/project-id.h"
#include "repo/root.h"
#include "sys/file.h"

#include <inttypes.h>

#define SETTINGS_MAX (64 * 1024)
#define TEXT_MAX 2048 /* bytes of one value */

const struct settings_key settings_keys[] = {
	{"context.digest", SETTINGS_WORD, false, "off|on", "off"},
	{"embed.command", SETTINGS_WORDS, false, NULL, ""},
	{"embed.dimension", SETTINGS_INT, false, NULL, ""},
	{"embed.document_prefix", SETTINGS_STR, false, NULL, ""},
	{"embed.key_env", SETTINGS_STR, false, NULL, ""},
	{"embed.model", SETTINGS_STR, false, NULL, ""},
	{"embed.provider", SETTINGS_WORD, false,
	 "sentences|static|http|command|none", "sentences"},
	{"embed.query_prefix", SETTINGS_STR, false, NULL, ""},
	{"embed.timeout_ms", SETTINGS_INT, false, NULL, "10000"},
	{"embed.url", SETTINGS_STR, false, NULL, "http://127.0.0.1:11434"},
	{"extract.application/epub+zip", SETTINGS_WORDS, false, NULL, ""},
	{"extract.application/pdf", SETTINGS_WORDS, false, NULL, ""},
	{"extract.application/vnd.oasis.opendocument.text", SETTINGS_WORDS,
	 false, NULL, ""},
	{"extract.application/"
	 "vnd.openxmlformats-officedocument.wordprocessingml.document",
	 SETTINGS_WORDS, false, NULL, ""},
	{"extract.image/gif", SETTINGS_WORDS, false, NULL, ""},
	{"extract.image/jpeg", SETTINGS_WORDS, false, NULL, ""},
	{"extract.image/png", SETTINGS_WORDS, false, NULL, ""},
	{"extract.image/tiff", SETTINGS_WORDS, false, NULL, ""},
	{"extract.image/webp", SETTINGS_WORDS, false, NULL, ""},
	{"fetch.proxy", SETTINGS_STR, false, NULL, ""},
	{"harvest.auto", SETTINGS_WORD, false, "off|on", "off"},
	{"harvest.project_prompt", SETTINGS_WORD, false, "off|on", "off"},
	{"hook.action_bytes", SETTINGS_INT, false, NULL, "1200"},
	{"hook.ask_at_end", SETTINGS_WORD, false, "off|on", "off"},
	{"hook.recall", SETTINGS_WORD, false, "off|action|prompt|both", "off"},
	{"hook.timeout_ms", SETTINGS_INT, false, NULL, "200"},
	{"llm.api", SETTINGS_WORD, false, "openai|anthropic", "openai"},
	{"llm.command", SETTINGS_WORDS, false, NULL, ""},
	{"llm.key_env", SETTINGS_STR, false, NULL, ""},
	{"llm.key_file", SETTINGS_PATH, false, NULL, ""},
	{"llm.model", SETTINGS_STR, false, NULL, ""},
	{"llm.price_in", SETTINGS_AMOUNT, false, NULL, ""},
	{"llm.provider", SETTINGS_WORD, false, "none|command|http", "none"},
	{"llm.timeout_ms", SETTINGS_INT, false, NULL, "120000"},
	{"llm.url", SETTINGS_STR, false, NULL, "http://127.0.0.1:11434"},
	{"mcp.all_projects", SETTINGS_WORD, false, "off|on", "off"},
	{"project.id", SETTINGS_ID, true, NULL, ""},
	{"project.share", SETTINGS_BOOL, true, NULL, "true"},
	{"recall.max_results", SETTINGS_INT, true, "1000", "5"},
	{"remote.command", SETTINGS_WORDS, false, NULL, ""},
	{"remote.projects", SETTINGS_WORDS, false, NULL, ""},
	{"remote.recall", SETTINGS_WORD, false, "off|on", "off"},
	{"remote.timeout_ms", SETTINGS_INT, false, "60000", "500"},
	{"remote.url", SETTINGS_URL, false, NULL, ""},
	{"safe.directory", SETTINGS_WORDS, false, NULL, ""},
	{"safe.stores", SETTINGS_WORDS, false, NULL, ""},
	{"save.approval", SETTINGS_WORD, false, "ask|client", "ask"},
	{"stores", SETTINGS_STORES, true, NULL, ""},
	{"synonyms", SETTINGS_WORDS, false, NULL, ""},
	{FORMAT_TEAM, SETTINGS_BOOL, true, NULL, "false"},
	{NULL, SETTINGS_INT, false, NULL, NULL}};

#define NKEYS (ARRAY_LEN(settings_keys) - 1)

struct settings {
	const char *text[NKEYS];
	const char *origin[NKEYS];
};

/* The state of reading one file. */
struct settings_reading {
	struct settings *into;
	const char *path;
	const char *origin;
	bool project;
	struct arena *arena;
	const struct report *report;
};

/* Values of older releases, and their present names. */
static const struct {
	const char *key, *was, *is;
} renamed[] = {
	{"hook.recall", "on", "prompt"},
};

/* Replace V, a value of K, by its present name if it was renamed. */
static void rename_value(const struct settings_key *k, struct value *v)
{
	for (size_t i = 0; i < ARRAY_LEN(renamed); i++) {
		if (!strcmp(renamed[i].key, k->name) &&
		    value_is(v, renamed[i].was))
			*v = value_str(renamed[i].is);
	}
}

static size_t find_key(const char *name)
{
	size_t i = 0;

	while (i < NKEYS && strcmp(settings_keys[i].name, name))
		i++;
	return i;
}

static void complain(const struct settings_reading *rd, const char *name,
		     const char *what)
{
	err_warn(rd->report, ERR_DATA, "'%s': setting '%s' %s", rd->path, name,
		 what);
}

/* Return true if V is one line of text, and not too long. */
static bool is_line(const struct value *v)
{
	size_t size;

	if (v->kind != VALUE_STR || v->u.s.len > TEXT_MAX)
		return false;
	for (size_t i = 0; i < v->u.s.len; i += size) {
		uint32_t c = utf8_decode(v->u.s.p + i, v->u.s.len - i, &size);

		if (c < 0x20 || (c >= 0x7F && c < 0xA0) || c == UTF8_BAD)
			return false;
	}
	return true;
}

bool settings_has_password(const char *p)
{
	const char *host = strstr(p, "://"), *word = p;
	const size_t login = host ? strcspn(host + 3, "@/?#") : 0;

	if (host && host[3 + login] == '@' && memchr(host + 3, ':', login))
		return true;
	while ((word = strstr(word, "password"))) {
		word += strlen("password");
		if (word[strspn(word, " ")] == '=')
			return true;
	}
	return false;
}

/* Return a command as a list in JSON, allocated in A; NULL if V is not a command. */
static const char *as_words(const struct value *v, struct arena *a)
{
	struct buf text = {0};
	const bool split = v->kind == VALUE_STR && is_line(v);
	const char *list;

	if (!split && v->kind != VALUE_LIST)
		return NULL;
	json_write_open(&text, NULL, '[');
	if (split) {
		for (const char *w = v->u.s.p + strspn(v->u.s.p, " "); *w;
		     w += strspn(w, " ")) {
			json_write_bytes(&text, NULL, w, strcspn(w, " "));
			w += strcspn(w, " ");
		}
	} else {
		for (size_t i = 0; i < v->u.list.n; i++) {
			const struct value *item = &v->u.list.items[i];

			if (!is_line(item)) {
				buf_release(&text);
				return NULL;
			}
			json_write_bytes(&text, NULL, item->u.s.p,
					 item->u.s.len);
		}
	}
	json_write_close(&text, ']');
	list = arena_copy(a, text.p, text.len);
	buf_release(&text);
	return list;
}

bool settings_is_store_name(const char *p, size_t len)
{
	static const char set[] = "abcdefghijklmnopqrstuvwxyz0123456789-";

	return len && len <= SETTINGS_STORE_NAME && *p >= 'a' && *p <= 'z' &&
	       strspn(p, set) >= len;
}

/* Set STORE to V, and return true if V is {"name", "path"}. */
static bool read_store(const struct value *v, struct settings_store *store)
{
	const struct value *name = value_get(v, "name"),
			   *path = value_get(v, "path");

	if (!name || !path || !is_line(name) || !is_line(path) ||
	    !settings_is_store_name(name->u.s.p, name->u.s.len) ||
	    !file_is_plain(path->u.s.p))
		return false;
	*store = (struct settings_store){name->u.s.p, path->u.s.p};
	return true;
}

/* Return the list of stores V as JSON in A; NULL if it is none, or if two have one
 * name or one path. */
static const char *as_stores(const struct value *v, struct arena *a)
{
	struct settings_store all[SETTINGS_STORES_MAX];
	struct buf text = {0};
	const char *list;

	if (v->kind != VALUE_LIST || v->u.list.n > ARRAY_LEN(all))
		return NULL;
	for (size_t i = 0; i < v->u.list.n; i++) {
		if (!read_store(&v->u.list.items[i], &all[i]))
			return NULL;
		for (size_t k = 0; k < i; k++) {
			if (!strcmp(all[k].name, all[i].name) ||
			    !strcmp(all[k].path, all[i].path))
				return NULL;
		}
	}
	json_write_open(&text, NULL, '[');
	for (size_t i = 0; i < v->u.list.n; i++) {
		json_write_open(&text, NULL, '{');
		json_write_text(&text, "name", all[i].name);
		json_write_text(&text, "path", all[i].path);
		json_write_close(&text, '}');
	}
	json_write_close(&text, ']');
	list = arena_copy(a, text.p, text.len);
	buf_release(&text);
	return list;
}

static const char *as_amount(const struct value *v, struct arena *a)
{
	/* jsonc.h stores a number that is not an integer as its text. */
	const double f = v->kind == VALUE_INT	   ? (double)v->u.i
			 : v->kind == VALUE_BIGINT ? strtod(v->u.s.p, NULL)
						   : -1;

	return f >= 0 && f <= 999999 ? arena_printf(a, "%.15g", f) : NULL;
}

/* Return true if V is one line of text that K can have. */
static bool is_text_of(const struct settings_key *k, const struct value *v)
{
	if (k->words)
		return value_is_word(v, k->words);
	return is_line(v) &&
	       (k->kind != SETTINGS_PATH || !v->u.s.len || *v->u.s.p == '/') &&
	       (k->kind != SETTINGS_URL || !settings_has_password(v->u.s.p)) &&
	       (k->kind != SETTINGS_ID || project_id_is(v->u.s.p));
}

/* Return the largest number that K can have. */
static int64_t most_of(const struct settings_key *k)
{
	return k->words ? strtoll(k->words, NULL, 10) : 999999;
}

/* Return V as text, allocated in A; NULL if K cannot have that value. */
static const char *as_text(const struct settings_key *k, const struct value *v,
			   struct arena *a)
{
	if (k->kind == SETTINGS_WORDS)
		return as_words(v, a);
	if (k->kind == SETTINGS_STORES)
		return as_stores(v, a);
	if (k->kind == SETTINGS_AMOUNT)
		return as_amount(v, a);
	if (k->kind == SETTINGS_BOOL)
		return v->kind != VALUE_BOOL ? NULL : v->u.b ? "true" : "false";
	if (k->kind != SETTINGS_INT)
		return is_text_of(k, v) ? arena_copy(a, v->u.s.p, v->u.s.len)
					: NULL;
	return v->kind == VALUE_INT && v->u.i >= 1 && v->u.i <= most_of(k)
		       ? arena_printf(a, "%" PRId64, v->u.i)
		       : NULL;
}

static const char *describe_kind(const struct settings_key *k, struct arena *a)
{
	switch (k->kind) {
	case SETTINGS_WORD:
		return arena_printf(a, "must be one of %s", k->words);
	case SETTINGS_STR:
		return "must be one line of text";
	case SETTINGS_PATH:
		return "must be an absolute path";
	case SETTINGS_URL:
		return "must be one line of text without a password: "
		       "~/.pgpass can hold that";
	case SETTINGS_ID:
		return "must be 20 characters of a to z and 2 to 7";
	case SETTINGS_WORDS:
		return "must be a list of strings";
	case SETTINGS_STORES:
		return arena_printf(
			a,
			"must be a list of at most %d objects, each "
			"with a name of a to z, 0 to 9 and -, and "
			"a path below the project, both its own",
			SETTINGS_STORES_MAX);
	case SETTINGS_BOOL:
		return "must be true or false";
	case SETTINGS_AMOUNT:
		return "must be a number from 0 to 999999";
	default:
		return arena_printf(a,
				    "must be a whole number from 1 to %" PRId64,
				    most_of(k));
	}
}

/* Return true if K counts in a project's settings only. */
static bool is_of_project(const struct settings_key *k)
{
	return k->kind == SETTINGS_BOOL || k->kind == SETTINGS_STORES;
}

static void read_value(const struct settings_reading *rd, size_t i,
		       const struct value *v)
{
	const struct settings_key *k = &settings_keys[i];
	struct value now = *v;
	const char *text;

	rename_value(k, &now);
	text = as_text(k, &now, rd->arena);
	if (rd->project && !k->inert)
		complain(rd, k->name, "counts in the user's settings only");
	else if (!rd->project && is_of_project(k))
		complain(rd, k->name, "counts in a project's settings only");
	else if (!text)
		complain(rd, k->name, describe_kind(k, rd->arena));
	else {
		rd->into->text[i] = text;
		rd->into->origin[i] = rd->origin;
	}
}

/* Report that with the format V some of the contents may be invisible. */
static void check_format(const struct settings_reading *rd,
			 const struct value *v)
{
	int64_t format;

	if (!format_of(v, &format))
		complain(rd, FORMAT_KEY, "must be a whole number");
	else if (format > FORMAT_OURS)
		complain(rd, FORMAT_KEY,
			 arena_printf(rd->arena,
				      "is %" PRId64 ": this co knows %d, reads "
				      "what it can and changes nothing",
				      format, FORMAT_OURS));
}

/* Read the keys of MAP. NAME has the name of MAP, followed by a dot. */
static void read_map(const struct settings_reading *rd, struct buf *name,
		     const struct value *map)
{
	size_t outer = name->len;

	for (size_t i = 0; i < map->u.map.n; i++) {
		const struct value_pair *p = &map->u.map.pairs[i];
		size_t key;

		buf_add(name, p->key.u.s.p, p->key.u.s.len);
		key = find_key(buf_str(name));
		if (key < NKEYS)
			read_value(rd, key, &p->val);
		else if (!strcmp(buf_str(name), FORMAT_KEY))
			check_format(rd, &p->val);
		else if (p->val.kind != VALUE_MAP)
			complain(rd, buf_str(name), "is unknown");
		else {
			buf_addc(name, '.');
			read_map(rd, name, &p->val);
		}
		buf_cut(name, outer);
	}
}

static int read_file(const struct settings_reading *rd, int dir,
		     struct value *v, struct err *e)
{
	struct buf text = {0};
	struct err why;
	int r = (rd->project ? file_read : file_read_followed)(
		dir, "settings.json", rd->path, SETTINGS_MAX, &text, e);

	if (r == 1 && jsonc_parse(text.p, text.len, rd->arena, v, &why) < 0)
		r = err_set(e, ERR_DATA, "'%s':%s", rd->path, why.text);
	else if (r == 1 && v->kind != VALUE_MAP)
		r = err_set(e, ERR_DATA, "'%s': not a JSON object", rd->path);
	buf_release(&text);
	return r;
}

static void read_settings(const struct settings_reading *rd, int dir)
{
	struct buf name = {0};
	struct value v;
	struct err e;
	int r = dir < 0 ? 0 : read_file(rd, dir, &v, &e);

	if (r < 0)
		err_report(rd->report, &e);
	if (r > 0)
		read_map(rd, &name, &v);
	buf_release(&name);
}

static void set_defaults(struct settings *s)
{
	for (size_t i = 0; i < NKEYS; i++) {
		s->text[i] = settings_keys[i].preset;
		s->origin[i] = "default";
	}
}

const struct settings *settings_load(int user_dir, const char *user_path,
				     int project_dir, const char *project_path,
				     struct arena *a, const struct report *r)
{
	struct settings *s = arena_alloc(a, sizeof(*s));
	const struct settings_reading user = {
		s,	arena_printf(a, "%s/settings.json", user_path),
		"user", false,
		a,	r};
	const struct settings_reading project = {
		s,	   arena_printf(a, "%s/settings.json", project_path),
		"project", true,
		a,	   r};

	set_defaults(s);
	read_settings(&user, user_dir);
	read_settings(&project, project_dir);
	return s;
}

const struct settings *settings_of_text(const struct buf *text, bool project,
					struct arena *a)
{
	struct settings *s = arena_alloc(a, sizeof(*s));
	const struct settings_reading rd = {
		s, "", project ? "project" : "user", project, a, NULL};
	struct buf name = {0};
	struct value v;

	set_defaults(s);
	if (jsonc_parse(buf_str(text), text->len, a, &v, NULL) == 0 &&
	    v.kind == VALUE_MAP)
		read_map(&rd, &name, &v);
	buf_release(&name);
	return s;
}

int settings_user(const struct settings **s, struct arena *a,
		  const struct report *r, struct err *e)
{
	struct root user;

	if (root_find(&user, SCOPE_GLOBAL, e) < 0) {
		*s = settings_load(-1, "", -1, "", a, r);
		return -1;
	}
	*s = settings_load(user.fd, user.path, -1, "", a, r);
	root_release(&user);
	return 0;
}

int64_t settings_int(const struct settings *s, const char *key)
{
	return strtoll(settings_str(s, key), NULL, 10);
}

const char *settings_str(const struct settings *s, const char *key)
{
	size_t i = find_key(key);

	return i < NKEYS ? s->text[i] : "";
}

const char *const *settings_words(const struct settings *s, const char *key,
				  struct arena *a)
{
	const char *text = settings_str(s, key);
	const char **words;
	struct value v;
	struct err e;
	size_t n = 0;

	if (json_parse(text, strlen(text), a, &v, &e) == 0 &&
	    v.kind == VALUE_LIST)
		n = v.u.list.n;
	words = arena_alloc(a, (n + 1) * sizeof(*words));
	for (size_t i = 0; i < n; i++)
		words[i] = v.u.list.items[i].u.s.p;
	return words;
}

const struct settings_store *settings_stores(const struct settings *s,
					     struct arena *a, size_t *n)
{
	const char *text = settings_str(s, "stores");
	struct settings_store *all =
		arena_alloc(a, SETTINGS_STORES_MAX * sizeof(*all));
	const struct value *item;
	struct value v;

	*n = 0;
	if (json_parse(text, strlen(text), a, &v, NULL) < 0)
		return all;
	for (size_t i = 0; (item = value_item(&v, i)); i++)
		*n += read_store(item, &all[*n]);
	return all;
}

const char *settings_origin(const struct settings *s, const char *key)
{
	size_t i = find_key(key);

	return i < NKEYS ? s->origin[i] : "";
}

/* Return TEXT as a value of K, allocated in A: a list, a number or a boolean if K is of
 * such a kind and TEXT parses as JSON; else a string. */
static struct value value_of_text(const struct settings_key *k,
				  const char *text, struct arena *a)
{
	struct value v;

	if ((k->kind == SETTINGS_INT || k->kind == SETTINGS_BOOL ||
	     k->kind == SETTINGS_AMOUNT || k->kind == SETTINGS_STORES ||
	     (k->kind == SETTINGS_WORDS && *text == '[')) &&
	    jsonc_parse(text, strlen(text), a, &v, NULL) == 0)
		return v;
	return value_str(arena_strdup(a, text));
}

/* Return strings_near() of KEY or of its end after a dot, the least one. */
static size_t key_distance(const char *key, const char *name)
{
	size_t d = strings_near(key, name);

	while ((key = strchr(key, '.'))) {
		const size_t part = strings_near(++key, name);

		if (part < d)
			d = part;
	}
	return d;
}

/* Return the keys that are most similar to NAME, quoted and separated by commas, in A;
 * NULL if there are none. */
static const char *list_similar_keys(const char *name, struct arena *a)
{
	const char *all = NULL;

	for (size_t d = 0; d <= STRINGS_NEAR_MOST && !all; d++) {
		for (size_t i = 0; i < NKEYS; i++) {
			const char *key = settings_keys[i].name;

			if (key_distance(key, name) == d)
				all = arena_printf(a, "%s%s'%s'",
						   all ? all : "",
						   all ? ", " : "", key);
		}
	}
	return all;
}

int settings_parse(const char *key, const char *text, bool project,
		   struct arena *a, struct value *v, struct err *e)
{
	const size_t i = find_key(key);
	const char *near =
		i < NKEYS || !*key ? NULL : list_similar_keys(key, a);

	if (near)
		return err_set(e, ERR_USAGE,
			       "no setting '%s': did you mean %s?", key, near);
	if (i == NKEYS)
		return err_set(e, ERR_USAGE,
			       "no setting '%s': 'co config --list' lists them",
			       key);
	if (project && !settings_keys[i].inert)
		return err_set(e, ERR_USAGE,
			       "setting '%s' counts in the user's settings "
			       "only: add --global",
			       key);
	if (text && !project && is_of_project(&settings_keys[i]))
		return err_set(e, ERR_USAGE,
			       "setting '%s' counts in a project's settings "
			       "only: leave --global out",
			       key);
	*v = value_of_text(&settings_keys[i], text ? text : "", a);
	rename_value(&settings_keys[i], v);
	if (text && !as_text(&settings_keys[i], v, a)) {
		if (settings_keys[i].kind == SETTINGS_URL)
			return err_set(e, ERR_USAGE, "setting '%s' %s", key,
				       describe_kind(&settings_keys[i], a));
		return err_set(e, ERR_USAGE, "setting '%s' %s, not '%s'", key,
			       describe_kind(&settings_keys[i], a), text);
	}
	return 0;
}

int settings_edit(struct buf *text, const char *key, const struct value *v,
		  struct err *e)
{
	struct arena a = {0};
	const char *dot = strchr(key, '.');
	const struct jsonc_step whole[] = {JSONC_KEY(key), JSONC_END};
	const struct jsonc_step split[] = {
		JSONC_KEY(dot ? arena_copy(&a, key, (size_t)(dot - key)) : key),
		dot ? JSONC_KEY(dot + 1) : JSONC_END, JSONC_END};
	struct buf was = {0};
	struct value root = {.kind = VALUE_MAP};
	size_t bom;
	int r = 0;

	buf_add(&was, buf_str(text), text->len);
	if (!jsonc_is_blank(was.p, was.len, &bom))
		r = jsonc_parse(was.p, was.len, &a, &root, e);
	/* If both forms are there, remove one: the last in the file would count. */
	if (!r && dot && jsonc_at(&root, whole) &&
	    (!v || jsonc_at(&root, split)))
		r = jsonc_drop(text, whole, e);
	if (!r && !v)
		r = jsonc_drop(text, split, e);
	else if (!r)
		r = jsonc_put(text,
			      jsonc_at(&root, whole) && !jsonc_at(&root, split)
				      ? whole
				      : split,
			      v, e);
	if (!r)
		r = !buf_equal(&was, text);
	buf_release(&was);
	arena_release(&a);
	return r;
}
