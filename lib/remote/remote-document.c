/* remote-document.c: see remote-document.h. */
#include "remote/remote-document.h"

#include "cache/cache.h"
#include "format/json-write.h"

static const char *const kinds[] = {
	[RECORD_MEMORY] = "memory",
	[RECORD_ITEM] = "item",
	[RECORD_ARTICLE] = "section",
};

const char *remote_document_kind(enum record_kind kind)
{
	return kinds[kind];
}

enum record_kind remote_document_kind_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		if (!strcmp(kinds[i], name))
			return (enum record_kind)i;
	}
	return RECORD_KINDS;
}

/* Return the date that `expires` in the keys of D is, in A; "" if it is none. */
static const char *expires_of(const struct view_doc *d, struct arena *a)
{
	struct instant t;
	struct value v;

	return record_keys_find(&d->keys, "expires", a, &v) == 1 &&
			       v.kind == VALUE_STR &&
			       instant_parse_day(v.u.s.p, v.u.s.len, &t)
		       ? v.u.s.p
		       : "";
}

void remote_document_of(struct remote_document *out, const struct view_doc *d,
			const char *root, struct arena *a)
{
	static const enum record_kind kind_of[] = {
		[VIEW_MEMORY] = RECORD_MEMORY,
		[VIEW_ARTICLE] = RECORD_ARTICLE,
		[VIEW_CATEGORY] = RECORD_ITEM};
	const char *tag = d->tags;

	*out = (struct remote_document){
		.kind = kind_of[d->kind],
		.id = d->id,
		.path = d->path + strlen(root) + 1,
		.order = d->order,
		.created = d->created,
		.expires = expires_of(d, a),
		.source = d->source,
		.title = d->title,
		.tags = arena_alloc(a, (d->ntags + 1) * sizeof(*out->tags)),
		.ntags = d->ntags,
		.text = d->text,
		.len = d->len,
	};
	for (size_t i = 0; i < d->ntags; i++, tag += strlen(tag) + 1)
		out->tags[i] = tag;
}

/* Append the LEN bytes of P as the member "text". */
static void add_text(struct buf *out, const char *p, size_t len)
{
	struct buf whole = {0};
	const char *nul;

	while ((nul = memchr(p, '\0', len))) {
		buf_add(&whole, p, (size_t)(nul - p));
		buf_adds(&whole, "\xEF\xBF\xBD");
		len -= (size_t)(nul - p) + 1;
		p = nul + 1;
	}
	buf_add(&whole, p, len);
	json_write_bytes(out, "text", buf_str(&whole), whole.len);
	buf_release(&whole);
}

void remote_document_write(struct buf *out, const struct remote_document *d,
			   char hash[SHA256_HEX])
{
	struct buf json = {0};

	json_write_open(&json, NULL, '{');
	json_write_text(&json, "kind", kinds[d->kind]);
	json_write_int(&json, "id", d->id);
	json_write_text(&json, "path", d->path);
	json_write_int(&json, "order", d->order);
	json_write_text(&json, "created", d->created);
	json_write_text(&json, "expires", d->expires);
	json_write_text(&json, "source", d->source);
	json_write_text(&json, "title", d->title);
	json_write_texts(&json, "tags", d->tags, d->ntags);
	add_text(&json, d->text, d->len);
	json_write_close(&json, '}');
	sha256_of(json.p, json.len, hash);
	buf_add(out, json.p, json.len);
	buf_release(&json);
}

/* Set *OUT to the number KEY of V. Return false if it is none, or negative. */
static bool read_number(const struct value *v, const char *key, int64_t *out)
{
	const struct value *n = value_get(v, key);

	if (!n || n->kind != VALUE_INT || n->u.i < 0)
		return false;
	*out = n->u.i;
	return true;
}

static bool read_tags(struct remote_document *d, const struct value *tags,
		      struct arena *a)
{
	if (!tags || !value_is_texts(tags))
		return false;
	d->ntags = tags->u.list.n;
	d->tags = arena_alloc(a, (d->ntags + 1) * sizeof(*d->tags));
	for (size_t i = 0; i < d->ntags; i++) {
		const struct value *tag = &tags->u.list.items[i];

		if (strlen(tag->u.s.p) != tag->u.s.len)
			return false;
		d->tags[i] = tag->u.s.p;
	}
	return true;
}

int remote_document_read(struct remote_document *d, const struct value *v,
			 struct arena *a, struct err *e)
{
	const char *kind = value_text(v, "kind");
	const struct value *text = value_get(v, "text"),
			   *source = value_get(v, "source");

	*d = (struct remote_document){
		.kind = kind ? remote_document_kind_of(kind) : RECORD_KINDS,
		.path = value_text(v, "path"),
		.created = value_text(v, "created"),
		.expires = value_text(v, "expires"),
		.source = value_text(v, "source"),
		.title = value_text(v, "title"),
	};
	if (d->kind == RECORD_KINDS || !d->path || !d->created || !d->expires ||
	    !d->title || !source || (!d->source && source->kind) || !text ||
	    text->kind != VALUE_STR || !read_number(v, "id", &d->id) ||
	    !read_number(v, "order", &d->order) ||
	    !read_tags(d, value_get(v, "tags"), a))
		return err_set(e, ERR_DATA,
			       "a member of a document is missing or of "
			       "another type");
	d->text = text->u.s.p;
	d->len = text->u.s.len;
	return 0;
}

static int digit_of(char c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
				      : -1;
}

/* Set the BYTES to HASH. Return false if it is no hash. */
static bool read_hash(unsigned char bytes[32], const char *hash)
{
	for (size_t i = 0; i < 32; i++) {
		const int high = digit_of(hash[2 * i]);
		const int low = high < 0 ? -1 : digit_of(hash[2 * i + 1]);

		if (low < 0)
			return false;
		bytes[i] = (unsigned char)(high * 16 + low);
	}
	return !hash[64];
}

static void add_bytes(struct remote_digest *d, const unsigned char bytes[32],
		      unsigned carry)
{
	for (size_t i = 32; i-- > 0;) {
		carry += (unsigned)d->bytes[i] + bytes[i];
		d->bytes[i] = (unsigned char)carry;
		carry >>= 8;
	}
}

bool remote_digest_add(struct remote_digest *d, const char *hash)
{
	unsigned char bytes[32];

	if (!read_hash(bytes, hash))
		return false;
	add_bytes(d, bytes, 0);
	return true;
}

bool remote_digest_subtract(struct remote_digest *d, const char *hash)
{
	unsigned char bytes[32];

	if (!read_hash(bytes, hash))
		return false;
	/* -X is the complement of X, plus 1. */
	for (size_t i = 0; i < 32; i++)
		bytes[i] = (unsigned char)~bytes[i];
	add_bytes(d, bytes, 1);
	return true;
}

char *remote_digest_text(const struct remote_digest *d, char hex[SHA256_HEX])
{
	for (size_t i = 0; i < 32; i++)
		snprintf(hex + 2 * i, 3, "%02x", d->bytes[i]);
	return hex;
}
