/* harvest-report.c: the report of co harvest. */
#include "harvest/harvest.h"

#include "text/sanitize.h"

#include <inttypes.h>

#define BYTES_PER_TOKEN 4

/* The order of the list: by name. */
static const enum reply_key by_name[REPLY_KEYS] = {
	REPLY_DECISIONS, REPLY_FACTS,	   REPLY_FILES,	    REPLY_PLAYBOOKS,
	REPLY_QUESTIONS, REPLY_TASKS_DONE, REPLY_TASKS_OPEN};

static void add_size(struct buf *out, uint64_t bytes)
{
	if (bytes < 1024)
		buf_addf(out, "%" PRIu64 "B", bytes);
	else if (bytes < 1024 * 1024)
		buf_addf(out, "%.1fKB", (double)bytes / 1024);
	else
		buf_addf(out, "%.1fMB", (double)bytes / (1024 * 1024));
}

static uint64_t bytes_of(const struct harvest_scan *s, enum scan_class c)
{
	uint64_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->items[i].class == c ? s->items[i].size : 0;
	return n;
}

static void add_artifact(struct buf *out, const struct artifact *it)
{
	struct buf size = {0}, line = {0};

	if (it->class != SCAN_HARVEST && it->class != SCAN_PRUNE && !it->unsure)
		return;
	add_size(&size, it->size);
	buf_addf(&line, "%-9s %9s  %s  (%s)",
		 harvest_scan_class_name(it->class), size.p, it->path,
		 it->reason);
	sanitize_terminal(out, line.p, line.len, false);
	buf_addc(out, '\n');
	buf_release(&size);
	buf_release(&line);
}

static void add_classes(struct buf *out, const struct harvest_scan *s)
{
	const char *between = " ";

	buf_adds(out, "artifacts:");
	for (enum scan_class c = 0; c < SCAN_CLASSES; c++) {
		size_t n = 0;

		for (size_t i = 0; i < s->n; i++)
			n += s->items[i].class == c;
		if (n)
			buf_addf(out, "%s%s:%zu", between,
				 harvest_scan_class_name(c), n);
		between = n ? ", " : between;
	}
	buf_adds(out, s->n ? "\n" : " none\n");
}

/* Append the number of records of agents that are in use, and the hint how to
 * harvest them nevertheless. */
static void add_live(struct buf *out, const struct harvest_scan *s)
{
	const struct artifact *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (s->items[i].class != SCAN_LIVE || s->items[i].root)
			continue;
		first = first ? first : &s->items[i];
		n++;
	}
	if (!n)
		return;
	buf_addf(out,
		 "live: %zu %s less than ten minutes old, and may continue; to "
		 "harvest %s now: co harvest --apply '",
		 n, n == 1 ? "conversation is" : "conversations are",
		 n == 1 ? "it" : "the newest");
	sanitize_terminal(out, first->path, strlen(first->path), false);
	buf_adds(out, "'\n");
}

static bool lacks_model(const struct harvest_report *r)
{
	return !r->unharvested && !strcmp(r->provider, "none");
}

static void add_items(struct buf *out, const struct harvest *h)
{
	const char *between = " ";

	buf_adds(out, "harvested items:");
	for (size_t i = 0; i < REPLY_KEYS; i++) {
		const size_t n = h->items[by_name[i]];

		if (n)
			buf_addf(out, "%s%s:%zu", between,
				 reply_key_name(by_name[i]), n);
		between = n ? ", " : between;
	}
	buf_adds(out, *between == ' ' ? " none\n" : "\n");
}

static void add_done(struct buf *out, const struct harvest_report *r)
{
	const struct harvest *h = r->done;

	buf_adds(out, "reclaimed: ");
	add_size(out, h->reclaimed);
	buf_addc(out, '\n');
	if (h->requests)
		buf_addf(out, "skipped (co's own requests to a model): %zu\n",
			 h->requests);
	if (h->undeleted)
		buf_addf(out, "named, and not deleted: %zu\n", h->undeleted);
	add_items(out, h);
	if (h->pruned_entries)
		buf_addf(out, "pruned index entries: %zu\n", h->pruned_entries);
	if (h->deferred)
		buf_addf(out, "deferred (over --max-bytes): %zu\n",
			 h->deferred);
	if (r->digest)
		buf_addf(out, "digest: %s\n", r->digest);
	buf_addf(out, "ledger: %s\n", r->ledger);
}

void harvest_report_measure(struct harvest_report *r,
			    const struct report *report)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < r->scan->n; i++) {
		const struct artifact *it = &r->scan->items[i];
		struct conversation c;
		struct err unread;

		if (it->class != SCAN_HARVEST)
			continue;
		if (it->root || r->unharvested) {
			bytes += it->size;
		} else if (harvest_conversation_read(&c, it->path, false,
						     &unread) < 0) {
			bytes += it->size;
			err_report(report, &unread);
		} else {
			bytes += c.text.len;
			harvest_conversation_release(&c);
		}
	}
	r->tokens = bytes / BYTES_PER_TOKEN;
}

void harvest_report_text(struct buf *out, const struct harvest_report *r)
{
	const uint64_t bytes = bytes_of(r->scan, SCAN_HARVEST);

	for (size_t i = 0; i < r->scan->n; i++)
		add_artifact(out, &r->scan->items[i]);
	add_classes(out, r->scan);
	add_live(out, r->scan);
	buf_adds(out, "harvest candidates: ");
	add_size(out, bytes);
	buf_addf(out, " (~%" PRIu64 " input tokens", r->tokens);
	if (r->price > 0)
		buf_addf(out, ", ~%.6g by llm.price_in",
			 (double)r->tokens * r->price / 1e6);
	buf_adds(out, "), prune candidates: ");
	add_size(out, bytes_of(r->scan, SCAN_PRUNE));
	buf_addc(out, '\n');
	if (!r->done && lacks_model(r))
		buf_adds(out, "no model is set: 'llm.provider' in the user's "
			      "settings names one, see co-settings(5)\n");
	if (r->done)
		add_done(out, r);
	else
		buf_adds(out, "dry run; pass --apply to harvest and reclaim\n");
}

static void json_artifacts(struct buf *out, const struct harvest_scan *s)
{
	size_t n[SCAN_CLASSES] = {0};

	json_write_open(out, "artifacts", '[');
	for (size_t i = 0; i < s->n; i++) {
		const struct artifact *it = &s->items[i];

		n[it->class]++;
		json_write_open(out, NULL, '{');
		json_write_text(out, "path", it->path);
		json_write_text(out, "kind", harvest_scan_kind_name(it->kind));
		json_write_text(out, "class",
				harvest_scan_class_name(it->class));
		json_write_text(out, "reason", it->reason);
		json_write_size(out, "size_bytes", (size_t)it->size);
		json_write_close(out, '}');
	}
	json_write_close(out, ']');
	json_write_open(out, "totals", '{');
	for (enum scan_class c = 0; c < SCAN_CLASSES; c++)
		json_write_size(out, harvest_scan_class_name(c), n[c]);
	json_write_close(out, '}');
}

static void json_done(struct buf *out, const struct harvest_report *r)
{
	const struct harvest *h = r->done;

	json_write_size(out, "reclaimed_bytes", (size_t)h->reclaimed);
	json_write_open(out, "harvested_items", '{');
	for (size_t i = 0; i < REPLY_KEYS; i++)
		json_write_size(out, reply_key_name(by_name[i]),
				h->items[by_name[i]]);
	json_write_close(out, '}');
	json_write_size(out, "failures", h->failed);
	json_write_size(out, "deferred", h->deferred);
	json_write_size(out, "not_deleted", h->undeleted);
	json_write_size(out, "skipped_requests", h->requests);
	json_write_size(out, "pruned_index_entries", h->pruned_entries);
	json_write_text(out, "ledger_path", r->ledger);
	json_write_text(out, "digest_path", r->digest);
}

void harvest_report_json(struct buf *out, const struct harvest_report *r)
{
	const uint64_t bytes = bytes_of(r->scan, SCAN_HARVEST);
	struct buf cost = {0};

	json_write_open(out, NULL, '{');
	json_write_text(out, "root", r->root);
	json_write_bool(out, "apply", r->done != NULL);
	json_write_bool(out, "harvest", !r->unharvested);
	json_write_text(out, "provider", r->provider);
	json_artifacts(out, r->scan);
	json_write_size(out, "harvest_candidate_bytes", (size_t)bytes);
	json_write_size(out, "estimated_harvest_input_tokens",
			(size_t)r->tokens);
	if (r->price > 0) {
		buf_addf(&cost, "%.6g", (double)r->tokens * r->price / 1e6);
		json_write_raw(out, "estimated_cost", cost.p);
	}
	json_write_size(out, "prune_candidate_bytes",
			(size_t)bytes_of(r->scan, SCAN_PRUNE));
	if (r->done)
		json_done(out, r);
	json_write_end(out);
	buf_release(&cost);
}
