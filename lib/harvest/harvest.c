/* harvest.c: run the model over conversations. See harvest-source.h for the order of
 * the steps. */
#include "harvest/harvest.h"

#include "base/date.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "format/json-read.h"
#include "harvest/harvest-source.h"
#include "harvest/items.h"
#include "harvest/ledger.h"
#include "shown/reads.h"
#include "sys/file.h"
#include "sys/process.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Pruning: remove data of a directory of the first layout if its source is gone. */

#define INDEX_MAX ((size_t)16 * 1024 * 1024)
#define DEEP 32
#define INDEX "index.json"

/* A directory being emptied, or searched for indexes. */
struct prune_walk {
	int fd, depth;
	const char *path;
	struct strings names;
	struct arena arena;
	struct err *e;
};

static int remove_below(int dir, const char *name, const char *path, int depth,
			struct err *e);

static int remove_entry(void *ctx, const char *name, enum file_kind kind)
{
	struct prune_walk *m = ctx;

	/* The index marks the split as stale, so it is removed last. */
	if (!m->depth && !strcmp(name, INDEX))
		return 0;
	if (kind == FILE_FOLDER)
		return remove_below(m->fd, name, m->path, m->depth + 1, m->e);
	if (unlinkat(m->fd, name, 0) < 0 && errno != ENOENT)
		return err_sys(m->e, "cannot remove '%s'", m->path);
	return 0;
}

/* Remove the directory NAME of DIR. PATH is for messages. At depth 0 it is a
 * split: without an index it is removed only if it is empty, as a killed run
 * leaves it. */
static int remove_below(int dir, const char *name, const char *path, int depth,
			struct err *e)
{
	struct prune_walk m = {.depth = depth, .path = path, .e = e};
	int r;

	if (depth > DEEP)
		return err_set(e, ERR_SYSTEM, "'%s' is too deep", path);
	r = file_open_dir(dir, name, path, &m.fd, e);
	if (r != 1)
		return r;
	r = depth || !file_is_gone(m.fd, INDEX, false)
		    ? file_walk(m.fd, path, remove_entry, &m, e)
		    : 0;
	if (!r && !depth && unlinkat(m.fd, INDEX, 0) < 0 && errno != ENOENT)
		r = err_sys(e, "cannot remove '%s/" INDEX "'", path);
	close(m.fd);
	if (!r && unlinkat(dir, name, AT_REMOVEDIR) < 0 && errno != ENOENT)
		r = err_sys(e, "cannot remove '%s'", path);
	return r;
}

/* Return the ledger key of the split at PATH, allocated in A. */
static const char *prune_key(const char *path, struct arena *a)
{
	return arena_printf(a, "path:%s", path);
}

/* Delete the directory of the split at PATH, and record that in L. Links in it
 * are not followed. */
static int prune_split(struct ledger *l, const char *path, struct err *e)
{
	struct arena a = {0};
	struct ledger_entry en = {
		.key = prune_key(path, &a),
		.path = path,
		.status = LEDGER_PRUNED,
	};
	const char *slash = strrchr(path, '/');
	const char *above = arena_copy(&a, path, (size_t)(slash - path));
	int dir, r = ledger_put(l, &en, e);

	if (!r)
		r = file_open_dir(AT_FDCWD, above, above, &dir, e);
	if (r == 1) {
		r = remove_below(dir, slash + 1, path, 0, e);
		if (!r)
			r = file_sync_dir(dir, above, e);
		close(dir);
	}
	en.deleted = true;
	if (!r)
		r = ledger_put(l, &en, e);
	arena_release(&a);
	return r;
}

static int collect_index(void *ctx, const char *name, enum file_kind kind)
{
	static const char prefix[] = "file-index-";
	struct prune_walk *m = ctx;

	if (kind == FILE_REGULAR && !strncmp(name, prefix, strlen(prefix)))
		strings_add(&m->names, arena_strdup(&m->arena, name));
	return 0;
}

/* Return true if V, an entry of an index in the folder DIR, has neither a file
 * nor a conversation. A relative path is never stale: see harvest.h. */
static bool is_stale(int dir, const struct value *v)
{
	const char *path = value_text(v, "path");
	const char *name = value_text(v, "conversation");

	return path && *path == '/' && name && !strchr(name, '/') &&
	       file_is_gone(AT_FDCWD, path, true) &&
	       file_is_gone(dir, name, false);
}

/* Remove the stale entries from the index NAME. An unreadable index is
 * kept. */
static int prune_index_file(struct prune_walk *m, const char *name, size_t *n)
{
	struct buf was = {0}, text = {0};
	struct value v, *map;
	size_t kept = 0, all;
	int r = file_read(m->fd, name, m->path, INDEX_MAX, &was, m->e);

	if (r == 1 &&
	    json_parse(buf_str(&was), was.len, &m->arena, &v, NULL) == 0 &&
	    (map = (struct value *)value_get(&v, "by_file_id")) &&
	    map->kind == VALUE_MAP) {
		all = map->u.map.n;
		for (size_t i = 0; i < all; i++) {
			if (!is_stale(m->fd, &map->u.map.pairs[i].val))
				map->u.map.pairs[kept++] = map->u.map.pairs[i];
		}
		map->u.map.n = kept;
		r = kept < all ? json_write_value(&text, &v, m->e) : 0;
		buf_addc(&text, '\n');
		if (!r && kept < all)
			r = file_replace_from(m->fd, m->fd, name, m->path, &was,
					      text.p, text.len, NULL, m->e);
		*n += r >= 0 ? all - kept : 0;
	}
	buf_release(&was);
	buf_release(&text);
	return r < 0 ? -1 : 0;
}

/* Remove from each file-index-*.json of ROOT/conversations the entries whose
 * file and conversation are both gone. Adds their number to *N. */
static int prune_index(const char *root, size_t *n, struct err *e)
{
	struct prune_walk m = {.e = e};
	int r;

	m.path = arena_printf(&m.arena, "%s/conversations", root);
	r = file_open_dir(AT_FDCWD, m.path, m.path, &m.fd, e);
	if (r == 1) {
		r = file_walk(m.fd, m.path, collect_index, &m, e);
		for (size_t i = 0; i < m.names.n && !r; i++)
			r = prune_index_file(&m, m.names.items[i], n);
		close(m.fd);
	}
	free(m.names.items);
	arena_release(&m.arena);
	return r < 0 ? -1 : 0;
}

#define ATTEMPTS 2
#define SUMMARY_MAX 4000 /* bytes per part; all summaries make one text */

/* One conversation being harvested. */
struct job {
	struct harvest *h;
	struct ledger *ledger;
	const struct artifact *it;
	struct conversation c;
	char key[SHA256_HEX];
	const char *label;
	bool deletes;
	struct arena arena;
};

static void report_progress(const struct job *k, const char *what)
{
	if (k->h->progress)
		k->h->progress(what, k->label);
}

static bool is_limit_reached(const struct harvest *h)
{
	return (h->max_calls && h->calls >= h->max_calls) ||
	       (h->until && instant_monotonic_ms() >= h->until);
}

/* Send PROMPT to the model and put its answer into REPLY. ERR_HELPER;
 * ERR_SYSTEM if a limit is reached. */
static int ask_model(struct harvest *h, const struct buf *prompt,
		     struct buf *reply, struct err *e)
{
	if (is_limit_reached(h))
		return err_set(e, ERR_SYSTEM,
			       "no more calls, or no more time, is allowed");
	h->calls++;
	return llm_ask(h->llm, prompt, reply, e);
}

/* Replace the text of a long conversation by summaries of its parts. */
static int summarize(struct job *k, struct err *e)
{
	struct buf prompt = {0}, reply = {0}, all = {0};
	const char *p;
	size_t len;
	int r = 0;

	report_progress(k, "summarizing");
	for (size_t n = 0; !r && harvest_conversation_part(&k->c, n, &p, &len);
	     n++) {
		buf_cut(&prompt, 0);
		request_compose(&prompt, k->h->prompts, REQUEST_SUMMARIZE,
				buf_str(&k->c.name), p, len, false);
		r = ask_model(k->h, &prompt, &reply, e);
		if (r)
			break;
		p = buf_str(&reply);
		len = reply.len;
		utf8_strip(&p, &len);
		if (!len)
			r = err_set(e, ERR_HELPER,
				    "the summary of part %zu is empty", n + 1);
		buf_add(&all, p,
			len > SUMMARY_MAX ? utf8_cut(p, len, SUMMARY_MAX)
					  : len);
		buf_adds(&all, "\n\n");
	}
	if (!r)
		r = harvest_conversation_replace(&k->c, &all, e);
	buf_release(&prompt);
	buf_release(&reply);
	buf_release(&all);
	return r;
}

int harvest_ask(struct harvest *h, const struct harvest_question *q,
		struct arena *a, struct reply *reply, struct err *e)
{
	struct buf prompt = {0}, text = {0};
	struct err why;
	int r = -1;

	for (int i = 0; i < ATTEMPTS && r < 0; i++) {
		if (h->progress)
			h->progress(i ? "asking again" : "harvesting",
				    q->label);
		buf_cut(&prompt, 0);
		request_compose(&prompt, h->prompts, REQUEST_HARVEST, q->name,
				q->p, q->len, i > 0);
		if (ask_model(h, &prompt, &text, e) < 0)
			break;
		r = reply_parse(reply, buf_str(&text), text.len, a, &why);
		if (r < 0)
			err_set(e, ERR_HELPER,
				"the reply is not what was asked for, %d "
				"times: "
				"%s",
				ATTEMPTS, why.text);
	}
	buf_release(&prompt);
	buf_release(&text);
	return r;
}

static int ask_items(struct job *k, struct reply *reply, struct err *e)
{
	const struct harvest_question q = {buf_str(&k->c.name), k->label,
					   buf_str(&k->c.text), k->c.text.len};

	return harvest_ask(k->h, &q, &k->arena, reply, e);
}

/* Record in the ledger that the conversation is kept, and why. An entry that
 * says harvested is not overwritten. */
static void record_kept(struct job *k, enum ledger_status status,
			const char *error)
{
	const struct ledger_entry en = {.key = k->key,
					.path = k->it->path,
					.status = status,
					.error = error};
	struct ledger_entry was;
	struct err e;
	int r = ledger_find(k->ledger, k->key, &k->arena, &was, &e);

	if (r == 1 && was.status == LEDGER_HARVESTED)
		return;
	if (r < 0 || ledger_put(k->ledger, &en, &e) < 0)
		err_report(k->h->report, &e);
}

/* Report that the conversation failed because of WHY. Returns -1. */
static int report_failure(struct job *k, const struct err *why)
{
	k->h->failed++;
	err_warn(k->h->report, why->code == ERR_NO ? ERR_SYSTEM : why->code,
		 "failed: %s: %s", k->it->path, why->text);
	return -1;
}

/* Compute K->KEY from the file, or from the text for FILE#SESSION. */
static int compute_key(struct job *k, struct err *e)
{
	struct stat st;

	if (lstat(k->it->path, &st) == 0)
		return harvest_source_key(k->it->path, k->key, e);
	if (harvest_conversation_read(&k->c, k->it->path, false, e) < 0)
		return -1;
	sha256_of(buf_str(&k->c.text), k->c.text.len, k->key);
	return 0;
}

/* Return true if another harvest has deleted the conversation meanwhile. */
static bool is_gone(const struct job *k)
{
	if (!k->it->root || !file_is_gone(AT_FDCWD, k->it->path, false))
		return false;
	report_progress(k, "gone meanwhile");
	return true;
}

/* Set `outside` if hooks or the server noted that the session of K read text from
 * outside. The record names only tools of others: it does not tell which answers of co's
 * own tools had an external text. What was noted without a session counts if it is of
 * the day on which the session began, or later. Return 0 or -1. */
static int find_outside(struct job *k, struct err *e)
{
	const int64_t since = k->c.begun ? k->c.begun - READS_SECONDS : 0;
	struct strings from = {0};
	int r;

	if (k->c.outside || k->h->drafts || !k->c.agent)
		return 0;
	r = reads_find(&from, k->c.agent, buf_str(&k->c.session), since,
		       &k->arena, e);
	k->c.outside = from.n;
	free(from.items);
	return r;
}

/* Save the items of REPLY, record that, then delete the source if K says so. If the agent
 * read text from outside, the items are drafts, since they may be a stranger's. */
static int store_items(struct job *k, const struct reply *reply, struct err *e)
{
	const char *from = buf_str(&k->c.name);
	char date[DATE_DAY_TEXT];

	date_day(instant_now(), date);
	if (k->c.outside && !k->h->drafts)
		report_progress(k, "its agent read text from outside: the "
				   "items wait in 'co review'");
	if (k->c.outside || k->h->drafts)
		return item_drafts_save(k->ledger, reply, from, date, k->key,
					k->it->path, k->h->items, e);
	return harvest_source(k->ledger, k->it->path, k->key, reply, from, date,
			      k->deletes, k->h->items, e);
}

/* Ask for the items of the conversation and save them. Returns 1, 0 if it was
 * skipped, or -1. */
static int harvest_new(struct job *k, struct err *e)
{
	struct reply reply;

	if (!k->c.name.len &&
	    harvest_conversation_read(&k->c, k->it->path, k->it->root != NULL,
				      e) < 0)
		return is_gone(k) ? 0 : -1;
	if (k->c.request) {
		report_progress(k, "skipped: co's own request to a model");
		k->h->requests++;
		return 0;
	}
	if (k->c.too_large)
		return err_set(e, ERR_SYSTEM,
			       "it is longer than %zu bytes, and is kept",
			       CONVERSATION_MAX);
	if (k->h->max_bytes && k->h->used + k->c.text.len > k->h->max_bytes) {
		k->h->deferred++;
		return 0;
	}
	k->h->used += k->c.text.len;
	if (!k->h->llm)
		return err_set(e, ERR_HELPER,
			       "no model is set: 'llm.provider' in the user's "
			       "settings names one, see co-settings(5)");
	if (find_outside(k, e) < 0)
		return -1;
	if (k->c.text.len > CONVERSATION_PART && summarize(k, e) < 0)
		return -1;
	if (ask_items(k, &reply, e) < 0 || store_items(k, &reply, e) < 0)
		return -1;
	return 1;
}

/* Harvest, reclaim or delete one conversation. Returns 1, 0 if nothing was
 * done, or -1 (already reported). */
static int harvest_one(struct job *k, struct err *e)
{
	struct ledger_entry en = {.key = k->key, .path = k->it->path};
	int r;

	if (compute_key(k, e) < 0)
		return is_gone(k) ? 0 : report_failure(k, e);
	r = ledger_find(k->ledger, k->key, &k->arena, &en, e);
	if (r < 0)
		return report_failure(k, e);
	if (r > 0 && en.status == LEDGER_HARVESTED) {
		if (!k->deletes)
			return 0;
		report_progress(k, "reclaimed (already harvested)");
		return harvest_source(k->ledger, k->it->path, k->key, NULL,
				      NULL, NULL, true, NULL, e) < 0
			       ? report_failure(k, e)
			       : 1;
	}
	if (k->h->unharvested) {
		en = (struct ledger_entry){.key = k->key,
					   .path = k->it->path,
					   .status = LEDGER_UNHARVESTED};
		if (!k->deletes)
			return 0;
		report_progress(k, "deleted unharvested");
		return harvest_source_delete(k->ledger, k->it->path, &en,
					     k->key, e) < 0
			       ? report_failure(k, e)
			       : 1;
	}
	r = harvest_new(k, e);
	if (r < 0) {
		record_kept(k,
			    k->c.too_large ? LEDGER_TOO_LARGE : LEDGER_FAILED,
			    k->c.too_large ? NULL : e->text);
		return report_failure(k, e);
	}
	return r;
}

/* Return true if the source must be deleted after the harvest. Reports a named
 * record that cannot be deleted. */
static bool must_delete_source(struct job *k)
{
	const char *why;
	struct err e;

	if (k->it->root)
		return true;
	if (!k->h->reclaim || !k->it->named)
		return false;
	if (harvest_conversation_is_alone(k->it->path, &why, &e))
		return true;
	k->h->undeleted++;
	k->h->undeletable(k->it->path, why);
	return false;
}

/* Process conversation I of N, and count what was freed. */
static void harvest_artifact(struct harvest *h, struct ledger *l,
			     const struct artifact *it, size_t i, size_t n)
{
	struct job k = {.h = h, .ledger = l, .it = it};
	struct err e;

	k.label = arena_printf(&k.arena, "%s (%zu/%zu)", file_name_of(it->path),
			       i, n);
	k.deletes = must_delete_source(&k);
	if (harvest_one(&k, &e) > 0 && k.deletes &&
	    file_is_gone(AT_FDCWD, it->path, false))
		h->reclaimed += it->size;
	harvest_conversation_release(&k.c);
	arena_release(&k.arena);
}

/* Return true if IT is to be pruned, or if a killed run has pruned it
 * partly. */
static bool needs_pruning(struct ledger *l, const struct artifact *it)
{
	struct ledger_entry en;
	struct arena a = {0};
	bool is = it->class == SCAN_PRUNE;

	if (it->empty)
		is = ledger_find(l, prune_key(it->path, &a), &a, &en, NULL) ==
			     1 &&
		     en.status == LEDGER_PRUNED && !en.deleted;
	arena_release(&a);
	return is;
}

static void prune_artifact(struct harvest *h, struct ledger *l,
			   const struct artifact *it)
{
	struct err why;

	if (prune_split(l, it->path, &why) == 0) {
		h->reclaimed += it->size;
		return;
	}
	h->failed++;
	err_warn(h->report, why.code, "failed: %s: %s", it->path, why.text);
}

/* Prune the splits that S classes as SCAN_PRUNE, and the indexes of each
 * root. */
static void prune_all(struct harvest *h, struct ledger *l,
		      const struct harvest_scan *s)
{
	const char *root = NULL;
	struct err why;

	for (size_t i = 0; i < s->n; i++) {
		const struct artifact *it = &s->items[i];

		if (needs_pruning(l, it))
			prune_artifact(h, l, it);
		if (!it->root || (root && !strcmp(root, it->root)))
			continue;
		root = it->root;
		if (prune_index(root, &h->pruned_entries, &why) < 0)
			err_report(h->report, &why);
	}
}

int harvest_check_inside(struct err *e)
{
	return process_is_inside()
		       ? err_set(e, ERR_NO,
				 "nothing is harvested by a program that "
				 "co started: " INSIDE_VARIABLE " is set")
		       : 0;
}

int harvest_run(struct harvest *h, const struct harvest_scan *s, struct err *e)
{
	struct ledger l;
	size_t n = 0, done = 0;
	struct err why;
	bool made;
	int r;

	if (harvest_check_inside(e) < 0)
		return -1;
	r = store_make(h->store, &made, e);
	if (r < 0)
		return -1;
	r = ledger_open(&l, h->store, e);
	if (!r)
		r = ledger_finish(&l, true, e);
	for (size_t i = 0; i < s->n; i++)
		n += s->items[i].class == SCAN_HARVEST;
	for (size_t i = 0; i < s->n && !r; i++) {
		if (s->items[i].class == SCAN_HARVEST)
			harvest_artifact(h, &l, &s->items[i], ++done, n);
	}
	if (!r) {
		prune_all(h, &l, s);
		if (ledger_finish(&l, false, &why) < 0)
			err_report(h->report, &why);
	}
	ledger_release(&l);
	return r;
}
