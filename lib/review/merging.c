/* merging.c: see merging.h. */
#include "review/merging.h"

#include "base/sha256.h"
#include "base/utf8.h"
#include "harvest/request.h"
#include "model/llm.h"
#include "repo/marks.h"
#include "store/save.h"
#include "text/secrets.h"

#define SOURCE "co-knowledge-summarize"
#define REPLY_MAX 8000	/* bytes of a memory that a model writes */
#define MEMORY_MAX 4000 /* of each that it is given */

struct work {
	struct merging *m;
	struct store *s;
	struct llm *llm; /* NULL: none is set */
	struct request_prompts prompts;
	const struct report *report;
	struct buf known; /* the groups that wait, or were rejected */
	struct err *e;
};

/* Append the group that R, a draft or in the trash, is of. */
static int note_known(void *ctx, const struct record *r)
{
	struct buf *known = ctx;
	struct arena a = {0};
	struct value v;

	if (record_keys_find(&r->keys, "group", &a, &v) == 1 &&
	    v.kind == VALUE_STR)
		buf_addf(known, "%s\n", v.u.s.p);
	arena_release(&a);
	return 0;
}

/* What tells the group of the N RECORDS from others, and from itself once one of
 * them says something else. */
static void make_key(const struct record *records, size_t n,
		     char key[SHA256_HEX])
{
	struct buf all = {0};

	for (size_t i = 0; i < n; i++) {
		buf_addf(&all, "%lld %zu ", (long long)records[i].id,
			 records[i].content_len);
		buf_add(&all, records[i].content, records[i].content_len);
	}
	sha256_of(buf_str(&all), all.len, key);
	buf_release(&all);
}

/* Append R as what a model, or an editor, is given. */
static void add_memory(struct buf *out, const struct record *r, size_t max)
{
	buf_addf(out, "- [memory %lld, %.10s] ", (long long)r->id, r->created);
	buf_add(out, r->content,
		r->content_len > max ? utf8_cut(r->content, r->content_len, max)
				     : r->content_len);
	buf_addc(out, '\n');
}

static void add_sources(struct buf *out, const struct record *records, size_t n)
{
	buf_adds(out, "\n\nMerged from:");
	for (size_t i = 0; i < n; i++) {
		buf_addf(out, "%s memory %lld (%.10s", i ? "," : "",
			 (long long)records[i].id, records[i].created);
		if (records[i].source)
			buf_addf(out, ", %s", records[i].source);
		buf_addc(out, ')');
	}
	buf_adds(out, ".");
}

/* Have the model write OUT. */
static int ask(struct work *w, const struct record *records, size_t n,
	       struct buf *out, struct err *e)
{
	struct buf given = {0}, clean = {0}, prompt = {0}, reply = {0};
	struct secrets *secrets = secrets_new();
	const char *p;
	size_t len;
	int r = -1;

	for (size_t i = 0; i < n; i++)
		add_memory(&given, &records[i], MEMORY_MAX);
	if (secrets_redact(&clean, secrets, given.p, given.len, e) < 0)
		goto out;
	request_compose(&prompt, &w->prompts, REQUEST_MERGE, "memories",
			clean.p, clean.len, false);
	if (llm_ask(w->llm, &prompt, &reply, e) < 0)
		goto out;
	p = buf_str(&reply);
	len = reply.len;
	utf8_strip(&p, &len);
	if (!len || len > REPLY_MAX)
		err_set(e, ERR_HELPER,
			len ? "the reply is longer than %d bytes"
			    : "the reply is empty: 1 to %d bytes are wanted",
			REPLY_MAX);
	else
		r = 0;
	if (!r)
		buf_add(out, p, len);
out:
	secrets_free(secrets);
	buf_release(&given);
	buf_release(&clean);
	buf_release(&prompt);
	buf_release(&reply);
	return r;
}

/* The tags of all RECORDS, each once, in A: *N. */
static const char **all_tags(const struct record *records, size_t count,
			     struct arena *a, size_t *n)
{
	const char **tags;
	size_t room = 1;

	for (size_t i = 0; i < count; i++)
		room += records[i].ntags;
	tags = arena_alloc(a, room * sizeof(*tags));
	*n = 0;
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < records[i].ntags; k++)
			tags[(*n)++] = records[i].tags[k];
	}
	return tags;
}

/* Save TEXT as the draft R, in the place of the RECORDS. */
static int save(struct work *w, const struct record *records, size_t n,
		const char *key, const struct buf *text, struct arena *a,
		struct record *r, struct err *e)
{
	struct value_pair pairs[2];
	struct value extra = {.kind = VALUE_MAP, .u.map = {pairs, 0}};
	struct store_new new = {
		.content = text->p,
		.len = text->len,
		.source = SOURCE,
		.extra = &extra,
		.draft = true,
	};
	struct buf ids = {0};
	int result;

	for (size_t i = 0; i < n; i++) {
		buf_addf(&ids, "%s%lld", i ? "," : "",
			 (long long)records[i].id);
		if (record_marks(&records[i]) & MARK_EXTERNAL)
			new.trust = "external";
	}
	new.replaces = ids.p;
	new.tags = all_tags(records, n, a, &new.ntags);
	value_put(&extra, "group", value_str(key));
	result = save_memory(w->s, &new, a, r, e);
	buf_release(&ids);
	return result;
}

/* Propose a memory for the RECORDS, of the group G: 0, -1. */
static int propose(struct work *w, const struct similar_group *g,
		   const struct record *records, const char *key,
		   struct arena *a, struct err *e)
{
	struct buf text = {0};
	struct record draft;
	int r = 0;

	if (w->llm)
		r = ask(w, records, g->n, &text, e);
	for (size_t i = 0; !w->llm && i < g->n; i++)
		add_memory(&text, &records[i], SIZE_MAX);
	while (text.len && text.p[text.len - 1] == '\n')
		buf_cut(&text, text.len - 1);
	add_sources(&text, records, g->n);
	if (!r)
		r = save(w, records, g->n, key, &text, a, &draft, e);
	if (!r)
		w->m->tell(w->m->ctx, g, &draft);
	buf_release(&text);
	return r;
}

static int take(void *ctx, const struct similar_group *g)
{
	struct work *w = ctx;
	struct record records[SIMILAR_GROUP];
	char key[SHA256_HEX];
	struct arena a = {0};
	struct err why;
	int r = 0;

	for (size_t i = 0; i < g->n && !r; i++) {
		if (store_read(w->s, g->members[i]->path, &a, &records[i],
			       NULL) != 1)
			r = 1; /* it changed under our eyes */
	}
	if (!r)
		make_key(records, g->n, key);
	if (!r && strstr(buf_str(&w->known), key))
		r = 1;
	if (!r && w->m->proposed == w->m->max) {
		w->m->more++;
	} else if (!r) {
		progress_step(w->s->progress, "groups", ++w->m->proposed, 0);
		if (w->m->dry)
			w->m->tell(w->m->ctx, g, NULL);
		else
			r = propose(w, g, records, key, &a, &why);
	}
	arena_release(&a);
	if (r >= 0)
		return 0;
	w->m->proposed--;
	if (why.code != ERR_DATA) {
		*w->e = why;
		return -1;
	}
	w->m->refused++;
	err_report(w->report, &why);
	return 0;
}

int merging_run(struct merging *m, struct store *s, const char *argv0,
		const struct report *report, struct err *e)
{
	struct work w = {.m = m, .s = s, .report = report, .e = e};
	const struct settings *settings;
	struct similar *sim = NULL;
	struct arena a = {0};
	int r = -1;

	store_batch(s);
	if (store_each(s, AREA_DRAFTS, note_known, &w.known, e) < 0 ||
	    store_each(s, AREA_TRASH, note_known, &w.known, e) < 0)
		goto out;
	settings_user(&settings, &a, report, NULL);
	if (!m->dry && (request_find(&w.prompts, settings, argv0, e) < 0 ||
			llm_open(settings, argv0, &w.llm, e) < 0))
		goto out;
	sim = similar_new(s, e);
	if (sim)
		r = similar_groups(sim, MERGING_ALIKE, take, &w);
out:
	similar_free(sim);
	llm_close(w.llm);
	request_release(&w.prompts);
	buf_release(&w.known);
	arena_release(&a);
	return r;
}
