/* merging.c: groups of similar memories come from search/similar.h; each is
 * hashed and compared with the groups already proposed.
 */
#include "review/decide.h"

#include "base/sha256.h"
#include "base/utf8.h"
#include "harvest/harvest.h"
#include "model/llm.h"
#include "store/save.h"
#include "text/secrets.h"

#define SOURCE "co-knowledge-summarize"
#define MERGED_MAX 8000 /* bytes of the model's reply */
#define MEMORY_MAX 4000 /* bytes of each memory in the prompt */

struct merge_run {
	struct merging *m;
	struct store *s;
	struct llm *llm; /* NULL: none is configured */
	struct request_prompts prompts;
	const struct report *report;
	struct buf known; /* keys of groups that wait or were rejected, one per
			   * line */
	struct err *e;
};

/* Append the group key of R, a draft or a file in the trash, if it has one. */
static int add_known_group(void *ctx, const struct record *r)
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

/* Set KEY to a hash of the ids and texts of the N RECORDS. */
static void hash_group(const struct record *records, size_t n,
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

/* Append R, cut to MAX bytes, as one item of the list for the model or the
 * user. Its later lines are indented, so that they belong to the item. */
static void add_memory(struct buf *out, const struct record *r, size_t max)
{
	const char *p = r->content;
	const size_t len = r->content_len > max
				   ? utf8_cut(p, r->content_len, max)
				   : r->content_len;

	buf_addf(out, "- [memory %lld, %.10s] ", (long long)r->id, r->created);
	for (size_t i = 0; i < len; i++) {
		if (i && p[i - 1] == '\n' && p[i] != '\n')
			buf_adds(out, "  ");
		buf_addc(out, p[i]);
	}
	buf_addc(out, '\n');
}

/* Append the summary of the newest of the N RECORDS, then all of them as a list. */
static void list_memories(struct buf *out, const struct record *records,
			  size_t n)
{
	const struct record *newest = records;

	for (size_t i = 1; i < n; i++) {
		if (instant_cmp(records[i].at, newest->at) >= 0)
			newest = &records[i];
	}
	record_summary(out, newest);
	buf_adds(out, "\n\n");
	for (size_t i = 0; i < n; i++)
		add_memory(out, &records[i], SIZE_MAX);
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

/* Append the model's text for the N RECORDS to OUT. Return 0, or -1 with E. */
static int ask_model(struct merge_run *w, const struct record *records,
		     size_t n, struct buf *out, struct err *e)
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
	if (!len || len > MERGED_MAX)
		err_set(e, ERR_HELPER,
			len ? "the reply is longer than %d bytes"
			    : "the reply is empty: 1 to %d bytes are wanted",
			MERGED_MAX);
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

/* Return the tags of all COUNT RECORDS, allocated in A, and set *N. Duplicates
 * are not removed. */
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

/* Save TEXT as a draft that replaces the N RECORDS, and set R to it. */
static int save_draft(struct merge_run *w, const struct record *records,
		      size_t n, const char *key, const struct buf *text,
		      struct arena *a, struct record *r, struct err *e)
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

/* Propose a draft for RECORDS, the members of G. Return 0, or -1 with E. */
static int propose_draft(struct merge_run *w, const struct similar_group *g,
			 const struct record *records, const char *key,
			 struct arena *a, struct err *e)
{
	struct buf text = {0};
	struct record draft;
	int r = 0;

	if (w->llm)
		r = ask_model(w, records, g->n, &text, e);
	else
		list_memories(&text, records, g->n);
	while (text.len && text.p[text.len - 1] == '\n')
		buf_cut(&text, text.len - 1);
	add_sources(&text, records, g->n);
	if (!r)
		r = save_draft(w, records, g->n, key, &text, a, &draft, e);
	if (!r)
		w->m->tell(w->m->ctx, g, &draft);
	buf_release(&text);
	return r;
}

/* Return true if one of the N RECORDS contradicts another. */
static bool contradict(struct record *records, size_t n, struct arena *a)
{
	similar_contradicted_note(records, n, a);
	for (size_t i = 0; i < n; i++) {
		if (records[i].contradicts.n)
			return true;
	}
	return false;
}

static int handle_group(void *ctx, const struct similar_group *g)
{
	struct merge_run *w = ctx;
	struct record records[SIMILAR_GROUP];
	char key[SHA256_HEX];
	struct arena a = {0};
	struct err why;
	int r = 0;

	for (size_t i = 0; i < g->n && !r; i++) {
		if (store_read(w->s, g->members[i]->path, &a, &records[i],
			       NULL) != 1)
			r = 1; /* it changed meanwhile */
	}
	if (!r)
		hash_group(records, g->n, key);
	if (!r && strstr(buf_str(&w->known), key))
		r = 1;
	if (!r && contradict(records, g->n, &a)) {
		w->m->left_out++;
		w->m->tell_left_out(w->m->ctx, g);
		r = 1;
	}
	if (!r && w->m->proposed == w->m->max) {
		w->m->more++;
	} else if (!r) {
		progress_step(w->s->progress, "groups", ++w->m->proposed, 0);
		if (w->m->dry)
			w->m->tell(w->m->ctx, g, NULL);
		else
			r = propose_draft(w, g, records, key, &a, &why);
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

int decide_propose_merges(struct merging *m, struct store *s, const char *argv0,
			  const struct report *report, struct err *e)
{
	struct merge_run w = {.m = m, .s = s, .report = report, .e = e};
	const struct settings *settings;
	struct arena a = {0};
	int r = -1;

	store_batch(s);
	if (store_each(s, AREA_DRAFTS, add_known_group, &w.known, e) < 0 ||
	    store_each(s, AREA_TRASH, add_known_group, &w.known, e) < 0)
		goto out;
	settings_user(&settings, &a, report, NULL);
	if (!m->dry && (request_find(&w.prompts, settings, argv0, e) < 0 ||
			llm_open(settings, argv0, &w.llm, e) < 0))
		goto out;
	r = similar_groups(s, MERGING_ALIKE, handle_group, &w, e);
out:
	llm_close(w.llm);
	request_release(&w.prompts);
	buf_release(&w.known);
	arena_release(&a);
	return r;
}
