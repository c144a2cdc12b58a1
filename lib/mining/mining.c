/* mining.c: find texts, drop those that a store has, ask the model if there is one,
 * and save drafts. */
#include "mining/mining.h"

#include "base/date.h"
#include "evidence/cites.h"
#include "harvest/harvest.h"
#include "mining/commit-log.h"
#include "rank/alike.h"
#include "store/save.h"
#include "text/sanitize.h"

#define NAME "git" /* of the conversation in the request */
#define BYTES_PER_TOKEN 4
#define COMMIT_SHORT 10 /* digits of a commit for people */
#define ALIKE_KNOWN 70	/* per cent from which a text is known */

/* Statements: a model may put what the candidates say into its own words. */

/* Append the candidates of C as the text of a request, at most CONVERSATION_PART bytes
 * and the best ones first. Returns how many. */
static size_t compose_request(struct buf *out, const struct candidates *c)
{
	size_t n = 0;

	for (; n < c->n; n++) {
		const struct candidate *one = &c->items[n];
		const size_t before = out->len;

		buf_addf(out, "[%s, %s]\n", candidates_kind_name(one->kind),
			 one->cite);
		buf_add(out, one->text, one->len);
		buf_adds(out, "\n\n");
		if (out->len > CONVERSATION_PART) {
			buf_cut(out, before);
			break;
		}
	}
	return n;
}

/* Return the one of the N candidates WAS, whose words are in WORDS, that shares the
 * most words with the statement TEXT; NULL if none shares one. */
static const struct candidate *find_support(const struct candidate *was,
					    const struct alike *words, size_t n,
					    const struct alike *text)
{
	const struct candidate *best = NULL;
	int most = 0;

	for (size_t i = 0; i < n; i++) {
		const int alike = alike_compare(&words[i], text);

		if (alike > most) {
			most = alike;
			best = &was[i];
		}
	}
	return best;
}

/* Replace the candidates of C by the items of REPLY. The source of an item is the one of
 * the first N candidates with which it shares the most words. */
static void replace_all(struct candidates *c, const struct reply *reply,
			size_t n)
{
	struct candidate *was = c->items;
	struct alike *words = mem_alloc((n + 1) * sizeof(*words));
	struct alike text = {0};
	struct terms terms = {0};

	memset(words, 0, (n + 1) * sizeof(*words));
	for (size_t i = 0; i < n; i++)
		alike_read(&words[i], &terms, was[i].text, was[i].len);
	c->items = NULL;
	c->n = c->cap = 0;
	for (size_t i = 0; i < reply->n; i++) {
		const struct reply_item *it = &reply->items[i];
		const struct candidate *from;
		struct candidate one;

		if (it->key != REPLY_FACTS && it->key != REPLY_DECISIONS &&
		    it->key != REPLY_PLAYBOOKS)
			continue;
		alike_read(&text, &terms, it->text, it->len);
		from = find_support(was, words, n, &text);
		if (!from)
			continue;
		one = *from;
		one.text = it->text;
		one.len = it->len;
		candidates_add(c, &one);
	}
	for (size_t i = 0; i < n; i++)
		alike_release(&words[i]);
	alike_release(&text);
	terms_release(&terms);
	free(words);
	free(was);
}

/* Replace the candidates of C by the facts, decisions and playbooks that the model of H
 * makes of them. A statement cites the candidate with which it shares the most words;
 * one that shares none is dropped, since nothing supports it. Returns 0 or -1:
 * ERR_HELPER, ERR_SYSTEM for a limit, ERR_NO if co itself started this program. */
static int ask_for_statements(struct harvest *h, struct candidates *c,
			      struct err *e)
{
	struct buf text = {0};
	struct harvest_question q = {.name = NAME, .label = NAME};
	struct reply reply;
	size_t n;
	int r;

	if (harvest_check_inside(e) < 0)
		return -1;
	n = compose_request(&text, c);
	if (!n) {
		buf_release(&text);
		return 0;
	}
	q.p = text.p;
	q.len = text.len;
	r = harvest_ask(h, &q, &c->arena, &reply, e);
	if (!r) {
		replace_all(c, &reply, n);
		candidates_sort(c);
	}
	buf_release(&text);
	return r;
}

/* Candidates that a store has already. */

struct look {
	struct candidates *c;
	struct store *store;
	struct alike *words; /* of each candidate */
	bool *known;
	struct alike text; /* of the record */
	struct terms terms;
};

/* Return true if R cites the commit of ONE. */
static bool cites_commit(const struct cites *cites, const struct candidate *one)
{
	for (size_t i = 0; i < cites->n; i++) {
		if (cites->items[i].commit &&
		    !strcmp(cites->items[i].path, one->commit))
			return true;
	}
	return false;
}

/* A store_fn. */
static int mark_known(void *ctx, const struct record *r)
{
	struct look *l = ctx;
	struct arena a = {0};
	struct cites cites = {0};
	struct value v;

	if (store_find_key(l->store, r, "cites", &a, &v) == 1)
		cites_read(&cites, &v, r->path, &a, NULL);
	alike_read(&l->text, &l->terms, r->content, r->content_len);
	for (size_t i = 0; i < l->c->n; i++) {
		const struct candidate *one = &l->c->items[i];

		l->known[i] =
			l->known[i] ||
			alike_compare(&l->words[i], &l->text) >= ALIKE_KNOWN ||
			(one->commit && one->kind != CANDIDATE_TRAILER &&
			 cites_commit(&cites, one));
	}
	arena_release(&a);
	return 0;
}

/* Remove from C what S has as a memory, a draft, or in the archive or the trash: a text
 * that is nearly equal, or one that cites the commit. A commit with several trailers
 * is known only by their texts. Returns 0, or -1 if S cannot be read. */
static int drop_known_to(struct candidates *c, struct store *s, struct err *e)
{
	static const enum area areas[] = {AREA_MEMORIES, AREA_DRAFTS,
					  AREA_ARCHIVE, AREA_TRASH};
	struct look l = {.c = c, .store = s};
	size_t n = 0;
	int r = 0;

	if (!c->n)
		return 0;
	l.words = mem_alloc(c->n * sizeof(*l.words));
	l.known = mem_alloc(c->n * sizeof(*l.known));
	memset(l.words, 0, c->n * sizeof(*l.words));
	memset(l.known, 0, c->n * sizeof(*l.known));
	for (size_t i = 0; i < c->n; i++)
		alike_read(&l.words[i], &l.terms, c->items[i].text,
			   c->items[i].len);
	for (size_t i = 0; i < ARRAY_LEN(areas) && !r; i++)
		r = store_each(s, areas[i], mark_known, &l, e);
	for (size_t i = 0; i < c->n; i++) {
		alike_release(&l.words[i]);
		if (r || !l.known[i])
			c->items[n++] = c->items[i];
	}
	c->n = n;
	free(l.words);
	free(l.known);
	alike_release(&l.text);
	terms_release(&l.terms);
	return r;
}

/* Set *EXTRA, allocated in A, to the free keys of ONE. */
static int make_keys(struct store *s, const struct candidate *one,
		     struct arena *a, const struct value **extra, struct err *e)
{
	struct value *keys = arena_alloc(a, sizeof(*keys));
	const struct strings given = {.items = (const char *[]){one->cite},
				      .n = 1};

	*keys = (struct value){.kind = VALUE_MAP};
	return cites_settle(&s->repo, &given, keys, a, extra, e);
}

/* Save ONE as a draft, and note it in D. Returns 0, 1 if it is known, or -1. */
static int save_draft(struct mining *p, const struct candidate *one,
		      struct mining_draft *d, struct err *e)
{
	const char *tags[] = {CANDIDATE_TAG, candidates_kind_name(one->kind)};
	struct store_new new = {.content = one->text,
				.len = one->len,
				.tags = tags,
				.ntags = ARRAY_LEN(tags),
				.source = CANDIDATE_SOURCE,
				.trust = CANDIDATE_TRUST,
				.draft = true,
				.when = SAVE_UNLESS_KNOWN};
	struct arena a = {0};
	char created[INSTANT_TEXT];
	struct record r;
	int known = make_keys(p->store, one, &a, &new.extra, e);

	if (!known) {
		if (candidates_time(one, created))
			new.created = created;
		known = save_memory(p->store, &new, &a, &r, e);
	}
	if (!known)
		*d = (struct mining_draft){r.id,
					   arena_strdup(&p->arena, r.path)};
	arena_release(&a);
	return known;
}

/* Save the first N candidates. What cannot be saved is reported. */
static int save_all(struct mining *p, struct err *e)
{
	struct err why;

	store_batch(p->store);
	for (size_t i = 0; i < p->n; i++) {
		const int r =
			save_draft(p, &p->found.items[i], &p->drafts[i], &why);

		if (r < 0 && why.code != ERR_DATA)
			return err_take(e, &why);
		if (r < 0) {
			err_report(p->store->report, &why);
			p->refused++;
		}
		p->known += r == 1;
		progress_step(p->store->progress, "drafts", i + 1, p->n);
	}
	return 0;
}

static int drop_known(struct mining *p, struct err *e)
{
	const size_t n = p->found.n;

	if (drop_known_to(&p->found, p->store, e) < 0 ||
	    (p->user && drop_known_to(&p->found, p->user, e) < 0))
		return -1;
	p->known += n - p->found.n;
	return 0;
}

/* Set the number of drafts and make room for what becomes of them. */
static void cut_drafts(struct mining *p)
{
	p->n = p->found.n < p->max ? p->found.n : p->max;
	p->over = p->found.n - p->n;
	p->drafts = arena_alloc(&p->arena, (p->n + 1) * sizeof(*p->drafts));
}

int mining_run(struct mining *p, struct err *e)
{
	char *dir = root_folder(&p->store->repo.root);
	int r;

	p->found.dir = dir;
	p->found.range = p->range;
	p->found.progress = p->store->progress;
	p->found.report = p->store->report;
	r = mining_read(&p->found, e);
	if (!r)
		r = drop_known(p, e);
	if (!r && p->apply && p->model->llm && p->found.n) {
		r = ask_for_statements(p->model, &p->found, e);
		if (!r)
			r = drop_known(p, e);
	}
	if (!r)
		cut_drafts(p);
	if (!r && p->apply)
		r = save_all(p, e);
	free(dir);
	p->found.dir = NULL;
	return r;
}

void mining_release(struct mining *p)
{
	candidates_release(&p->found);
	arena_release(&p->arena);
}

/* Append ONE, saved as D, for people: its source, and its text indented. */
static void add_draft(struct buf *out, const struct candidate *one,
		      const struct mining_draft *d)
{
	char day[DATE_DAY_TEXT], at[INSTANT_TEXT];
	const char *p = one->text;

	if (d->id)
		buf_addf(out, "✓ %lld ", (long long)d->id);
	buf_addf(out, "%s ", candidates_kind_name(one->kind));
	if (one->commit)
		buf_addf(out, "%.*s", COMMIT_SHORT, one->commit);
	else
		sanitize_terminal(out, one->cite, strlen(one->cite), false);
	if (candidates_time(one, at))
		buf_addf(out, " (%s)",
			 date_day((struct instant){.sec = one->at}, day));
	buf_addc(out, '\n');
	for (size_t n; *p; p += n + (p[n] == '\n')) {
		n = strcspn(p, "\n");
		if (n)
			buf_adds(out, "    ");
		sanitize_terminal(out, p, n, false);
		buf_addc(out, '\n');
	}
	buf_addc(out, '\n');
}

/* The reasons, as members of the JSON object, and in words. */
static const struct {
	const char *name, *words;
} reasons[CANDIDATES_LEFT] = {
	[LEFT_SUBJECT] = {"subject_only", "commits with only a subject"},
	[LEFT_ROUTINE] = {"routine", "commits by programs, and releases"},
	[LEFT_REASON] = {"no_reason", "messages without a rule or a reason"},
	[LEFT_CHANGED] = {"changed", "messages on code that changed since"},
	[LEFT_OLD] = {"old", "messages that are too old"},
	[LEFT_BETTER] = {"weaker", "messages, weaker than the best"},
	[LEFT_RULE] = {"no_rule", "sections without a command or a rule"},
	[LEFT_PEOPLE] = {"other", "sections for users, or on people"},
	[LEFT_LONG] = {"long", "sections that are too long"},
	[LEFT_GONE] = {"gone", "texts with commands that are gone"},
};

/* Append how many texts were left out, and the reasons. */
static void add_left_out(struct buf *out, const struct mining *p)
{
	const struct candidates *c = &p->found;

	if (c->more)
		buf_addf(out,
			 "only the newest %zu commits were read; a RANGE names "
			 "older ones\n",
			 CANDIDATES_COMMITS);
	if (c->shallow)
		buf_adds(out, "this clone is shallow: 'git fetch --unshallow' "
			      "gets older commits\n");
	if (c->skipped)
		buf_addf(out, "messages that are too long, not read: %zu\n",
			 c->skipped);
	if (c->secrets)
		buf_addf(out, "left out, may hold a secret: %zu\n", c->secrets);
	if (c->hidden)
		buf_addf(out, "left out, with hidden characters: %zu\n",
			 c->hidden);
	for (size_t i = 0; i < CANDIDATES_LEFT; i++) {
		if (c->left[i])
			buf_addf(out, "left out, %s: %zu\n", reasons[i].words,
				 c->left[i]);
	}
	if (!c->files && !c->range)
		buf_adds(out, "git tracks no guide for contributors, README "
			      "or ADR here\n");
	if (p->refused)
		buf_addf(out, "not saved: %zu\n", p->refused);
}

void mining_text(struct buf *out, const struct mining *p, const char *provider)
{
	struct buf sent = {0};
	size_t n;

	for (size_t i = 0; i < p->n; i++) {
		if (!p->apply || p->drafts[i].id)
			add_draft(out, &p->found.items[i], &p->drafts[i]);
	}
	buf_addf(out, "read: commits:%zu, files:%zu\n", p->found.commits,
		 p->found.files);
	buf_addf(out, "drafts: %zu, known already: %zu, over --max: %zu\n",
		 p->n, p->known, p->over);
	add_left_out(out, p);
	if (!p->apply && strcmp(provider, "none") != 0) {
		n = compose_request(&sent, &p->found);
		buf_addf(out,
			 "with --apply, the model is asked about %zu texts "
			 "(~%zu input tokens)\n",
			 n, sent.len / BYTES_PER_TOKEN);
	}
	if (!p->apply)
		buf_adds(out, "dry run; pass --apply to save drafts\n");
	buf_release(&sent);
}

static void json_draft(struct buf *out, const struct candidate *one,
		       const struct mining_draft *d)
{
	json_write_open(out, NULL, '{');
	if (d->id)
		json_write_int(out, "id", d->id);
	else
		json_write_text(out, "id", NULL);
	json_write_text(out, "path", d->path);
	json_write_text(out, "kind", candidates_kind_name(one->kind));
	candidates_json(out, one);
	json_write_close(out, '}');
}

void mining_json(struct buf *out, const struct mining *p, const char *provider)
{
	json_write_open(out, NULL, '{');
	json_write_text(out, "root", p->store->repo.path);
	json_write_bool(out, "apply", p->apply);
	json_write_text(out, "from", CANDIDATE_SOURCE);
	json_write_text(out, "range", p->range);
	json_write_text(out, "provider", provider);
	json_write_size(out, "commits", p->found.commits);
	json_write_size(out, "files", p->found.files);
	json_write_bool(out, "more", p->found.more);
	json_write_bool(out, "shallow", p->found.shallow);
	json_write_size(out, "too_long", p->found.skipped);
	json_write_size(out, "secrets", p->found.secrets);
	json_write_size(out, "hidden", p->found.hidden);
	json_write_open(out, "left_out", '{');
	for (size_t i = 0; i < CANDIDATES_LEFT; i++)
		json_write_size(out, reasons[i].name, p->found.left[i]);
	json_write_close(out, '}');
	json_write_size(out, "known", p->known);
	json_write_size(out, "over", p->over);
	json_write_size(out, "refused", p->refused);
	json_write_open(out, "drafts", '[');
	for (size_t i = 0; i < p->n; i++) {
		if (!p->apply || p->drafts[i].id)
			json_draft(out, &p->found.items[i], &p->drafts[i]);
	}
	json_write_close(out, ']');
	json_write_end(out);
}
