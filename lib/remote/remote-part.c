/* remote-part.c: see remote.h. */
#include "remote/remote.h"

#include "agent/delivery.h"
#include "base/instant.h"
#include "format/json-write.h"
#include "rank/rank.h"
#include "rank/weights.h"
#include "remote/remote-document.h"
#include "search/recall.h"
#include "sys/file.h"

#include <fcntl.h>
#include <stdlib.h>

/* How long an answer is waited for at least, in ms: the local search may have taken all
 * of the time. */
#define LEAST_MS 50
#define ID_DIGITS 18

/* Append Q as a request. */
static void write_question(struct buf *out, const struct remote_question *q)
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
	if (q->meaning)
		json_write_bool(out, "meaning", true);
	json_write_end(out);
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

/* Return true if the record of V, with COVERAGE of the question, is there by chance: it
 * has no word, and some document is always the nearest. */
static bool is_chance(const struct value *v, double coverage)
{
	const struct value *n = value_get(v, "cosine");

	return n && coverage <= 0 &&
	       !(n->kind == VALUE_FLOAT &&
		 n->u.f > (double)WEIGHT_COSINE_SHOWN);
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

/* Fill A, in ARENA, with the records of REPLY, the answer to Q. One member that is not
 * as it must be makes the whole answer malformed, so nothing of it is used that was not
 * checked. Return 0, or -1 with ERR_HELPER: then A is empty. */
static int read_answer(struct remote_answer *a,
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
		if (!has_equal(a, r) &&
		    !is_chance(&reply->lines[i], r->coverage))
			a->items[a->n++] = *r;
	}
	return 0;
}

/* Add NAME to the projects of Q, once. Return 0 or -1. */
static int add_project(struct remote_question *q, const char *name,
		       struct err *e)
{
	if (!remote_is_name(name))
		return err_set(e, ERR_USAGE,
			       "--remote: '%s' cannot be the name of a project",
			       name);
	for (size_t i = 0; i < q->nprojects; i++) {
		if (!strcmp(q->projects[i], name))
			return 0;
	}
	if (q->nprojects == REMOTE_PROJECTS_MAX)
		return err_set(e, ERR_USAGE,
			       "--remote asks at most %d projects",
			       REMOTE_PROJECTS_MAX);
	q->projects[q->nprojects++] = name;
	return 0;
}

/* Set the projects of P's question to NAMES, and to those of the settings if a name is
 * empty or there is none; of those, as many as a question may have. Return 0 or -1. */
static int set_projects(struct remote_part *p, const struct strings *names,
			struct err *e)
{
	struct remote_question *q = &p->question;
	bool preset = !names->n;

	q->projects = arena_alloc(&p->arena,
				  REMOTE_PROJECTS_MAX * sizeof(*q->projects));
	for (size_t i = 0; i < names->n; i++) {
		preset |= !*names->items[i];
		if (*names->items[i] && add_project(q, names->items[i], e) < 0)
			return -1;
	}
	for (size_t i = 0; preset && i < p->remote.nprojects &&
			   q->nprojects < REMOTE_PROJECTS_MAX;
	     i++) {
		if (add_project(q, p->remote.projects[i].name, e) < 0)
			return -1;
	}
	return 0;
}

/* Set the name of the project OWN on the server, and the number of records to ask for:
 * many of OWN's will be in the local answer, too. */
static void set_own(struct remote_part *p, struct store *own)
{
	struct remote_question *q = &p->question;

	q->max = p->max;
	p->own = own;
	q->own = remote_own_name(&p->remote, own);
	for (size_t i = 0; q->own && i < q->nprojects; i++) {
		if (!strcmp(q->projects[i], q->own))
			q->max = 2 * p->max;
	}
	if (q->max > REMOTE_HITS_MAX)
		q->max = REMOTE_HITS_MAX;
}

/* Start the program. */
static void start_program(struct remote_part *p)
{
	struct buf request = {0};
	struct err e;
	int r = 0;

	write_question(&request, &p->question);
	if (request.len > REMOTE_QUESTION_MAX)
		r = err_set(&e, ERR_HELPER,
			    "the question is too long for the remote index");
	else if (remote_is_paused(&p->remote, &e))
		r = -1;
	if (r == 0)
		r = remote_start(&p->remote, &request, &p->process, &e);
	if (r < 0)
		err_report(p->report, &e);
	p->asked = r == 0;
	buf_release(&request);
}

int remote_part_begin(struct remote_part *p, const struct remote_part_ask *ask,
		      struct err *e)
{
	const bool wanted = ask->names->n > 0;
	int r;

	*p = (struct remote_part){
		.max = ask->max,
		.report = ask->report,
		.question = {.text = ask->query,
			     .meaning = strcmp(ask->mode, "fts") != 0}};
	r = remote_open(&p->remote, ask->argv0, &p->arena,
			wanted ? ask->report : NULL, e);
	if (!wanted && (r < 0 || !p->remote.always))
		return 0;
	if (r == 0)
		r = set_projects(p, ask->names, e);
	if (r == 0) {
		set_own(p, ask->own);
		start_program(p);
	}
	return r;
}

/* Remove the records of other kinds than KIND. */
static void keep_kind(struct remote_answer *answer, const char *kind)
{
	size_t n = 0;

	for (size_t i = 0; kind && i < answer->n; i++) {
		if (answer->items[i].kind == record_kind_of(kind))
			answer->items[n++] = answer->items[i];
	}
	if (kind)
		answer->n = n;
}

void remote_part_end(struct remote_part *p, const char *kind)
{
	const int64_t least = instant_monotonic_ms() + LEAST_MS;
	struct remote_reply reply;
	struct err e;

	if (!p->asked)
		return;
	p->asked = false;
	if (p->process.deadline < least)
		p->process.deadline = least;
	if (remote_finish(&p->remote, &p->process, &reply, &p->arena, &e) ==
		    0 &&
	    read_answer(&p->answer, &reply, &p->question, &p->arena, &e) < 0)
		reply.fault = REMOTE_NONSENSE;
	if (reply.fault)
		err_report(p->report, &e);
	/* A question that it does not understand says nothing of the next. */
	if (reply.fault != REMOTE_INVALID)
		remote_note(&p->remote, reply.fault);
	if (p->answer.pruned)
		err_warn(p->report, ERR_NONE,
			 "the remote index searched only the projects that fit "
			 "best");
	keep_kind(&p->answer, kind);
}

void remote_part_drop(struct remote_part *p, const struct record *local)
{
	struct remote_answer *a = &p->answer;
	size_t n = 0;

	for (size_t i = 0; i < a->n; i++) {
		if (!is_same(&a->items[i], local))
			a->items[n++] = a->items[i];
	}
	a->n = n;
}

/* Return true if the store S has, or had, the record R of its own project: a memory with
 * its id and time, or its file. */
static bool is_here(struct store *s, const struct record *r)
{
	static const enum area areas[] = {AREA_MEMORIES, AREA_ARCHIVE,
					  AREA_TRASH};
	const char *name = r->path + strlen(r->prefix);
	struct arena a = {0};
	struct record local;
	bool found = false;

	for (size_t i = 0; r->id && i < ARRAY_LEN(areas) && !found; i++)
		found = store_find(s, areas[i], name, &a, &local, NULL) == 1 &&
			!instant_cmp(local.at, r->at);
	if (!r->id) {
		name = arena_printf(&a, "%s/%s", s->repo.root.path, name);
		found = file_exists(AT_FDCWD, name, name, NULL) == 1;
	}
	arena_release(&a);
	return found;
}

/* Remove the records of the own project that its store has: the local version counts,
 * also if it is not among the best. */
static void drop_own(struct remote_part *p)
{
	const char *own = p->question.own;
	size_t n = 0;

	for (size_t i = 0; own && i < p->answer.n; i++) {
		const struct record *r = &p->answer.items[i];

		if (strcmp(own, r->project) != 0 || !is_here(p->own, r))
			p->answer.items[n++] = *r;
	}
	if (own)
		p->answer.n = n;
}

void remote_part_finish(struct remote_part *p)
{
	struct buf from = {0};

	drop_own(p);
	if (p->answer.n > p->max)
		p->answer.n = p->max;
	for (size_t i = 0; i < p->answer.n; i++) {
		buf_cut(&from, 0);
		buf_addf(&from, "memory %s", p->answer.items[i].path);
		delivery_note_read(from.p);
	}
	buf_release(&from);
}

struct record remote_part_record(const struct remote_part *p, size_t i,
				 size_t whole, struct arena *a)
{
	struct record r = p->answer.items[i];
	struct snippet snippet;
	struct query query = {0};

	if (r.content_len > whole) {
		query_parse(&query, p->question.text, strlen(p->question.text),
			    a);
		snippet = rank_snippet(r.content, r.content_len, &query, a);
		r.snippet = snippet.text;
		r.matches = snippet.matches;
	}
	return r;
}

void remote_part_release(struct remote_part *p)
{
	process_release(&p->process);
	arena_release(&p->arena);
	*p = (struct remote_part){0};
}
