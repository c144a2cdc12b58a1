/* renew.c: the cited version of a file is the newest one in git whose lines
 * have the hash of the citation. A line that is still there is followed by the
 * difference of the two versions. A changed line is one of those between its
 * unchanged neighbours: the one most like it; or, if there are as many lines as
 * before, the one at the same position.
 */
#include "repair/repair.h"

#include "repair/renamed.h"
#include "sys/git.h"
#include "text/diff.h"
#include "text/sanitize.h"

#define VERSIONS "100" /* of a file, to look at */
#define LIKE 50	       /* per cent: less is another line */

/* A text as lines. */
struct lines {
	const struct buf *text;
	size_t *starts, n; /* offset of each line, and the end */
};

static void split_lines(struct lines *l, const struct buf *text,
			struct arena *a)
{
	l->text = text;
	l->n = diff_count(text);
	l->starts = arena_alloc(a, (l->n + 1) * sizeof(*l->starts));
	for (size_t i = 0, at = 0; i < l->n; i++) {
		const char *nl = memchr(text->p + at, '\n', text->len - at);

		l->starts[i] = at;
		at = nl ? (size_t)(nl - text->p) + 1 : text->len;
	}
	l->starts[l->n] = text->len;
}

/* Append the lines FIRST to LAST, from 1, of L to OUT. */
static void add_lines(struct buf *out, const struct lines *l, size_t first,
		      size_t last)
{
	buf_add(out, l->text->p + l->starts[first - 1],
		l->starts[last] - l->starts[first - 1]);
}

/* Return how much of the longer one of the line I of A and the line J of B is
 * equal at both ends, in per cent. Blanks at the start are ignored. */
static size_t likeness(const struct lines *a, size_t i, const struct lines *b,
		       size_t j)
{
	const char *p = a->text->p + a->starts[i];
	const char *q = b->text->p + b->starts[j];
	const size_t skip = strspn(p, " \t"), leave = strspn(q, " \t");
	const size_t n = a->starts[i + 1] - a->starts[i] - 1 - skip;
	const size_t k = b->starts[j + 1] - b->starts[j] - 1 - leave;
	const size_t most = n < k ? n : k;
	size_t head = 0, tail = 0;

	p += skip;
	q += leave;
	while (head < most && p[head] == q[head])
		head++;
	while (head + tail < most && p[n - 1 - tail] == q[k - 1 - tail])
		tail++;
	return most ? (head + tail) * 100 / (n > k ? n : k) : 0;
}

/* Return the line of NOW that the line I of WAS became, or SIZE_MAX. PLACE has
 * it for each line that did not change. */
static size_t follow_line(const struct lines *was, const struct lines *now,
			  const size_t *place, size_t i)
{
	size_t from = i, to = i + 1, start, end, found = SIZE_MAX, best = LIKE;

	if (place[i] != SIZE_MAX)
		return place[i];
	while (from && place[from - 1] == SIZE_MAX)
		from--;
	while (to < was->n && place[to] == SIZE_MAX)
		to++;
	start = from ? place[from - 1] + 1 : 0;
	end = to < was->n ? place[to] : now->n;
	for (size_t j = start; j < end; j++) {
		const size_t like = likeness(was, i, now, j);

		if (like > best || (like == best && found == SIZE_MAX)) {
			best = like;
			found = j;
		}
	}
	if (found == SIZE_MAX && end - start == to - from)
		found = start + (i - from);
	return found;
}

/* Set the lines of TO in NOW to those that the lines of C in WAS became. Return
 * false if that is not known. */
static bool follow_lines(const struct citation *c, const struct lines *was,
			 const struct lines *now, struct citation *to,
			 struct arena *a)
{
	size_t *kept = arena_alloc(a, now->n * sizeof(*kept));
	size_t *place = arena_alloc(a, was->n * sizeof(*place));
	size_t first, last;

	for (size_t i = 0; i < was->n; i++)
		place[i] = SIZE_MAX;
	diff_keep(kept, was->text, now->text);
	for (size_t i = 0; i < now->n; i++) {
		if (kept[i] != SIZE_MAX)
			place[kept[i]] = i;
	}
	first = follow_line(was, now, place, c->first - 1);
	last = follow_line(was, now, place, c->last - 1);
	/* A block stays where one of its lines did not change. */
	for (size_t i = c->first; i < c->last && first == SIZE_MAX; i++)
		first = place[i];
	for (size_t i = c->last - 1; i >= c->first && last == SIZE_MAX; i--)
		last = place[i - 1];
	if (first == SIZE_MAX || last == SIZE_MAX || first > last)
		return false;
	to->first = first + 1;
	to->last = last + 1;
	return true;
}

/* Return a checker that has the version of the file of C which was cited, or
 * NULL if git has none. */
static struct evidence *find_version(struct store *s, const struct citation *c,
				     struct arena *a)
{
	char *dir = root_folder(&s->repo.root);
	struct evidence *found = NULL;
	struct buf log = {0}, text = {0};
	size_t first;

	if (GIT_ASK(dir, &log, NULL, "--literal-pathspecs", "log",
		    "--format=", "--raw", "--no-abbrev", "--no-renames", "-n",
		    VERSIONS, "--", c->path) != 0)
		buf_cut(&log, 0);
	/* :MODE MODE OLD NEW STATUS, a tab, PATH */
	for (char *line = log.len ? log.p : NULL; line && !found;
	     line = strchr(line, '\n')) {
		const char *blob;

		line += *line == '\n';
		blob = line + strcspn(line, "\n ");
		blob += strcspn(blob + 1, "\n ") + 1;
		blob += strcspn(blob + 1, "\n ") + 1;
		if (*blob++ != ' ')
			continue;
		blob = arena_copy(a, blob, strcspn(blob, "\n "));
		if (GIT_ASK(dir, &text, NULL, "cat-file", "blob", blob) != 0 ||
		    text.len > EVIDENCE_FILE_MAX)
			continue;
		found = evidence_new(&s->repo, (struct evidence_limits){0});
		evidence_put(found, c->path, buf_str(&text), text.len);
		if (evidence_check(found, c, &first) != EVIDENCE_SAME) {
			evidence_free(found);
			found = NULL;
		}
	}
	free(dir);
	buf_release(&log);
	buf_release(&text);
	return found;
}

/* Set C to what its lines, which changed, are now in the file PATH: that of C, or
 * the one that it was renamed to. */
static int follow(const struct repair_cites *r, struct citation *c,
		  const char *path, struct err *e)
{
	struct arena a = {0};
	struct evidence *version = find_version(r->store, c, &a);
	struct citation at = *c;
	struct repair_change change = {.was = *c};
	const struct buf *text;
	struct buf old = {0}, new = {0};
	struct lines was = {0}, now = {0};
	int result;

	at.path = path;
	change.now = at;
	text = evidence_text(r->evidence, &at);
	if (version && text) {
		split_lines(&was, evidence_text(version, c), &a);
		split_lines(&now, text, &a);
		change.followed = follow_lines(c, &was, &now, &change.now, &a);
		add_lines(&old, &was, c->first, c->last);
	}
	result = evidence_cite(r->evidence, &change.now, e);
	text = evidence_text(r->evidence, &at);
	if (!result && text) {
		split_lines(&now, text, &a);
		add_lines(&new, &now, change.now.first, change.now.last);
		diff_lines(&change.diff, &old, &new);
		result = r->accept(&change, e);
	}
	*c = change.now;
	buf_release(&old);
	buf_release(&new);
	buf_release(&change.diff);
	evidence_free(version);
	arena_release(&a);
	return result;
}

/* Set C, whose file is gone, to its place in the file that git renamed it to. */
static int renew_renamed(const struct repair_cites *r, struct renamed *renamed,
			 struct citation *c, struct err *e)
{
	struct repair_change change = {.was = *c, .followed = true};
	int result;

	switch (renamed_find(renamed, r->evidence, c, &change.now)) {
	case EVIDENCE_GONE:
		return evidence_cite(r->evidence, c, e);
	case EVIDENCE_CHANGED:
		if (c->first) {
			result = follow(r, c, change.now.path, e);
			break;
		} /* fallthrough */
	default:
		result = evidence_cite(r->evidence, &change.now, e);
		if (!result)
			result = r->accept(&change, e);
		*c = change.now;
		break;
	}
	c->path = arena_strdup(r->arena, c->path);
	return result;
}

/* Set C to the current citation of its place. */
static int renew(const struct repair_cites *r, struct renamed *renamed,
		 struct citation *c, struct err *e)
{
	size_t first;

	switch (evidence_check(r->evidence, c, &first)) {
	case EVIDENCE_SAME:
		return 0;
	case EVIDENCE_MOVED:
		c->last += first - c->first;
		c->first = first;
		return 0;
	case EVIDENCE_CHANGED:
		if (c->first)
			return follow(r, c, c->path, e);
		break;
	case EVIDENCE_GONE:
		return renew_renamed(r, renamed, c, e);
	default:
		break;
	}
	return evidence_cite(r->evidence, c, e);
}

void repair_show_change(struct buf *out, const struct repair_change *c)
{
	const bool renamed = strcmp(c->was.path, c->now.path) != 0;

	citation_add_place(out, &c->was);
	if (!c->diff.len) {
		buf_adds(out, " moved to ");
		citation_add_place(out, &c->now);
		buf_adds(out, renamed ? ": git renamed the file\n" : "\n");
		return;
	}
	buf_addf(out, "%s%s; %s",
		 c->followed ? " changed"
			     : ": the cited lines moved or changed",
		 renamed ? ", and git renamed the file" : "",
		 c->followed ? "git finds its lines at " : "");
	citation_add_place(out, &c->now);
	buf_adds(out, c->followed ? ":\n" : " now reads:\n");
	sanitize_terminal(out, buf_str(&c->diff), c->diff.len, true);
}

int repair_citations(const struct repair_cites *r, struct value *list,
		     const char *path, struct err *e)
{
	struct renamed renamed = {.store = r->store};
	struct cites cites;
	int result = 0;

	cites_read(&cites, list, path, r->arena, r->report);
	if (cites.n < list->u.list.n)
		return err_set(e, ERR_DATA, "'%s' stays as it is", path);
	if (!cites.n)
		return err_set(e, ERR_NO, "'%s' cites nothing", path);
	for (size_t i = 0; i < cites.n && result == 0; i++)
		result = renew(r, &renamed, &cites.items[i], e);
	renamed_release(&renamed);
	if (result < 0)
		return -1;
	list->u.list.n = 0;
	for (size_t i = 0; i < cites.n; i++) {
		cites_put(list, &cites.items[i], r->arena);
		r->say(&cites.items[i]);
	}
	return 0;
}
