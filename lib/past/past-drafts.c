/* past-drafts.c: find, leave out what is known, ask the model if there is one, save. */
#include "past/past-drafts.h"

#include "base/date.h"
#include "evidence/cites.h"
#include "format/json-write.h"
#include "past/commit-log.h"
#include "past/known.h"
#include "past/past-read.h"
#include "past/statements.h"
#include "store/save.h"
#include "text/sanitize.h"

#define BYTES_PER_TOKEN 4
#define COMMIT_SHORT 10 /* digits of a commit for people */

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

/* Save ONE as a draft, and note it in D.  Returns 0, 1 if it is known, or -1. */
static int save_draft(struct past_drafts *p, const struct candidate *one,
		      struct past_draft *d, struct err *e)
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
		*d = (struct past_draft){r.id, arena_strdup(&p->arena, r.path)};
	arena_release(&a);
	return known;
}

/* Save the first N candidates.  What cannot be saved is reported. */
static int save_all(struct past_drafts *p, struct err *e)
{
	struct err why;

	store_batch(p->store);
	for (size_t i = 0; i < p->n; i++) {
		const int r =
			save_draft(p, &p->found.items[i], &p->drafts[i], &why);

		if (r < 0 && why.code != ERR_DATA) {
			*e = why;
			return -1;
		}
		if (r < 0) {
			err_report(p->store->report, &why);
			p->refused++;
		}
		p->known += r == 1;
		progress_step(p->store->progress, "drafts", i + 1, p->n);
	}
	return 0;
}

static int drop_known(struct past_drafts *p, struct err *e)
{
	const size_t n = p->found.n;

	if (known_drop(&p->found, p->store, e) < 0 ||
	    (p->user && known_drop(&p->found, p->user, e) < 0))
		return -1;
	p->known += n - p->found.n;
	return 0;
}

/* Set the number of drafts and make room for what becomes of them. */
static void cut_drafts(struct past_drafts *p)
{
	p->n = p->found.n < p->max ? p->found.n : p->max;
	p->over = p->found.n - p->n;
	p->drafts = arena_alloc(&p->arena, (p->n + 1) * sizeof(*p->drafts));
}

int past_drafts_run(struct past_drafts *p, struct err *e)
{
	char *dir = root_folder(&p->store->repo.root);
	int r;

	p->found.dir = dir;
	p->found.range = p->range;
	p->found.progress = p->store->progress;
	p->found.report = p->store->report;
	r = past_read(&p->found, e);
	if (!r)
		r = drop_known(p, e);
	if (!r && p->apply && p->model->llm && p->found.n) {
		r = statements_ask(p->model, &p->found, e);
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

void past_drafts_release(struct past_drafts *p)
{
	candidates_release(&p->found);
	arena_release(&p->arena);
}

/* Append ONE, saved as D, for people: its source, and its text indented. */
static void add_draft(struct buf *out, const struct candidate *one,
		      const struct past_draft *d)
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

/* Append what was left out, and why. */
static void add_left_out(struct buf *out, const struct past_drafts *p)
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
	if (p->refused)
		buf_addf(out, "not saved: %zu\n", p->refused);
}

void past_drafts_text(struct buf *out, const struct past_drafts *p,
		      const char *provider)
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
		n = statements_compose(&sent, &p->found);
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
		       const struct past_draft *d)
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

void past_drafts_json(struct buf *out, const struct past_drafts *p,
		      const char *provider)
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
	json_write_size(out, "known", p->known);
	json_write_size(out, "over", p->over);
	json_write_size(out, "refused", p->refused);
	json_write_open(out, "drafts", '[');
	for (size_t i = 0; i < p->n; i++) {
		if (!p->apply || p->drafts[i].id)
			json_draft(out, &p->found.items[i], &p->drafts[i]);
	}
	json_write_close(out, ']');
	json_write_close(out, '}');
	buf_addc(out, '\n');
}
