/* status.c: one pass over each store, the context and the settings; then the
 * same facts are printed as text or as JSON.
 */
#include "overview/status.h"

#include "agent/delivery.h"
#include "agent/hook.h"
#include "base/date.h"
#include "embed/vectors.h"
#include "harvest/harvest.h"
#include "mcp/server.h"
#include "model/llm.h"
#include "repo/marks.h"
#include "search/cited.h"
#include "search/projects.h"
#include "search/similar.h"
#include "setup/sendable.h"
#include "sys/dirs.h"
#include "sys/git.h"
#include "sys/process.h"

#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#define IDS_SHOWN 10 /* of memories that a session got */

struct id_list {
	int64_t *items;
	size_t n, cap;
	size_t due; /* due memories that are neither expired nor replaced */
	size_t replaced, conflicted;
};

static int add_memory(void *ctx, const struct record *r)
{
	struct id_list *id_list = ctx;

	*MEM_ADD(id_list->items, id_list->n, id_list->cap) = r->id;
	id_list->replaced += (marks_now(&r->keys) & MARK_REPLACED) != 0;
	id_list->conflicted += r->conflict != 0;
	id_list->due += (marks_now(&r->keys) &
			 (MARK_DUE | marks_past() | MARK_REPLACED)) == MARK_DUE;
	return 0;
}

static int count_record(void *ctx, const struct record *r)
{
	*(size_t *)ctx += !layout_is_accepted(r->path);
	return 0;
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Set sr->twice to the ids that occur more than once in IDS, allocated in A. */
static void find_duplicates(struct status_root *sr, struct id_list *id_list,
			    struct arena *a)
{
	MEM_SORT(id_list->items, id_list->n, by_value);
	sr->twice = arena_alloc(a, id_list->n / 2 * sizeof(*sr->twice));
	for (size_t i = 1; i < id_list->n; i++) {
		if (id_list->items[i] == id_list->items[i - 1] &&
		    (!sr->ntwice ||
		     sr->twice[sr->ntwice - 1] != id_list->items[i]))
			sr->twice[sr->ntwice++] = id_list->items[i];
	}
}

static int count_all(struct status_root *sr, struct store *store,
		     struct arena *a, struct err *e)
{
	struct id_list id_list = {0};
	int r = -1;

	if (store_each(store, AREA_MEMORIES, add_memory, &id_list, e) < 0 ||
	    article_count(store, &sr->articles, e) < 0 ||
	    store_each(store, AREA_DRAFTS, count_record, &sr->drafts, e) < 0 ||
	    store_each(store, AREA_TRASH, count_record, &sr->trash, e) < 0)
		goto out;
	r = 0;
	sr->team = store_is_team(store);
	sr->memories = id_list.n - id_list.replaced;
	sr->due = id_list.due;
	sr->conflicted = id_list.conflicted;
	find_duplicates(sr, &id_list, a);
out:
	free(id_list.items);
	return r;
}

/* Counts the memories whose sources have changed; their citations come in a row. */
struct stale_counts {
	struct status_root *sr;
	int64_t stale, unchecked; /* the last memory that was counted */
};

static void count_cited(void *ctx, const struct cited *one)
{
	struct stale_counts *c = ctx;
	const int64_t id = one->r->id;
	const bool changed =
		one->state == EVIDENCE_CHANGED || one->state == EVIDENCE_GONE;
	/* A page without an article, and a file that a memory of the user cites,
	 * are never checked. */
	const bool skipped = one->state == EVIDENCE_UNCHECKED && !one->c->url &&
			     one->r->scope == SCOPE_PROJECT;

	c->sr->stale += changed && id != c->stale;
	c->sr->unchecked += skipped && id != c->unchecked;
	c->stale = changed ? id : c->stale;
	c->unchecked = skipped ? id : c->unchecked;
}

static int count_stale(struct status_root *sr, struct store *s, struct err *e)
{
	const struct evidence_limits limits = {CITED_ALL_HASHED,
					       CITED_ALL_FILES};
	struct evidence *ev = evidence_new(&s->repo, limits);
	const struct report *report = s->report;
	struct stale_counts c = {.sr = sr};
	int r;

	s->report = NULL; /* broken files were reported when counted */
	r = cited_all(s, ev, count_cited, &c, NULL, e);
	s->report = report;
	evidence_free(ev);
	return r;
}

/* The memories of a store that co list shows. */
struct listed {
	struct store *store;
	struct results found;
};

static int add_listed(void *ctx, const struct record *r)
{
	struct listed *l = ctx;

	if (!(store_marks(l->store, &r->keys, NULL) & marks_hidden()))
		results_add(&l->found, l->store, r, NULL);
	return 0;
}

static int count_contradicted(struct status_root *sr, struct store *s,
			      struct err *e)
{
	const struct report *report = s->report;
	struct listed l = {s,
			   {.order = RESULTS_NEWEST,
			    .max = STATUS_COMPARED,
			    .whole = true}};
	int r;

	s->report = NULL; /* broken files were reported when counted */
	r = store_each(s, AREA_MEMORIES, add_listed, &l, e);
	s->report = report;
	if (r == 0)
		similar_contradicted_keep(&l.found);
	sr->contradicted = l.found.n;
	results_release(&l.found);
	return r;
}

/* Open the encoder of the user's settings, if it is in this process. */
static struct embed *open_encoder(struct status *s, const char *argv0)
{
	const struct settings *settings;
	struct embed *encoder = NULL;
	struct err e;

	if (settings_user(&settings, &s->arena, NULL, &e) < 0 ||
	    embed_open(settings, argv0, &encoder, &e) < 1)
		return NULL;
	if (embed_is_local(encoder))
		return encoder;
	embed_close(encoder);
	return NULL;
}

static size_t count_missing_vectors(struct cache *c, struct embed *encoder)
{
	struct vectors *v = vectors_open(c, encoder);
	const size_t missing = vectors_missing(v);

	vectors_close(v);
	return missing;
}

/* Set *N to the number of lines that git prints for WORDS below the root SR; false if git
 * fails, or prints no line. */
static bool count_lines(const struct status_root *sr, const char *const *words,
			size_t *n)
{
	struct buf out = {0};
	struct err e; /* co sync reports it */
	const int r = git_ask(sr->path, words, "", 0, &out, &e);

	*n = 0;
	for (size_t i = 0; !r && i < out.len; i++)
		*n += out.p[i] == '\n';
	buf_release(&out);
	return *n > 0;
}
#define GIT_LINES(sr, n, ...) \
	count_lines(sr, (const char *const[]){__VA_ARGS__, NULL}, n)

/* Count the changed files of STORE, the user's, that a sync would commit. */
static void count_uncommitted(struct status_root *sr, struct store *store)
{
	const struct report *report = store->report;
	struct sendable files;
	struct buf out = {0};
	struct err e; /* what cannot be read was reported when counted */
	int r;

	store->report = NULL;
	r = sendable_load(&files, store, sr->path, "", &e);
	store->report = report;
	if (!r)
		r = GIT_ASK(sr->path, &out, &e, "status", "--porcelain", "-z",
			    "-uall", "--no-renames", "--", "knowledge");
	for (size_t i = 0; !r && i + 3 < out.len; i += strlen(out.p + i) + 1)
		sr->uncommitted += sendable_allows(&files, out.p + i);
	buf_release(&out);
	sendable_release(&files);
}

/* Compare the user's store with what its repository knows of the remote. The remote is
 * not asked. */
static void gather_remote(struct status_root *sr, struct store *store)
{
	size_t n;

	if (sr->scope != SCOPE_GLOBAL || !sr->exists ||
	    faccessat(store->repo.root.fd, ".git", F_OK, 0) < 0 ||
	    !GIT_LINES(sr, &n, "remote"))
		return;
	sr->has_remote = true;
	count_uncommitted(sr, store);
	GIT_LINES(sr, &sr->unsent, "rev-list", "--branches", "--not",
		  "--remotes", "--", "knowledge");
	GIT_LINES(sr, &sr->unmerged, "rev-list", "--remotes", "--not",
		  "--branches", "--", "knowledge");
}

/* Append the commits that are not sent to the remote or not merged from it. */
static void remote_text(struct buf *out, const struct status_root *sr)
{
	const struct {
		size_t n;
		const char *one, *more;
	} parts[] = {
		{sr->uncommitted, "file not committed", "files not committed"},
		{sr->unsent, "commit not sent", "commits not sent"},
		{sr->unmerged, "commit not merged", "commits not merged"}};
	bool any = false;

	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		if (!parts[i].n)
			continue;
		buf_addf(out, "%s%zu %s", any ? ", " : "\n    remote    ",
			 parts[i].n,
			 parts[i].n == 1 ? parts[i].one : parts[i].more);
		any = true;
	}
	if (any)
		buf_adds(out, ": 'co sync'");
}

static void gather_root(struct status *s, struct status_root *sr,
			struct store *store, struct embed *encoder,
			const struct report *r)
{
	bool held;
	struct buf above = {0};
	struct err e;

	sr->path = arena_strdup(&s->arena, store->repo.root.path);
	if (root_hides(&store->repo.root, &above))
		sr->hides = arena_strdup(&s->arena, above.p);
	buf_release(&above);
	sr->exists = store->repo.root.fd >= 0;
	sr->merge = sr->scope == SCOPE_PROJECT
			    ? setup_git_look(&store->repo.root)
			    : SETUP_GIT_NO_CLONE;
	held = cache_hold(store->cache, REFRESH_DOCUMENTS, NULL) == 1;
	if (count_all(sr, store, &s->arena, &e) < 0 ||
	    count_stale(sr, store, &e) < 0 ||
	    count_contradicted(sr, store, &e) < 0) {
		sr->unread = s->failed = true;
		err_report(r, &e);
		return;
	}
	gather_remote(sr, store);
	index_status(&sr->index, store);
	if (held && encoder && sr->index.state != INDEX_NONE)
		sr->vectors_missing =
			count_missing_vectors(store->cache, encoder);
}

static void gather_model(struct status *s, const char *argv0)
{
	struct llm *l = NULL;
	struct err e;
	const int r = llm_open(s->settings, argv0, &l, &e);

	s->model.provider = settings_str(s->settings, "llm.provider");
	if (!r)
		return;
	s->model.name = arena_strdup(&s->arena,
				     r < 0 ? s->model.provider : llm_name(l));
	if (r < 0 || llm_check(l, &e) < 0)
		s->model.trouble = arena_strdup(&s->arena, e.text);
	llm_close(l);
}

/* Set the last harvest and its error from the ledger of STORE, if it is later
 * than the one already set. */
static void gather_ledger(struct status *s, struct store *store)
{
	struct status_harvest *h = &s->harvest;
	struct ledger l;
	struct err e;

	if (ledger_open(&l, store, &e) < 0)
		h->trouble = arena_strdup(&s->arena, e.text);
	for (size_t i = 0; i < l.n; i++) {
		const struct value *v = &l.pairs[i].val;
		const char *at = value_text(v, "at");
		const char *error = value_text(v, "error");
		struct instant when;

		if (!at || !instant_parse_day(at, strlen(at), &when) ||
		    (*h->last && instant_cmp(when, h->when) <= 0))
			continue;
		h->when = when;
		instant_format(when, h->last);
		h->trouble = arena_strdup(&s->arena, error);
	}
	ledger_release(&l);
}

static void count_drafts(void *ctx, struct store *other)
{
	struct status *s = ctx;
	size_t n = 0;
	struct err e;

	if (!other->elsewhere)
		return;
	if (store_count(other, AREA_DRAFTS, &n, &e) < 0) {
		e.code = ERR_NONE;
		err_report(other->report, &e);
	}
	s->others += n > 0;
	s->waiting += n;
}

/* Gather the stores that the project of OWN names. */
static void gather_stores(struct status *s, const struct store *own)
{
	const struct settings_store *all =
		settings_stores(s->settings, &s->arena, &s->nstores);

	s->stores = arena_alloc(&s->arena, s->nstores * sizeof(*s->stores));
	for (size_t i = 0; i < s->nstores; i++) {
		struct status_store *to = &s->stores[i];
		struct store store;
		struct err e;

		*to = (struct status_store){.name = all[i].name,
					    .path = all[i].path};
		to->exists = projects_named_open(&store, &all[i], own,
						 &s->arena, &e);
		if (to->exists == 1) {
			to->external = store.external;
			if (store_count(&store, AREA_MEMORIES, &to->memories,
					&e) < 0)
				to->exists = -1;
			store_close(&store);
		}
		if (to->exists < 0) {
			err_report(own->report, &e);
			s->failed = true;
		}
	}
}

/* Find the unsaved texts for the store that an agent here saves to. */
static void find_unsaved(struct status *s)
{
	const bool project = s->roots[0].exists;
	struct identity is;
	struct root r;

	if (root_find(&r, project ? SCOPE_PROJECT : SCOPE_GLOBAL, NULL) < 0)
		return;
	identity_of(&is, &r, NULL); /* its directory is enough */
	unsaved_look(&s->unsaved, &is, &s->arena);
	root_release(&r);
}

/* Report that the configuration of an agent cannot be read, unless WHY is NULL. */
static void report_unread(struct status *s, const char *why,
			  const struct report *r)
{
	if (!why)
		return;
	s->failed = true;
	err_warn(r, ERR_SYSTEM, "%s", why);
}

/* Gather the agents and what their last sessions in this project got. */
static void gather_agents(struct status *s, const char *argv0,
			  const struct report *r)
{
	const struct value *events;
	struct err e;
	size_t n;

	s->nagents = setup_agents(&s->agents, true, argv0, &s->arena);
	s->last = arena_alloc(&s->arena, s->nagents * sizeof(*s->last));
	if (shown_list_all(&events, &n, &s->arena, &e) < 0) {
		s->failed = true;
		err_report(r, &e);
	}
	for (size_t i = 0; i < s->nagents; i++) {
		const struct setup_agent *item = &s->agents[i];

		shown_list_find_last(&s->last[i], item->agent->name, events, n,
				     &s->arena);
		if (dirs_known())
			report_unread(s, item->why[0], r);
		/* An unreadable root was already reported. */
		if (s->roots[0].path)
			report_unread(s, item->why[1], r);
	}
}

void status_gather(struct status *s, const char *argv0, const struct report *r)
{
	static const enum scope order[] = {SCOPE_PROJECT, SCOPE_GLOBAL};
	struct embed *encoder = open_encoder(s, argv0);
	struct store stores[2];
	bool open[2];
	int fds[2] = {-1, -1};

	context_load(&s->context, CONTEXT_BOTH, r);
	for (size_t i = 0; i < ARRAY_LEN(order); i++) {
		const size_t part = order[i] == SCOPE_GLOBAL ? 0 : 1;
		struct err e;

		s->roots[i].scope = order[i];
		open[i] = !store_open(&stores[i], order[i], r, &e);
		/* An unreadable root was already reported with the context. */
		if (!open[i] && s->context.parts[part].path &&
		    s->context.parts[part].state != CONTEXT_UNREADABLE)
			err_report(r, &e);
		if (open[i]) {
			gather_root(s, &s->roots[i], &stores[i], encoder, r);
			fds[i] = stores[i].repo.root.fd;
		} else if (order[i] == SCOPE_PROJECT || dirs_known()) {
			s->failed = true;
		}
	}
	embed_close(encoder);
	s->settings = settings_load(fds[1], s->roots[1].path, fds[0],
				    s->roots[0].path, &s->arena, r);
	gather_model(s, argv0);
	if (!delivery_is_late(s->late))
		*s->late = '\0';
	find_unsaved(s);
	gather_agents(s, argv0, r);
	if (open[0])
		gather_stores(s, &stores[0]);
	if (open[0])
		projects_each(&stores[0], count_drafts, s);
	s->harvest.on =
		!strcmp(settings_str(s->settings, "harvest.auto"), "on");
	for (size_t i = 0; i < ARRAY_LEN(order); i++) {
		if (open[i] && s->harvest.on)
			gather_ledger(s, &stores[i]);
		if (open[i])
			store_close(&stores[i]);
	}
}

void status_tools(struct status *s, const char *argv0)
{
	struct execpath *suite = arena_alloc(&s->arena, sizeof(*suite));

	execpath_list(suite, argv0, &s->arena);
	execpath_describe(suite, &s->arena);
	s->suite = suite;
}

void status_release(struct status *s)
{
	for (size_t i = 0; i < s->nagents; i++)
		free(s->last[i].memories.items);
	context_release(&s->context);
	arena_release(&s->arena);
}

static const struct context_part *context_part_of(const struct status *s,
						  enum scope scope)
{
	size_t i = s->context.parts[0].scope == scope ? 0 : 1;

	return &s->context.parts[i];
}

/* Return true if a hook ranks the memories of SR without refreshing the index,
 * because they are too many for its time limit. */
static bool skips_refresh(const struct status *s, const struct status_root *sr)
{
	return hook_recalls(s->settings, "prompt") &&
	       sr->memories > hook_looks_most(s->settings);
}

/* Append how many memories have sources that have changed, or were not checked. */
static void stale_text(struct buf *out, const struct status_root *sr)
{
	if (!sr->stale && !sr->unchecked)
		return;
	buf_adds(out, "\n    sources   ");
	if (sr->stale)
		buf_addf(out, "changed or missing for %zu %s%s", sr->stale,
			 sr->stale == 1 ? "memory" : "memories",
			 sr->unchecked ? "; " : "");
	if (sr->unchecked)
		buf_addf(out, "not checked here for %zu %s", sr->unchecked,
			 sr->unchecked == 1 ? "memory" : "memories");
	buf_addf(out, ": '%s%s'",
		 sr->stale ? "co knowledge --check --evidence"
			   : "co-evidence-check",
		 record_scope_option(sr->scope));
}

static void root_text(struct buf *out, const struct status *s,
		      const struct status_root *sr)
{
	const struct context_part *p = context_part_of(s, sr->scope);

	buf_addf(out, "%-9s%s%s\n",
		 sr->scope == SCOPE_GLOBAL ? "user" : "project",
		 sr->path	? sr->path
		 : dirs_known() ? "cannot be read"
				: "none: HOME is not set",
		 sr->path && !sr->exists ? " (not made yet)" : "");
	if (!sr->exists)
		return;
	if (sr->hides)
		buf_addf(out,
			 "    hides     %s, whose memories do not count here\n",
			 sr->hides);
	buf_addf(out, "    context   %s", context_state_name(p->state));
	if (p->state == CONTEXT_ABSENT)
		buf_addf(out, ": 'co context --edit%s' writes one",
			 record_scope_option(sr->scope));
	if (p->size)
		buf_addf(out, ", %zu of %zu bytes%s", p->size, p->budget,
			 p->size > p->budget ? ": over its budget" : "");
	if (p->trouble) {
		buf_adds(out, "\n    trouble   ");
		sanitize_terminal(out, p->trouble, strlen(p->trouble), false);
	}
	buf_adds(out, "\n    memories  ");
	if (sr->unread) {
		buf_adds(out, "cannot be read\n");
		return;
	}
	buf_addf(out, "%zu", sr->memories);
	if (sr->trash)
		buf_addf(out, ", and %zu in the trash", sr->trash);
	if (sr->drafts)
		buf_addf(out, "\n    drafts    %zu waiting: 'co review%s'",
			 sr->drafts, record_scope_option(sr->scope));
	if (sr->due)
		buf_addf(out,
			 "\n    due       %zu for review: 'co review --due%s'",
			 sr->due, record_scope_option(sr->scope));
	stale_text(out, sr);
	if (sr->conflicted)
		buf_addf(out,
			 "\n    unmerged  %zu %s with conflict markers: "
			 "'co resolve%s'",
			 sr->conflicted,
			 sr->conflicted == 1 ? "memory" : "memories",
			 record_scope_option(sr->scope));
	if (sr->contradicted)
		buf_addf(out,
			 "\n    conflicts %zu memories contradict each other: "
			 "'co list "
			 "--contradicted%s'",
			 sr->contradicted, record_scope_option(sr->scope));
	remote_text(out, sr);
	if (sr->articles.files) {
		buf_adds(out, "\n    articles  ");
		article_count_text(out, &sr->articles);
	}
	for (size_t i = 0; i < sr->ntwice; i++)
		buf_addf(out, "%s%" PRId64,
			 i ? ", " : "\n    ids       several files have id ",
			 sr->twice[i]);
	if (sr->ntwice)
		buf_addf(out, ": 'co knowledge --check --fix%s'",
			 record_scope_option(sr->scope));
	if (sr->team)
		buf_adds(out, "\n    team      yes: ids are random, and each "
			      "rule is a memory; see co-team(7)");
	if (sr->index.state != INDEX_NONE) {
		buf_adds(out, "\n    index     ");
		index_status_text(out, &sr->index);
		if (sr->index.state == INDEX_BEHIND)
			buf_adds(out, ": the next search adds them");
		else if (sr->index.state == INDEX_DAMAGED)
			buf_adds(out, ": the next search makes it anew");
	}
	if (sr->vectors_missing)
		buf_addf(out,
			 "\n    vectors   %zu missing for the search by "
			 "meaning: "
			 "'co-index-update%s'",
			 sr->vectors_missing, record_scope_option(sr->scope));
	buf_addc(out, '\n');
	if (sr->merge != SETUP_GIT_NO_CLONE)
		buf_addf(out, "    merge     git merges memories %s\n",
			 sr->merge == SETUP_GIT_DRIVER
				 ? "by their fields"
				 : "as plain lines: 'co setup git'");
	if (skips_refresh(s, sr))
		buf_adds(
			out,
			"    hook      ranks by the index as it was last left, "
			"since hook.timeout_ms is too short\n"
			"              for a look at each file: newest edits "
			"may be missing\n");
}

static void suite_text(struct buf *out, const struct execpath *suite)
{
	buf_adds(out, "tools\n");
	for (size_t i = 0; i < suite->n; i++) {
		const struct execpath_program *p = &suite->items[i];

		if (p->ours)
			buf_addf(out, "    %-24s%-11s%s\n", p->name, p->kind,
				 p->summary);
	}
}

static void offer_text(struct buf *out)
{
	buf_adds(out, "co mcp\n");
	for (const struct mcp_tool *t = mcp_server_tools; t->name; t++)
		buf_addf(out, "    %-24stool       %s\n", t->name, t->title);
	for (const struct mcp_prompt *p = mcp_server_prompts; p->name; p++)
		buf_addf(out, "    %-24sprompt     %s\n", p->name, p->title);
}

/* Append what the last session of an agent got. */
static void last_text(struct buf *out, const struct shown_last *last)
{
	const struct strings *ids = &last->memories;
	char clock[DATE_CLOCK];

	buf_addf(out, "; last session %s got ", date_clock(last->at, clock));
	if (last->bytes)
		buf_addf(out, "%zu bytes of context", last->bytes);
	else
		buf_adds(out, "no context");
	for (size_t i = 0; i < ids->n && i < IDS_SHOWN; i++) {
		buf_adds(out, i		    ? " "
			      : ids->n == 1 ? " and memory "
					    : " and memories ");
		sanitize_terminal(out, ids->items[i], strlen(ids->items[i]),
				  false);
	}
	if (ids->n > IDS_SHOWN)
		buf_addf(out, " and %zu more", ids->n - IDS_SHOWN);
}

/* Append the agents that are set up or found; with --tools all. */
static void agents_text(struct buf *out, const struct status *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->nagents; i++) {
		const struct setup_agent *item = &s->agents[i];
		const bool user = item->user != SETUP_NONE,
			   project = item->project != SETUP_NONE;

		if (!user && !project && !item->found && !s->suite)
			continue;
		buf_addf(out, "%-9s%s: ", n++ ? "" : "agents",
			 item->agent->name);
		if (user || !project)
			buf_adds(out, setup_state_text(item->user));
		if (project)
			buf_addf(out, "%s%s for the project", user ? "; " : "",
				 setup_state_text(item->project));
		if (!user && !project)
			buf_addf(out, " ('co setup %s')", item->agent->name);
		if (s->last[i].at.sec)
			last_text(out, &s->last[i]);
		if ((user || project) && item->agent->unseen)
			buf_addf(out, " (not tracked: %s)",
				 item->agent->unseen);
		buf_addc(out, '\n');
	}
	if (!n)
		buf_adds(out, "agents   none found: 'co setup AGENT' sets one "
			      "up\n");
}

/* Append whether ended sessions are harvested, and the last result. */
static void harvest_text(struct buf *out, const struct status *s)
{
	const struct status_harvest *h = &s->harvest;
	const size_t waiting = s->roots[0].drafts + s->roots[1].drafts;

	if (!h->on)
		return;
	buf_adds(out, "harvest  each session that ends");
	if (!s->model.name)
		buf_adds(out, ", but no model is set");
	if (*h->last)
		buf_addf(out, ", last at %s", h->last);
	else
		buf_adds(out, ", none yet");
	if (h->trouble) {
		buf_adds(out, ": ");
		sanitize_terminal(out, h->trouble, strlen(h->trouble), false);
	}
	buf_addf(out, "; %zu %s\n", waiting,
		 waiting == 1 ? "draft waits" : "drafts wait");
}

/* Append what hooks could not finish. */
static void hook_text(struct buf *out, const struct status *s)
{
	if (*s->late)
		buf_addf(out,
			 "hook     out of time, last at %s: see "
			 "'hook.timeout_ms' in co-settings(5)\n",
			 s->late);
	if (s->unsaved.other) {
		buf_adds(out, "unsaved  lines for another store that was here, "
			      "not used: ");
		sanitize_terminal(out, s->unsaved.other,
				  strlen(s->unsaved.other), false);
		buf_adds(out, "; remove the file if it is not needed\n");
	}
	if (!s->unsaved.n)
		return;
	buf_addf(out, "unsaved  %zu %s to remember: ", s->unsaved.n,
		 s->unsaved.n == 1 ? "line" : "lines");
	if (s->unsaved.why)
		sanitize_terminal(out, s->unsaved.why, strlen(s->unsaved.why),
				  false);
	buf_adds(out, "; the next session here tries again\n");
}

/* Append the settings that differ from their defaults. */
static void settings_text(struct buf *out, const struct settings *settings)
{
	size_t n = 0;

	for (const struct settings_key *k = settings_keys; k->name; k++) {
		const char *origin = settings_origin(settings, k->name);

		/* The id of the project is nobody's choice, and stores have
		 * their own lines. */
		if (!strcmp(origin, "default") || k->kind == SETTINGS_ID ||
		    k->kind == SETTINGS_STORES)
			continue;
		buf_addf(out, "%s    %-24s%s (%s)\n", n++ ? "" : "settings\n",
			 k->name, settings_str(settings, k->name), origin);
	}
}

/* Append the stores that the project names. */
static void stores_text(struct buf *out, const struct status *s)
{
	for (size_t i = 0; i < s->nstores; i++) {
		const struct status_store *one = &s->stores[i];

		buf_addf(out, "%s  %s: ", i ? "       " : "stores ", one->name);
		if (one->exists == 1)
			buf_addf(out, "%zu %s%s in ", one->memories,
				 one->memories == 1 ? "memory" : "memories",
				 one->external ? ", external," : "");
		else
			buf_adds(out,
				 one->exists ? "cannot be read: " : "none in ");
		sanitize_terminal(out, one->path, strlen(one->path), false);
		buf_addc(out, '\n');
	}
}

void status_text(struct buf *out, const struct status *s)
{
	for (size_t i = 0; i < ARRAY_LEN(s->roots); i++)
		root_text(out, s, &s->roots[i]);
	stores_text(out, s);
	if (s->others)
		buf_addf(out,
			 "others   %zu %s in %zu other %s: 'co review "
			 "--all-projects'\n",
			 s->waiting,
			 s->waiting == 1 ? "draft waits" : "drafts wait",
			 s->others, s->others == 1 ? "project" : "projects");
	buf_addf(out, "context  %zu of %d bytes, which each session gets%s%s\n",
		 s->context.size, CONTEXT_TARGET,
		 s->context.size ? ": 'co context-load'" : "",
		 s->context.size > CONTEXT_LIMIT    ? "; cut"
		 : s->context.size > CONTEXT_TARGET ? "; over the target"
						    : "");
	if (s->model.name)
		buf_addf(out, "model    %s: %s%s\n", s->model.name,
			 s->model.trouble ? "does not answer: " : "answers",
			 s->model.trouble ? s->model.trouble : "");
	agents_text(out, s);
	harvest_text(out, s);
	hook_text(out, s);
	if (process_is_inside())
		buf_adds(out, "hooks    off: " INSIDE_VARIABLE
			      " is set, as in a program that co started\n");
	settings_text(out, s->settings);
	if (!s->suite)
		return;
	suite_text(out, s->suite);
	offer_text(out);
}

static void root_json(struct buf *out, const struct status *s,
		      const struct status_root *sr)
{
	const struct context_part *p = context_part_of(s, sr->scope);
	const struct {
		const char *name;
		size_t n;
	} counts[] = {{"memories", sr->memories},
		      {"due", sr->due},
		      {"stale", sr->stale},
		      {"contradicted", sr->contradicted},
		      {"unmerged", sr->conflicted},
		      {"articles", sr->articles.articles},
		      {"article_files", sr->articles.files},
		      {"drafts", sr->drafts},
		      {"trash", sr->trash}};

	json_write_open(out, NULL, '{');
	json_write_text(out, "scope", record_scope_name(sr->scope));
	json_write_text(out, "path", sr->path);
	json_write_bool(out, "exists", sr->exists);
	json_write_given(out, "hides", sr->hides);
	json_write_bool(out, "team", sr->team);
	json_write_open(out, "context", '{');
	json_write_text(out, "path", p->path);
	json_write_text(out, "state", context_state_name(p->state));
	json_write_size(out, "size", p->size);
	json_write_size(out, "budget", p->budget);
	json_write_close(out, '}');
	for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
		if (sr->unread)
			json_write_text(out, counts[i].name, NULL);
		else
			json_write_size(out, counts[i].name, counts[i].n);
	}
	json_write_open(out, "twice", '[');
	for (size_t i = 0; i < sr->ntwice; i++)
		json_write_int(out, NULL, sr->twice[i]);
	json_write_close(out, ']');
	index_status_json(out, &sr->index);
	json_write_size(out, "vectors_missing", sr->vectors_missing);
	if (sr->has_remote) {
		json_write_open(out, "remote", '{');
		json_write_size(out, "uncommitted", sr->uncommitted);
		json_write_size(out, "unsent", sr->unsent);
		json_write_size(out, "unmerged", sr->unmerged);
		json_write_close(out, '}');
	}
	if (sr->merge != SETUP_GIT_NO_CLONE)
		json_write_bool(out, "merge_driver",
				sr->merge == SETUP_GIT_DRIVER);
	if (skips_refresh(s, sr))
		json_write_bool(out, "hook_looks", false);
	json_write_close(out, '}');
}

/* Append an object with the member "name" and the members KEY and OTHER. */
static void add_item(struct buf *out, const char *name, const char *key,
		     const char *value, const char *other, const char *text)
{
	json_write_open(out, NULL, '{');
	json_write_text(out, "name", name);
	json_write_text(out, key, value);
	json_write_text(out, other, text);
	json_write_close(out, '}');
}

static void suite_json(struct buf *out, const struct execpath *suite)
{
	json_write_open(out, "tools", '[');
	for (size_t i = 0; i < suite->n; i++) {
		const struct execpath_program *p = &suite->items[i];

		if (p->ours)
			add_item(out, p->name, "kind", p->kind, "summary",
				 p->summary);
	}
	json_write_close(out, ']');
}

static void offer_json(struct buf *out)
{
	json_write_open(out, "mcp", '[');
	for (const struct mcp_tool *t = mcp_server_tools; t->name; t++)
		add_item(out, t->name, "kind", "tool", "title", t->title);
	for (const struct mcp_prompt *p = mcp_server_prompts; p->name; p++)
		add_item(out, p->name, "kind", "prompt", "title", p->title);
	json_write_close(out, ']');
}

/* Append "last_session", what it got. */
static void last_json(struct buf *out, const struct shown_last *last)
{
	char at[INSTANT_TEXT];

	if (!last->at.sec) {
		json_write_text(out, "last_session", NULL);
		return;
	}
	json_write_open(out, "last_session", '{');
	json_write_text(out, "at", instant_format(last->at, at));
	json_write_size(out, "context", last->bytes);
	json_write_texts(out, "memories", last->memories.items,
			 last->memories.n);
	json_write_close(out, '}');
}

/* Append the agents that are set up or found; with --tools all. */
static void agents_json(struct buf *out, const struct status *s)
{
	json_write_open(out, "agents", '[');
	for (size_t i = 0; i < s->nagents; i++) {
		const struct setup_agent *item = &s->agents[i];

		if (!s->suite && !item->found && item->user == SETUP_NONE &&
		    item->project == SETUP_NONE)
			continue;
		json_write_open(out, NULL, '{');
		json_write_text(out, "name", item->agent->name);
		json_write_text(out, "user", setup_state_name(item->user));
		json_write_text(out, "project",
				setup_state_name(item->project));
		json_write_bool(out, "found", item->found);
		json_write_text(out, "unseen", item->agent->unseen);
		last_json(out, &s->last[i]);
		json_write_close(out, '}');
	}
	json_write_close(out, ']');
}

static void stores_json(struct buf *out, const struct status *s)
{
	json_write_open(out, "stores", '[');
	for (size_t i = 0; i < s->nstores; i++) {
		const struct status_store *one = &s->stores[i];

		json_write_open(out, NULL, '{');
		json_write_text(out, "name", one->name);
		json_write_text(out, "path", one->path);
		if (one->exists == 1)
			json_write_size(out, "memories", one->memories);
		else
			json_write_text(out, "memories", NULL);
		json_write_bool(out, "external", one->external);
		json_write_close(out, '}');
	}
	json_write_close(out, ']');
}

void status_json(struct buf *out, const struct status *s)
{
	json_write_open(out, NULL, '{');
	json_write_open(out, "roots", '[');
	for (size_t i = 0; i < ARRAY_LEN(s->roots); i++)
		root_json(out, s, &s->roots[i]);
	json_write_close(out, ']');
	stores_json(out, s);
	json_write_open(out, "others", '{');
	json_write_size(out, "projects", s->others);
	json_write_size(out, "drafts", s->waiting);
	json_write_close(out, '}');
	json_write_open(out, "context", '{');
	json_write_size(out, "size", s->context.size);
	json_write_int(out, "target", CONTEXT_TARGET);
	json_write_int(out, "limit", CONTEXT_LIMIT);
	json_write_close(out, '}');
	json_write_open(out, "llm", '{');
	json_write_text(out, "provider", s->model.provider);
	json_write_text(out, "name", s->model.name);
	if (s->model.name)
		json_write_bool(out, "answers", !s->model.trouble);
	else
		json_write_text(out, "answers", NULL);
	json_write_text(out, "trouble", s->model.trouble);
	json_write_close(out, '}');
	agents_json(out, s);
	if (s->harvest.on) {
		json_write_open(out, "harvest", '{');
		json_write_text(out, "last",
				*s->harvest.last ? s->harvest.last : NULL);
		json_write_text(out, "trouble", s->harvest.trouble);
		json_write_size(out, "waiting",
				s->roots[0].drafts + s->roots[1].drafts);
		json_write_close(out, '}');
	}
	json_write_open(out, "hook", '{');
	json_write_text(out, "late", *s->late ? s->late : NULL);
	json_write_size(out, "unsaved", s->unsaved.n);
	json_write_close(out, '}');
	json_write_open(out, "settings", '[');
	for (const struct settings_key *k = settings_keys; k->name; k++) {
		json_write_open(out, NULL, '{');
		json_write_text(out, "key", k->name);
		json_write_text(out, "value",
				settings_str(s->settings, k->name));
		json_write_text(out, "origin",
				settings_origin(s->settings, k->name));
		json_write_close(out, '}');
	}
	json_write_close(out, ']');
	if (s->suite) {
		suite_json(out, s->suite);
		offer_json(out);
	}
	json_write_end(out);
}
