/* note.c: see note.h. Characters that our tags do not allow become hyphens. */
#include "exchange/note.h"

#include "base/instant.h"
#include "base/utf8.h"
#include "format/json-write.h"

#define TAG_MAX 64 /* characters */

/* Append TAG with invalid characters replaced; nothing if none is valid. */
static void add_tag(struct buf *out, const char *tag)
{
	const size_t start = out->len;

	for (; *tag; tag++) {
		const unsigned char c = (unsigned char)*tag;

		if (c > ' ' && c != 127 && !strchr(",[]{}\"'`#", c))
			buf_addc(out, *tag);
		else if (out->len > start && out->p[out->len - 1] != '-')
			buf_addc(out, '-');
	}
	if (out->len > start)
		buf_cut(out, start + utf8_prefix(out->p + start,
						 out->len - start, TAG_MAX));
	while (out->len > start && out->p[out->len - 1] == '-')
		buf_cut(out, out->len - 1);
}

static void write_tags(struct buf *out, const struct strings *tags)
{
	struct buf tag = {0};

	json_write_open(out, "tags", '[');
	for (size_t i = 0; i < tags->n; i++) {
		buf_cut(&tag, 0);
		add_tag(&tag, tags->items[i]);
		if (tag.len)
			json_write_text(out, NULL, tag.p);
	}
	json_write_close(out, ']');
	buf_release(&tag);
}

/* Return CREATED in our format, written to TEXT, or NULL if it is not a
 * time. */
static const char *format_time(const char *created, char text[INSTANT_TEXT])
{
	struct instant at;

	if (!created || !instant_parse_day(created, strlen(created), &at))
		return NULL;
	return instant_format(at, text);
}

int note_send(const struct note_sink *s, const struct note *n, struct err *e)
{
	char text[INSTANT_TEXT];
	const char *created = format_time(n->created, text);
	struct buf line = {0};
	int r;

	if (strspn(n->content, " \t\r\n") >= n->len)
		return 0;
	json_write_open(&line, NULL, '{');
	json_write_bytes(&line, "content", n->content, n->len);
	write_tags(&line, &n->tags);
	json_write_text(&line, "source", n->source ? n->source : s->source);
	json_write_text(&line, "created", created ? created : s->created);
	for (size_t i = 0; n->keys && i < n->keys->u.map.n; i++) {
		json_write_key(&line, n->keys->u.map.pairs[i].key.u.s.p);
		json_write_value(&line, &n->keys->u.map.pairs[i].val, NULL);
	}
	json_write_close(&line, '}');
	r = s->fn(s->ctx, line.p, line.len, e);
	buf_release(&line);
	return r;
}

/* Add the words of TEXT, separated by commas or else by blanks. They are
 * allocated in A. */
static void add_words(struct strings *tags, const char *text, struct arena *a)
{
	const char *between = strchr(text, ',') ? "," : " \t\r\n,";

	while (*(text += strspn(text, between))) {
		const size_t len = strcspn(text, between);

		strings_add(tags, arena_copy(a, text, len));
		text += len;
	}
}

void note_add_tags(struct strings *tags, const struct value *v, struct arena *a)
{
	const struct value *item;

	if (v && v->kind == VALUE_STR)
		add_words(tags, v->u.s.p, a);
	for (size_t i = 0; (item = value_item(v, i)); i++) {
		if (item->kind == VALUE_STR)
			strings_add(tags, arena_strdup(a, item->u.s.p));
	}
}

void note_fault(const struct note_sink *s, const char *what)
{
	err_warn(s->report, ERR_DATA, "'%s': %s", s->path, what);
}
