/* article-new.c: keys are written in a fixed order; metadata of a page is
 * reduced to one line. */
#include "article/article-new.h"

#include "article/parts.h"
#include "base/unicode.h"
#include "base/utf8.h"
#include "store/save.h"
#include "text/markdown.h"
#include "text/sanitize.h"

#include <strings.h>

#define LINE_MAX_CHARS 300

/* Our keys of the frontmatter in order. The first three are always present;
 * the fourth is a list. */
enum key {
	SOURCE,
	FETCHED,
	TITLE,
	TAGS,
	DESCRIPTION,
	AUTHOR,
	PUBLISHED,
	LANGUAGE,
	SHA256,
	ETAG,
	LAST_MODIFIED,
	LICENSE,
	ATTACHMENT,
	PART,
	PARTS,
	NKEYS
};

static const char *const keys[NKEYS] = {
	"source",	 "fetched",   "title",	    "tags",   "description",
	"author",	 "published", "language",   "sha256", "etag",
	"last_modified", "license",   "attachment", "part",   "parts"};

static void set_default(const char **to, const struct value *from,
			const char *key)
{
	if (!*to)
		*to = value_text(from, key);
}

void article_take_meta(struct article_new *n, const struct value *meta)
{
	set_default(&n->source, meta, "url");
	set_default(&n->fetched, meta, "fetched");
	set_default(&n->sha256, meta, "sha256");
	set_default(&n->etag, meta, "etag");
	set_default(&n->last_modified, meta, "last_modified");
}

void article_take_extract(struct article_new *n, const struct value *extract)
{
	const struct value *v = value_get(extract, "markdown");

	if (!n->markdown && v && v->kind == VALUE_STR) {
		n->markdown = v->u.s.p;
		n->len = v->u.s.len;
	}
	set_default(&n->title, extract, "title");
	set_default(&n->description, extract, "description");
	set_default(&n->author, extract, "author");
	set_default(&n->published, extract, "published");
	set_default(&n->language, extract, "language");
	set_default(&n->sha256, extract, "sha256");
}

/* Return P as one line without control characters, allocated in A, or NULL if
 * it is empty. */
static const char *to_line(const char *p, size_t len, struct arena *a)
{
	struct buf seen = {0}, line = {0};
	const char *text;

	for (size_t i = 0; i < len; i++) {
		const bool blank = (unsigned char)p[i] <= ' ' || p[i] == 127;

		if (!blank)
			buf_addc(&seen, p[i]);
		else if (seen.len && seen.p[seen.len - 1] != ' ')
			buf_addc(&seen, ' ');
	}
	sanitize_line(&line, buf_str(&seen),
		      utf8_prefix(buf_str(&seen), seen.len, LINE_MAX_CHARS));
	text = line.len ? arena_copy(a, line.p, line.len) : NULL;
	buf_release(&seen);
	buf_release(&line);
	return text;
}

const char *article_new_last_part(const char *source, size_t *len)
{
	const char *part = strstr(source, "://");
	size_t end;

	source = part ? part + 3 : source;
	end = part ? strcspn(source, "?#") : strlen(source);
	while (end && source[end - 1] == '/')
		end--;
	part = source + end;
	while (part > source && part[-1] != '/')
		part--;
	*len = (size_t)(source + end - part);
	return part;
}

const char *article_new_title(const struct article_new *n, struct arena *a)
{
	struct markdown m;
	struct block b;
	const char *title =
		n->title ? to_line(n->title, strlen(n->title), a) : NULL;
	const char *part;
	size_t len;

	markdown_start(&m, n->markdown, n->len);
	while (!title && markdown_next(&m, &b)) {
		if (b.kind == BLOCK_HEADING)
			title = to_line(b.text, b.text_len, a);
	}
	part = article_new_last_part(n->source, &len);
	if (!title && len)
		title = to_line(part, len, a);
	return title ? title : n->source;
}

/* Set LIST to the tags of WAS (may be NULL) and N, allocated in A. */
static int merge_tags(struct value *list, const struct article_new *n,
		      const struct value *was, struct arena *a, struct err *e)
{
	const struct value *had = value_get(was, "tags");
	size_t old = had && had->kind == VALUE_LIST ? had->u.list.n : 0;

	*list = (struct value){.kind = VALUE_LIST};
	list->u.list.items =
		arena_alloc(a, (old + n->ntags + 1) * sizeof(struct value));
	for (size_t i = 0; i < old; i++)
		list->u.list.items[list->u.list.n++] = had->u.list.items[i];
	for (size_t i = 0; i < n->ntags; i++) {
		const char *tag = compose_tag(n->tags[i], strlen(n->tags[i]),
					      n->typed, a, e);
		struct value one;

		if (!tag)
			return -1;
		one = value_str(tag);
		if (!value_has_item(list, &one))
			list->u.list.items[list->u.list.n++] = one;
	}
	return 0;
}

static bool is_own_key(const struct value *key)
{
	for (size_t i = 0; i < NKEYS; i++) {
		if (value_is(key, keys[i]))
			return true;
	}
	return value_is(key, "gone"); /* the source exists again */
}

/* Build the frontmatter of N in MAP, allocated in A, with the free keys of WAS,
 * the frontmatter to replace, or NULL. */
static int build_map(struct value *map, const struct article_new *n,
		     const struct value *was, const char *attachment,
		     struct arena *a, struct err *e)
{
	const size_t free_keys = was ? was->u.map.n : 0;
	const char *texts[NKEYS] = {
		[SOURCE] = n->source,
		[DESCRIPTION] = n->description,
		[AUTHOR] = n->author,
		[PUBLISHED] = n->published,
		[LANGUAGE] = n->language,
		[SHA256] = n->sha256,
		[ETAG] = n->etag,
		[LAST_MODIFIED] = n->last_modified,
		[LICENSE] =
			n->license ? n->license : value_text(was, "license"),
		[ATTACHMENT] = attachment,
	};
	struct instant at = instant_now();
	char fetched[INSTANT_TEXT];
	struct value tags;

	if (n->fetched && !instant_parse(n->fetched, strlen(n->fetched), &at))
		return err_set(e, ERR_DATA,
			       "Field 'fetched' must be ISO8601 format: %s",
			       n->fetched);
	texts[FETCHED] = arena_strdup(a, instant_format(at, fetched));
	texts[TITLE] = article_new_title(n, a);
	if (merge_tags(&tags, n, was, a, e) < 0)
		return -1;
	*map = (struct value){.kind = VALUE_MAP};
	map->u.map.pairs = arena_alloc(a, (NKEYS + free_keys + 1) *
						  sizeof(struct value_pair));
	for (enum key k = SOURCE; k < NKEYS; k++) {
		const char *text = texts[k];

		if (text && k != SOURCE && k != ATTACHMENT)
			text = to_line(text, strlen(text), a);
		if (k == TITLE && n->parts)
			text = arena_printf(a, "%s (%lld of %lld)", text,
					    (long long)n->part,
					    (long long)n->parts);
		if (k == TAGS)
			value_put(map, keys[k], tags);
		else if (k >= PART && n->parts)
			value_put(map, keys[k],
				  value_int(k == PART ? n->part : n->parts));
		else if (text)
			value_put(map, keys[k], value_str(text));
	}
	for (size_t i = 0; i < free_keys; i++) {
		const struct value_pair *pair = &was->u.map.pairs[i];

		if (!is_own_key(&pair->key))
			map->u.map.pairs[map->u.map.n++] = *pair;
	}
	return 0;
}

void article_new_add_slug(struct buf *name, const char *title)
{
	unicode_slug(name, title, strlen(title));
	/* unicode_slug() returns "memory" if the title has no Latin letters. */
	if (!strcmp(name->p, "memory") && strcasecmp(title, "memory") != 0) {
		buf_cut(name, 0);
		buf_adds(name, "article");
	}
}

int article_new_check(struct store *s, const struct article_new *n,
		      struct err *e)
{
	const size_t len = n->markdown ? n->len : 0;
	size_t bad;

	if (!n->source || !*n->source)
		return err_set(e, ERR_DATA, "an article needs a source");
	if (!sanitize_is_line(n->source, strlen(n->source)))
		return err_set(e, ERR_DATA, "a source is a line of text: '%s'",
			       n->source);
	if (secret_gate_text(s, n->markdown, len, NULL, 0, NULL, e) < 0)
		return -1;
	if (len && memchr(n->markdown, '\0', len))
		return err_set(e, ERR_DATA, "the text has a NUL byte");
	bad = utf8_check(n->markdown, len);
	if (bad < len)
		return err_set(e, ERR_DATA, "the text is not UTF-8 at byte %zu",
			       bad + 1);
	if (n->attachment && n->attachment->len > ARTICLE_ATTACHMENT_MAX)
		return err_set(e, ERR_DATA,
			       "an attachment may have %zu bytes: '%s'",
			       ARTICLE_ATTACHMENT_MAX, n->attachment_name);
	return 0;
}

int article_new_compose(struct store *s, const struct article_new *n,
			const struct frontmatter *was, const char *attachment,
			struct buf *text, const char **title, struct arena *a,
			struct err *e)
{
	struct buf body = {0};
	const char *p = n->markdown;
	size_t len = n->len;
	struct value map;
	int r = -1;

	parts_strip(&p, &len);
	if (!len)
		return err_set(e, ERR_DATA,
			       "nothing to save: there is no text");
	buf_addc(&body, '\n');
	buf_add(&body, p, len);
	buf_addc(&body, '\n');
	if (build_map(&map, n, was ? &was->data : NULL, attachment, a, e) ==
		    0 &&
	    secret_gate_map(s, &map, e) == 0 &&
	    frontmatter_join(text, &map, body.p, body.len, e) == 0)
		r = 0;
	buf_release(&body);
	*title = r ? NULL : value_text(&map, keys[TITLE]);
	return r;
}

int article_new_fits(const struct buf *text, struct err *e)
{
	return text->len <= STORE_FILE_MAX
		       ? 0
		       : err_set(e, ERR_DATA,
				 "an article may have %d bytes, this has %zu",
				 STORE_FILE_MAX, text->len);
}
