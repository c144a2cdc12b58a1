/* browse.c: one JSON object inside the frame of browse.html.
 *
 * Each text is written as it is read, and its position is recorded. When the
 * texts exceed ROOM, the longest are cut in place. So memory use does not
 * depend on the size of the store, and the cut length only decreases.
 */
#include "overview/browse.h"

#include "agent/context.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "repo/marks.h"
#include "text/sanitize.h"

#include <browse-page.h> /* made by the Makefile from browse.html, .css and
			  * .js */

#define ROOM ((size_t)4 * BROWSE_MAX) /* bytes of texts before a cut */

struct text {
	size_t at, len; /* position in `json`, between the quotes */
};

struct page {
	struct store *store;
	const struct browse *wanted;
	enum area area;
	struct buf json; /* the frame's beginning, then the data */
	size_t start;	 /* start of the data */
	struct text *texts;
	size_t n, cap;
	size_t most;	       /* current maximum length of a text */
	struct buf safe, line; /* scratch buffers of add_bytes() */
	struct arena arena;
};

/* Return the length of the longest prefix of P, the inside of a JSON string of
 * LEN bytes, that has at most MAX bytes and no partial character or escape. */
static size_t cut_json(const char *p, size_t len, size_t max)
{
	size_t i = 0, size;

	if (len <= max)
		return len;
	for (;;) {
		if (p[i] == '\\')
			size = p[i + 1] == 'u' ? 6 : 2;
		else
			utf8_decode(p + i, len - i, &size);
		if (i + size > max)
			return i;
		i += size;
	}
}

/* Return the length to which the texts of PG must be cut to have at most ROOM
 * bytes together, or BROWSE_LEAST if that is impossible. */
static size_t find_cut_length(const struct page *pg, size_t room)
{
	size_t low = BROWSE_LEAST, high = pg->most + 1, sum;

	while (low + 1 < high) {
		const size_t middle = low + (high - low) / 2;

		sum = 0;
		for (size_t i = 0; i < pg->n; i++)
			sum += pg->texts[i].len < middle ? pg->texts[i].len
							 : middle;
		if (sum <= room)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Cut texts until the data has at most MAX bytes, if possible. */
static void cut_texts(struct page *pg, size_t max)
{
	char *p = pg->json.p;
	const size_t len = pg->json.len - pg->start;
	size_t sum = 0, from = 0, to = 0;

	if (len <= max)
		return;
	for (size_t i = 0; i < pg->n; i++)
		sum += pg->texts[i].len;
	sum = len - sum;
	pg->most = find_cut_length(pg, max > sum ? max - sum : 0);
	for (size_t i = 0; i < pg->n; i++) {
		struct text *t = &pg->texts[i];
		const size_t kept = cut_json(p + t->at, t->len, pg->most),
			     before = t->at + kept - from;

		memmove(p + to, p + from, before);
		from = t->at + t->len;
		to += before;
		*t = (struct text){to - kept, kept};
	}
	memmove(p + to, p + from, pg->json.len - from);
	buf_cut(&pg->json, to + pg->json.len - from);
}

/* Set pg->safe to the LEN bytes of P, with hidden characters made visible. */
static void set_safe(struct page *pg, const char *p, size_t len)
{
	buf_cut(&pg->safe, 0);
	sanitize_terminal(&pg->safe, p, len, true);
}

/* Append the LEN bytes of JSON at P, with `<` escaped: it could end the script
 * element or begin a comment. In JSON it occurs only inside strings. */
static void add_json(struct page *pg, const char *p, size_t len)
{
	const char *end = p + len;

	while (p < end) {
		const char *angle = memchr(p, '<', (size_t)(end - p));
		const size_t n = (size_t)((angle ? angle : end) - p);

		buf_add(&pg->json, p, n);
		if (angle)
			buf_adds(&pg->json, "\\u003c");
		p += n + !!angle;
	}
}

/* Append a text from a file as the field KEY, or as an array element if KEY is
 * NULL. */
static void add_bytes(struct page *pg, const char *key, const char *p,
		      size_t len)
{
	set_safe(pg, p, len);
	buf_cut(&pg->line, 0);
	json_write_str(&pg->line, buf_str(&pg->safe), pg->safe.len);
	json_write_key(&pg->json, key);
	add_json(pg, pg->line.p, pg->line.len);
}

static void add_string(struct page *pg, const char *key, const char *s)
{
	if (s)
		add_bytes(pg, key, s, strlen(s));
}

/* Append the field "text", cut to pg->most, and the field "length" with its
 * full length. */
static void add_text(struct page *pg, const char *p, size_t len)
{
	static const char key[] = ",\"text\":\"";
	size_t at, kept;

	set_safe(pg, p, len);
	json_write_size(&pg->json, "length", pg->safe.len);
	at = pg->json.len + strlen(key);
	add_bytes(pg, "text", p, len);
	kept = cut_json(pg->json.p + at, pg->json.len - at - 1, pg->most);
	buf_cut(&pg->json, at + kept);
	buf_addc(&pg->json, '"');
	*MEM_ADD(pg->texts, pg->n, pg->cap) = (struct text){at, kept};
}

/* Return true if R is marked `sensitive: true`, or if its marks cannot be
 * read. */
static bool is_sensitive(struct page *pg, const struct record *r)
{
	struct value v;
	const int found =
		store_find_key(pg->store, r, "sensitive", &pg->arena, &v);

	return found < 0 || (found && value_is_true(&v));
}

static void add_tags(struct page *pg, const struct record *r)
{
	json_write_open(&pg->json, "tags", '[');
	for (size_t i = 0; i < r->ntags; i++)
		add_string(pg, NULL, r->tags[i]);
	json_write_close(&pg->json, ']');
}

/* Append the path of R relative to knowledge/, or its full path for a draft
 * stored elsewhere. Append nothing if HIDDEN: a file name contains the
 * beginning of the text. */
static void add_place(struct page *pg, const struct record *r, bool hidden)
{
	const char *knowledge = pg->store->repo.path;
	const size_t len = strlen(knowledge);

	if (hidden)
		return;
	if (!strncmp(r->path, knowledge, len) && r->path[len] == '/')
		add_string(pg, "file", r->path + len + 1);
	else
		add_string(pg, "path", r->path);
}

/* Return the area under which R is shown: a replaced memory is shown in the
 * archive even if its file is not there. */
static enum area area_of(const struct page *pg, const struct record *r)
{
	return pg->area == AREA_MEMORIES && marks_now(&r->keys) & MARK_REPLACED
		       ? AREA_ARCHIVE
		       : pg->area;
}

static int add_record(void *ctx, const struct record *r)
{
	struct page *pg = ctx;
	bool hidden;

	arena_reset(&pg->arena);
	hidden = !pg->wanted->sensitive && is_sensitive(pg, r);
	json_write_key(&pg->json, NULL);
	buf_addc(&pg->json, '\n');
	json_write_open(&pg->json, NULL, '{');
	json_write_text(&pg->json, "area", layout_name(area_of(pg, r)));
	json_write_text(&pg->json, "scope", record_scope_name(r->scope));
	if (r->id)
		json_write_int(&pg->json, "id", r->id);
	if (*r->created)
		json_write_int(&pg->json, "at", r->at.sec);
	add_place(pg, r, hidden);
	add_string(pg, "source", r->source);
	add_string(pg, "worktree", r->worktree);
	add_tags(pg, r);
	json_write_bool(&pg->json, "hidden", hidden);
	if (!hidden)
		add_string(pg, "title", r->title);
	if (!hidden && r->keys.json) {
		json_write_key(&pg->json, "keys");
		set_safe(pg, r->keys.json, strlen(r->keys.json));
		add_json(pg, buf_str(&pg->safe), pg->safe.len);
	}
	add_text(pg, r->content, hidden ? 0 : r->content_len);
	json_write_close(&pg->json, '}');
	/* Texts of the minimum length cannot be cut again. */
	if (pg->most > BROWSE_LEAST && pg->json.len - pg->start > ROOM)
		cut_texts(pg, ROOM / 2);
	return 0;
}

static int add_article(void *ctx, const struct layout_file *f, struct err *e)
{
	struct page *pg = ctx;
	struct arena a = {0};
	struct record r;
	struct err why;
	int found = store_read(pg->store, f->path, &a, &r, &why);

	(void)e;
	if (found < 0)
		err_report(pg->store->report, &why);
	else if (found > 0)
		add_record(pg, &r);
	arena_release(&a);
	return 0;
}

static int add_store(struct page *pg, struct err *e)
{
	const enum area areas[] = {AREA_MEMORIES, AREA_DRAFTS, AREA_ARCHIVE};
	struct err why;
	int r;

	for (size_t i = 0; i < ARRAY_LEN(areas); i++) {
		pg->area = areas[i];
		if (store_each(pg->store, pg->area, add_record, pg, e) < 0)
			return -1;
	}
	pg->area = AREA_ARTICLES;
	r = layout_walk(&pg->store->repo, AREA_ARTICLES, add_article, pg, &why);
	if (r >= 0 || why.code != ERR_DATA)
		return r < 0 ? err_take(e, &why) : r;
	err_report(pg->store->report, &why);
	return 0;
}

static void add_part(struct page *pg, const struct context_part *part)
{
	json_write_open(&pg->json, NULL, '{');
	json_write_text(&pg->json, "scope", record_scope_name(part->scope));
	json_write_text(&pg->json, "state", context_state_name(part->state));
	add_string(pg, "path", part->path);
	json_write_size(&pg->json, "size", part->size);
	json_write_size(&pg->json, "budget", part->budget);
	json_write_size(&pg->json, "rules", part->rules.n);
	add_string(pg, "trouble", part->trouble);
	json_write_close(&pg->json, '}');
}

static void add_context(struct page *pg, const struct report *r)
{
	struct context c;
	unsigned want = 0;

	for (size_t i = 0; i < pg->wanted->n; i++)
		want |= CONTEXT_WANT(pg->wanted->stores[i]->repo.root.scope);
	context_load(&c, want, r);
	json_write_open(&pg->json, "context", '{');
	json_write_size(&pg->json, "size", c.size);
	json_write_size(&pg->json, "target", CONTEXT_TARGET);
	json_write_size(&pg->json, "limit", CONTEXT_LIMIT);
	json_write_open(&pg->json, "parts", '[');
	for (size_t i = 0; i < ARRAY_LEN(c.parts); i++) {
		if (c.parts[i].state != CONTEXT_UNASKED)
			add_part(pg, &c.parts[i]);
	}
	json_write_close(&pg->json, ']');
	add_bytes(pg, "text", buf_str(&c.text), c.text.len);
	json_write_close(&pg->json, '}');
	context_release(&c);
}

static void add_head(struct page *pg, const struct report *r)
{
	char now[INSTANT_TEXT];

	buf_addc(&pg->json, '{'); /* no comma: the frame precedes it */
	json_write_text(&pg->json, "made", instant_format(instant_now(), now));
	json_write_open(&pg->json, "stores", '[');
	for (size_t i = 0; i < pg->wanted->n; i++) {
		struct store *s = pg->wanted->stores[i];

		json_write_open(&pg->json, NULL, '{');
		json_write_text(&pg->json, "scope",
				record_scope_name(s->repo.root.scope));
		add_string(pg, "path", s->repo.root.path);
		add_string(pg, "knowledge", s->repo.path);
		json_write_bool(&pg->json, "team", store_is_team(s));
		json_write_close(&pg->json, '}');
	}
	json_write_close(&pg->json, ']');
	add_context(pg, r);
	json_write_open(&pg->json, "records", '[');
}

/* Append the SHA-256 of S in the base64 form of a content security policy. */
static void add_hash(struct buf *out, const char *s)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	char hex[SHA256_HEX];
	uint32_t byte, bits = 0;
	int n = 0;

	sha256_of(s, strlen(s), hex);
	buf_adds(out, "'sha256-");
	for (size_t i = 0; hex[i]; i += 2) {
		utf8_hex(hex + i, 2, &byte);
		bits = bits << 8 | byte;
		for (n += 8; n >= 6; n -= 6)
			buf_addc(out, digits[bits >> (n - 6) & 63]);
	}
	/* 32 bytes are 42 digits and 4 bits: one more digit and a "=". */
	buf_addc(out, digits[bits << (6 - n) & 63]);
	buf_adds(out, "='");
}

/* Append the content security policy: only this file's own script and style. */
static void add_policy(struct buf *out)
{
	buf_adds(out, "default-src 'none'; script-src ");
	add_hash(out, browse_js);
	buf_adds(out, "; style-src ");
	add_hash(out, browse_css);
	buf_adds(out, "; base-uri 'none'; form-action 'none'; "
		      "require-trusted-types-for 'script'; trusted-types "
		      "'none'");
}

/* Append the frame from P up to the mark @D, where the data belongs, or to its
 * end, with the other marks replaced. Return the rest after @D, or NULL. */
static const char *add_frame(struct buf *out, const char *p)
{
	const char *mark;

	for (; (mark = strchr(p, '@')); p = mark + 2) {
		buf_add(out, p, (size_t)(mark - p));
		switch (mark[1]) {
		case 'P':
			add_policy(out);
			break;
		case 'C':
			buf_adds(out, browse_css);
			break;
		case 'D':
			return mark + 2;
		case 'J':
			buf_adds(out, browse_js);
			break;
		}
	}
	buf_adds(out, p);
	return NULL;
}

int browse_page(struct buf *out, const struct browse *b, const struct report *r,
		struct err *e)
{
	const size_t frame = sizeof(browse_html) + sizeof(browse_css) +
			     sizeof(browse_js) + 1024;
	struct page pg = {.wanted = b, .most = ROOM};
	const char *rest = add_frame(&pg.json, browse_html);
	int result = 0;

	pg.start = pg.json.len;
	add_head(&pg, r);
	for (size_t i = 0; i < b->n && !result; i++) {
		pg.store = b->stores[i];
		result = add_store(&pg, e);
	}
	cut_texts(&pg, BROWSE_MAX - frame);
	buf_adds(&pg.json, "\n]}");
	add_frame(&pg.json, rest);
	if (!result)
		*out = pg.json;
	else
		buf_release(&pg.json);
	free(pg.texts);
	buf_release(&pg.line);
	buf_release(&pg.safe);
	arena_release(&pg.arena);
	return result;
}
