/* display.c: see display.h. */
#include "store/display.h"

#include "text/sanitize.h"

/* Append P as sanitize_prompt() does, on one line. */
static void add_line(struct buf *out, const char *p, size_t len)
{
	const size_t start = out->len;

	sanitize_prompt(out, p, len);
	for (size_t i = start; i < out->len; i++) {
		if (out->p[i] == '\n')
			out->p[i] = ' ';
	}
}

static void add_tags(struct buf *out, const char *before,
		     const struct record *r, const char *after)
{
	for (size_t i = 0; i < r->ntags; i++) {
		buf_adds(out, i ? ", " : before);
		add_line(out, r->tags[i], strlen(r->tags[i]));
	}
	if (r->ntags)
		buf_adds(out, after);
}

void display_memory(struct buf *out, const struct record *r)
{
	buf_addf(out, "**Memory %s%lld** (created %.10s)%s%s\n",
		 r->scope == SCOPE_GLOBAL ? "g" : "", (long long)r->id,
		 r->created, r->scope == SCOPE_GLOBAL ? " (global)" : "",
		 r->partial ? " (partial)" : "");
	add_tags(out, "Tags: ", r, "\n");
	if (r->snippet && r->content_len > DISPLAY_WHOLE_MAX) {
		sanitize_prompt(out, r->snippet, strlen(r->snippet));
		buf_addf(out, "\n(from %zu bytes: co memory-show %s%lld)\n\n",
			 r->content_len, r->scope == SCOPE_GLOBAL ? "g" : "",
			 (long long)r->id);
		return;
	}
	sanitize_prompt(out, r->content, r->content_len);
	buf_adds(out, "\n\n");
}

void display_found(struct buf *out, size_t whole, size_t partial, size_t shown,
		   const char *query)
{
	const size_t n = whole ? whole : partial;

	if (n)
		buf_addf(out, "Found %zu %s %smatching '", n,
			 n == 1 ? "memory" : "memories",
			 whole ? "" : "partly ");
	else
		buf_adds(out, "No memories found matching '");
	add_line(out, query, strlen(query));
	buf_adds(out, "'");
	if (whole && partial)
		buf_addf(out, " and %zu partly", partial);
	if (shown < whole + partial)
		buf_addf(out, ", the first %zu", shown);
	buf_adds(out, n ? ":\n\n" : "\n");
}

void display_recall(struct buf *out, const struct records *found,
		    const char *query)
{
	size_t total[2] = {0, 0}, seen[2] = {0, 0};

	for (size_t i = 0; i < found->n; i++) {
		const struct record *r = &found->items[i];

		seen[r->partial]++;
		total[r->partial] = r->total;
	}
	for (int i = 0; i < 2; i++)
		total[i] = total[i] > seen[i] ? total[i] : seen[i];
	display_found(out, total[false], total[true], found->n, query);
	for (size_t i = 0; i < found->n; i++)
		display_memory(out, &found->items[i]);
}

/* Append NAME (DAY) [tags]: TITLE, from SOURCE. */
static void add_article(struct buf *out, const struct record *r)
{
	const char *name = strrchr(r->path, '/') + 1;

	buf_adds(out, "**");
	add_line(out, name, strlen(name));
	buf_addf(out, "** (%.10s)%s", r->created,
		 r->scope == SCOPE_GLOBAL ? " (global)" : "");
	add_tags(out, " [", r, "]");
	buf_adds(out, ": ");
	add_line(out, r->title, strlen(r->title));
	if (r->source) {
		buf_adds(out, ", from ");
		add_line(out, r->source, strlen(r->source));
	}
	buf_addc(out, '\n');
}

void display_line(struct buf *out, const struct record *r)
{
	struct buf summary = {0};

	if (!r->id && r->title) {
		add_article(out, r);
		return;
	}
	if (!r->id) {
		display_file(out, "broken", r);
		return;
	}
	buf_addf(out, "**%s%03lld** (%.10s)%s",
		 r->scope == SCOPE_GLOBAL ? "g" : "", (long long)r->id,
		 r->created, r->scope == SCOPE_GLOBAL ? " (global)" : "");
	add_tags(out, " [", r, "]");
	if (r->worktree) {
		buf_adds(out, " (worktree ");
		add_line(out, r->worktree, strlen(r->worktree));
		buf_addc(out, ')');
	}
	buf_adds(out, ": ");
	record_summary(&summary, r);
	add_line(out, buf_str(&summary), summary.len);
	buf_addc(out, '\n');
	buf_release(&summary);
}

void display_total(struct buf *out, size_t n, bool exists)
{
	if (n)
		buf_addf(out, "Total memories: %zu\n\n", n);
	else
		buf_adds(out, exists ? "No memories found.\n"
				     : "No memories saved yet.\n");
}

void display_list(struct buf *out, const struct records *all, bool exists)
{
	display_total(out, all->n, exists);
	for (size_t i = 0; i < all->n; i++)
		display_line(out, &all->items[i]);
}

void display_file(struct buf *out, const char *what, const struct record *r)
{
	const char *slash = strrchr(r->path, '/');
	const char *name = slash ? slash + 1 : r->path;

	buf_adds(out, what);
	if (r->id)
		buf_addf(out, " %s%lld", r->scope == SCOPE_GLOBAL ? "g" : "",
			 (long long)r->id);
	buf_adds(out, ": ");
	add_line(out, name, strlen(name));
	buf_addc(out, '\n');
}
