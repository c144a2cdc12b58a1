/* notes-markdown.c: see notes.h. The source of each memory is that of
 * the sink and the file name. */
#include "exchange/notes.h"

#include "harvest/items.h"
#include "text/markdown.h"

/* The beginning of EXCHANGE_FRAME. */
static const char frame_begin[] = "<!-- co:file ";

/* A file being read. */
struct file {
	struct frontmatter fm;
	struct arena arena;
	char *source;
};

/* Start to read a file. Invalid frontmatter is reported, and the rest is
 * read. */
static void open_file(struct file *f, const struct note_sink *s,
		      const char *name, const char *p, size_t len)
{
	struct err e;

	*f = (struct file){{0}, {0}, NULL};
	if (frontmatter_parse(&f->fm, p, len, s->path, &f->arena, &e) < 0)
		err_report(s->report, &e);
	f->source = arena_printf(&f->arena, "%s:%s", s->source, name);
}

/* Return the first text in the frontmatter under one of KEYS, which are
 * separated by |. */
static const char *first_text(const struct file *f, const char *keys)
{
	const struct value *map = &f->fm.data;

	for (size_t i = 0; i < map->u.map.n; i++) {
		const struct value_pair *pair = &map->u.map.pairs[i];

		if (value_is_word(&pair->key, keys) &&
		    pair->val.kind == VALUE_STR)
			return pair->val.u.s.p;
	}
	return NULL;
}

static void add_tags(struct note *n, struct file *f)
{
	const struct value *map = &f->fm.data;

	note_add_tags(&n->tags, value_get(map, "tags"), &f->arena);
	note_add_tags(&n->tags, value_get(map, "tag"), &f->arena);
	note_add_tags(&n->tags, value_get(map, "type"), &f->arena);
	note_add_tags(&n->tags, value_get(value_get(map, "metadata"), "type"),
		      &f->arena);
}

static int send_text(const struct note_sink *s, struct note *n, const char *p,
		     size_t len, struct err *e)
{
	int r;

	n->content = p;
	n->len = len;
	r = note_send(s, n, e);
	free(n->tags.items);
	n->tags = (struct strings){0};
	return r;
}

int notes_send_whole(const struct note_sink *s, const char *name, bool titled,
		     const char *p, size_t len, struct err *e)
{
	struct note n = {0};
	struct buf text = {0};
	const char *body, *about;
	struct file f;
	size_t size;
	int r = 0;

	open_file(&f, s, name, p, len);
	frontmatter_content(&f.fm, &body, &size);
	about = first_text(&f, "description");
	if (titled && size && *body != '#')
		buf_addf(&text, "# %.*s\n\n", (int)strcspn(name, "."), name);
	if (size || !about)
		buf_add(&text, body, size);
	else
		buf_adds(&text, about);
	n.source = f.source;
	n.created = first_text(&f, "created|created_at|date");
	if (size || about) {
		add_tags(&n, &f);
		r = send_text(s, &n, buf_str(&text), text.len, e);
	}
	buf_release(&text);
	arena_release(&f.arena);
	return r;
}

/* Remove the bullet or number from the item at *P. */
static void strip_bullet(const char **p, size_t *len)
{
	size_t n = strspn(*p, "0123456789");

	if (n && n < *len && strchr(".)", (*p)[n]))
		n++;
	else if (!n && *len && strchr("-*+", **p))
		n = 1;
	else
		return;
	while (n < *len && ((*p)[n] == ' ' || (*p)[n] == '\t'))
		n++;
	*p += n;
	*len -= n;
}

/* Return true if the entry is only a reference to another file. */
static bool is_pointer(const char *p, size_t len)
{
	const char *end = memchr(p, '\n', len);

	if (end && (size_t)(end - p) + 1 < len)
		return false;
	return (*p == '@' && !memchr(p, ' ', len)) ||
	       (*p == '[' && p[len - 1] == ')');
}

/* Add the headings above entry I to TAGS. */
static void add_headings(struct strings *tags,
			 const struct markdown_entries *list, size_t i,
			 struct arena *a)
{
	const struct markdown_entry *e;

	for (i = list->items[i].heading; i != MARKDOWN_ENTRY_NONE;
	     i = e->heading) {
		e = &list->items[i];
		if (e->level > 1)
			strings_add(tags,
				    arena_copy(a, e->title, e->title_len));
	}
}

static int send_entry(const struct note_sink *s, struct file *f,
		      const struct markdown_entries *list, size_t i,
		      const char *body, struct err *e)
{
	const struct markdown_entry *entry = &list->items[i];
	const char *p = body + entry->start;
	size_t len = entry->len;
	struct note n = {.source = f->source};

	if (entry->kind == MARKDOWN_ENTRY_HEADING)
		return 0;
	if (entry->kind == MARKDOWN_ENTRY_ITEM)
		strip_bullet(&p, &len);
	if (!len || is_pointer(p, len))
		return 0;
	add_headings(&n.tags, list, i, &f->arena);
	return send_text(s, &n, p, len, e);
}

/* Return true if entry I is below a heading TITLE. */
static bool is_below(const struct markdown_entries *list, size_t i,
		     const char *title)
{
	while ((i = list->items[i].heading) != MARKDOWN_ENTRY_NONE) {
		const struct markdown_entry *e = &list->items[i];

		if (e->title_len == strlen(title) &&
		    !memcmp(e->title, title, e->title_len))
			return true;
	}
	return false;
}

int notes_send_entries(const struct note_sink *s, const char *name,
		       const char *title, const char *p, size_t len,
		       struct err *e)
{
	struct markdown_entries list = {0};
	bool narrow = false;
	const char *body;
	struct file f;
	size_t size;
	int r = 0;

	open_file(&f, s, name, p, len);
	frontmatter_content(&f.fm, &body, &size);
	markdown_entries_split(&list, body, size);
	for (size_t i = 0; title && i < list.n; i++)
		narrow = narrow || is_below(&list, i, title);
	for (size_t i = 0; i < list.n && !r; i++) {
		if (!narrow || is_below(&list, i, title))
			r = send_entry(s, &f, &list, i, body, e);
	}
	free(list.items);
	arena_release(&f.arena);
	return r;
}

/* Send the memory file in the LEN bytes of P as a record. A malformed file is
 * reported. */
static int send_memory(const struct note_sink *s, const char *p, size_t len,
		       struct err *e)
{
	struct arena a = {0};
	struct frontmatter fm;
	struct buf line = {0};
	const char *content;
	struct err unread;
	size_t size;
	int r = 0;

	if (frontmatter_parse(&fm, p, len, s->path, &a, &unread) < 0) {
		err_report(s->report, &unread);
		goto out;
	}
	frontmatter_content(&fm, &content, &size);
	if (!value_get(&fm.data, "id")) {
		note_fault(s, "not a file of a memory: its frontmatter has no "
			      "id");
		goto out;
	}
	json_write_open(&line, NULL, '{');
	json_write_bytes(&line, "content", content, size);
	json_write_key(&line, "frontmatter");
	if (json_write_value(&line, &fm.data, &unread) < 0) {
		note_fault(s, unread.text);
		goto out;
	}
	json_write_close(&line, '}');
	r = s->fn(s->ctx, line.p, line.len, e);
out:
	buf_release(&line);
	arena_release(&a);
	return r;
}

/* Send each item of a file of category C. */
static int send_items(const struct note_sink *s, enum category c, const char *p,
		      size_t len, struct err *e)
{
	const size_t body = item_file_body(p, len);
	struct item_walk w = {.p = p, .len = len, .at = body};
	struct buf line = {0};
	struct arena a = {0};
	struct item_span span;
	int r = 0;

	while (!r && item_walk_next(&w, &span)) {
		struct items_entry entry = {.category = c, .done = span.done};

		if (!item_read(&entry.item, p, &span, &a))
			continue;
		buf_cut(&line, 0);
		item_lines_write(&line, &entry);
		r = s->fn(s->ctx, line.p, line.len, e);
	}
	buf_release(&line);
	arena_release(&a);
	return r;
}

/* Send the file NAME, which is not an export. A frame in it is plain text. */
static int send_file(const struct note_sink *s, const char *name, const char *p,
		     size_t len, struct err *e)
{
	const enum category c = category_of_file(name);

	if (c != CATEGORIES)
		return send_items(s, c, p, len, e);
	return send_memory(s, p, len, e);
}

/* Read the frame at *P: sets NAME, and TEXT of LEN bytes, and moves *P past it.
 * Returns false if it is malformed. */
static bool read_frame(const char **p, const char *end, struct buf *name,
		       const char **text, size_t *len)
{
	const char *line_end = memchr(*p, '\n', (size_t)(end - *p));
	const char *blank;
	char *rest;

	if (strncmp(*p, frame_begin, sizeof(frame_begin) - 1) != 0 || !line_end)
		return false;
	*p += sizeof(frame_begin) - 1;
	blank = memchr(*p, ' ', (size_t)(line_end - *p));
	if (!blank || blank[1] < '0' || blank[1] > '9')
		return false;
	buf_cut(name, 0);
	buf_add(name, *p, (size_t)(blank - *p));
	*len = strtoul(blank + 1, &rest, 10);
	*text = line_end + 1;
	if (strncmp(rest, " -->\n", 5) != 0 || *len > (size_t)(end - *text))
		return false;
	*p = *text + *len + (*text + *len < end && (*text)[*len] == '\n');
	return true;
}

/* Send each file in an export. */
static int send_frames(const struct note_sink *s, const char *p, size_t len,
		       struct err *e)
{
	const char *end = p + len, *text;
	struct buf name = {0};
	size_t size;
	int r = 0;

	while (p < end && !r) {
		if (!read_frame(&p, end, &name, &text, &size)) {
			note_fault(s, "it is cut short, or was changed");
			break;
		}
		r = send_file(s, name.p, text, size, e);
	}
	buf_release(&name);
	return r;
}

int notes_send_file(const struct note_sink *s, const char *name, const char *p,
		    size_t len, struct err *e)
{
	const size_t n = sizeof(frame_begin) - 1;

	if (len > n && !memcmp(p, frame_begin, n))
		return send_frames(s, p, len, e);
	return send_file(s, name, p, len, e);
}
