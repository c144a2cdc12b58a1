/* remote-answer.c: one member that is not as it must be makes the whole answer
 * malformed. So nothing of it is used that was not checked.
 */
#include "remote/remote-answer.h"

#include "format/json-write.h"
#include "remote/remote-document.h"
#include "search/answer.h"
#include "sys/file.h"

#define ID_DIGITS 18

void remote_question_write(struct buf *out, const struct remote_question *q)
{
	json_write_open(out, NULL, '{');
	json_write_text(out, "verb", "query");
	if (q->nprojects) {
		json_write_open(out, "projects", '[');
		for (size_t i = 0; i < q->nprojects; i++)
			json_write_text(out, NULL, q->projects[i]);
		json_write_close(out, ']');
	} else {
		json_write_bool(out, "everywhere", true);
	}
	json_write_text(out, "text", q->text);
	json_write_size(out, "max", q->max);
	json_write_close(out, '}');
	buf_addc(out, '\n');
}

/* Return true if Q may be answered by the project NAME. */
static bool was_asked(const struct remote_question *q, const char *name)
{
	size_t i = 0;

	if (!name || !q->nprojects)
		return name && remote_is_name(name);
	while (i < q->nprojects && strcmp(q->projects[i], name) != 0)
		i++;
	return i < q->nprojects;
}

/* Set *OUT to the number KEY of V, 0 if there is none. Return false if it is something
 * else. */
static bool read_share(const struct value *v, const char *key, double *out)
{
	const struct value *n = value_get(v, key);

	*out = !n			? 0
	       : n->kind == VALUE_FLOAT ? n->u.f
	       : n->kind == VALUE_INT	? (double)n->u.i
					: -1;
	return *out >= 0 && *out <= 1000000;
}

/* Set the id of R, a memory, to V: a number, or its digits. Others have none. */
static bool read_id(struct record *r, const struct value *v)
{
	const char *text = v && v->kind == VALUE_STR ? v->u.s.p : "";
	const size_t len = strlen(text);

	if (r->kind != RECORD_MEMORY)
		return true;
	if (v && v->kind == VALUE_INT)
		r->id = v->u.i;
	else if (len <= ID_DIGITS && strspn(text, "0123456789") == len)
		r->id = strtoll(text, NULL, 10);
	return r->id > 0;
}

static bool read_tags(struct record *r, const struct value *v, struct arena *a)
{
	const struct value *tags = value_get(v, "tags");

	if (!tags || !value_is_texts(tags))
		return false;
	r->ntags = tags->u.list.n;
	r->tags = arena_alloc(a, (r->ntags + 1) * sizeof(*r->tags));
	for (size_t i = 0; i < r->ntags; i++)
		r->tags[i] = tags->u.list.items[i].u.s.p;
	return true;
}

/* Set `created` and `at` of R. An empty or missing text is no time. */
static bool read_time(struct record *r, const struct value *v)
{
	const char *text = value_text(v, "created");

	r->created = text ? text : "";
	return !*r->created ||
	       instant_parse_day(r->created, strlen(r->created), &r->at);
}

/* Set the texts of R. */
static bool read_texts(struct record *r, const struct value *v, struct arena *a)
{
	const struct value *text = value_get(v, "text");
	const char *title = value_text(v, "title");

	if (!text || text->kind != VALUE_STR)
		return false;
	r->content = text->u.s.p;
	r->content_len = text->u.s.len;
	r->source = value_text(v, "source");
	if (r->kind != RECORD_MEMORY)
		r->title = title ? title : "";
	if (r->kind == RECORD_ITEM)
		answer_item_fields(r, a);
	return true;
}

/* Fill R from V, a line of the answer to Q. Return false if it is malformed. */
static bool read_record(struct record *r, const struct value *v,
			const struct remote_question *q, struct arena *a)
{
	const char *kind = value_text(v, "kind"), *path = value_text(v, "path");
	struct instant as_of;

	*r = (struct record){
		.kind = kind ? remote_document_kind_of(kind) : RECORD_KINDS,
		.project = value_text(v, "project"),
		.commit = value_text(v, "commit"),
		.as_of = value_text(v, "as_of"),
		.partial = value_is_true(value_get(v, "partial")),
		.ranked = true,
	};
	if (r->kind == RECORD_KINDS || !was_asked(q, r->project) ||
	    !r->commit || !remote_is_commit(r->commit) || !r->as_of ||
	    !instant_parse(r->as_of, strlen(r->as_of), &as_of) || !path ||
	    !file_is_plain(path) || !read_id(r, value_get(v, "id")) ||
	    !read_share(v, "score", &r->score) ||
	    !read_share(v, "coverage", &r->coverage) || !read_time(r, v) ||
	    !read_tags(r, v, a) || !read_texts(r, v, a))
		return false;
	r->prefix = arena_printf(a, "%s:", r->project);
	r->elsewhere = r->project;
	r->path = r->id ? arena_printf(a, "%s%lld", r->prefix, (long long)r->id)
			: arena_printf(a, "%s%s", r->prefix, path);
	return true;
}

static bool is_same(const struct record *x, const struct record *y)
{
	return x->kind == y->kind &&
	       record_same_text(x->content, x->content_len, y->content,
				y->content_len);
}

/* Return true if a better record of A has the text of R. */
static bool has_equal(const struct remote_answer *a, const struct record *r)
{
	size_t i = 0;

	while (i < a->n && !is_same(&a->items[i], r))
		i++;
	return i < a->n;
}

int remote_answer_read(struct remote_answer *a,
		       const struct remote_reply *reply,
		       const struct remote_question *q, struct arena *arena,
		       struct err *e)
{
	*a = (struct remote_answer){
		.pruned = value_is_true(value_get(&reply->last, "pruned")),
	};
	a->items = arena_alloc(arena, (reply->n + 1) * sizeof(*a->items));
	for (size_t i = 0; i < reply->n && i < q->max; i++) {
		struct record *r = &a->items[i];

		if (!read_record(r, &reply->lines[i], q, arena)) {
			a->n = 0;
			return err_set(e, ERR_HELPER,
				       "the remote index gave a malformed "
				       "record");
		}
		if (!has_equal(a, r))
			a->items[a->n++] = *r;
	}
	return 0;
}

void remote_answer_drop(struct remote_answer *a, const struct record *local)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n; i++) {
		if (!is_same(&a->items[i], local))
			a->items[n++] = a->items[i];
	}
	a->n = n;
}
