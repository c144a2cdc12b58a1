/* mining-read.c: read commits; drop texts whose names are gone; then read files.
 *
 * One pass through the files of the work tree finds all names. It stops once each
 * was found.
 */
#include "mining/mining.h"

#include "base/ascii.h"
#include "base/strings.h"
#include "base/table.h"
#include "mining/candidates.h"
#include "mining/commit-rules.h"
#include "mining/recipes.h"
#include "mining/tracked.h"
#include "repo/gitdir.h"
#include "sys/git.h"

#include <sys/stat.h>

#define NAME_MIN 4
#define NAME_MAX_BYTES 80
#define NAMES_MAX 4000 /* searched at once */
#define NAMELESS 25    /* points against a text without any name */
#define FIRST_WORDS 5  /* one of these names the subject of a reason */
#define GONE_ABOVE 25  /* against one whose subject has a name that is gone */

struct name {
	const char *p;
	size_t len;
	bool found;
};

struct names {
	struct arena arena;
	struct name *items;
	size_t n, cap, found;
	struct table by_name;
};

static struct name *find_name(struct names *all, const char *p, size_t len)
{
	struct table_look look = table_look(&all->by_name, p, len, 0);
	size_t i;

	while (table_next(&look, &i)) {
		if (all->items[i].len == len &&
		    !memcmp(all->items[i].p, p, len))
			return &all->items[i];
	}
	return NULL;
}

static void add_name(struct names *all, const char *p, size_t len)
{
	if (find_name(all, p, len) || all->n == NAMES_MAX)
		return;
	table_put(&all->by_name, p, len, 0, all->n);
	*MEM_ADD(all->items, all->n, all->cap) =
		(struct name){.p = arena_copy(&all->arena, p, len), .len = len};
}

/* Return true if the word P of LEN bytes, followed by AFTER, is a name in code: it has
 * an inner _ or capital letter, or is called. */
static bool is_name(const char *p, size_t len, char after)
{
	bool lower = false, mixed = after == '(';

	for (size_t i = 0; i < len; i++) {
		mixed |= (p[i] == '_' && i && i + 1 < len) ||
			 (i && lower && ascii_is_upper(p[i]));
		lower |= ascii_is_lower(p[i]);
	}
	return mixed && len >= NAME_MIN && len <= NAME_MAX_BYTES;
}

/* Return the length of the word of letters, digits and _ at P. */
static size_t word_length(const char *p, size_t len)
{
	size_t n = 0;

	while (n < len && (ascii_is_alnum(p[n]) || p[n] == '_'))
		n++;
	return n;
}

/* Call FN with each name of the LEN bytes of P. */
typedef void name_fn(void *ctx, const char *p, size_t len);
static void each_name(const char *p, size_t len, name_fn *fn, void *ctx)
{
	for (size_t i = 0, n; i < len; i += n + 1) {
		n = word_length(p + i, len - i);
		if (n && is_name(p + i, n, i + n < len ? p[i + n] : ' '))
			fn(ctx, p + i, n);
	}
}

static void collect_name(void *ctx, const char *p, size_t len)
{
	add_name(ctx, p, len);
}

/* A tracked_fn that marks the names in F as found. */
static bool mark_found(void *ctx, const struct tracked_file *f)
{
	struct names *all = ctx;
	const struct buf *text = f->text;
	const char *p = buf_str(text);

	for (size_t i = 0, n; i < text->len; i += n + 1) {
		struct name *name;

		n = word_length(p + i, text->len - i);
		name = n >= NAME_MIN ? find_name(all, p + i, n) : NULL;
		if (name && !name->found) {
			name->found = true;
			all->found++;
		}
	}
	return all->found < all->n;
}

/* Look for the names in the files of C. Change logs are left out, since they name removed
 * things. */
static int search(struct names *all, const struct candidates *c, struct err *e)
{
	static const char *const paths[] = {
		".", ":(exclude,icase,glob)**/*change*",
		":(exclude,icase,glob)**/*history*",
		":(exclude,icase,glob)**/*release*", NULL};
	const int r =
		tracked_each(c->dir, paths, c->report, mark_found, all, e);

	/* A file that was not read may hold the others. */
	for (size_t i = 0; r == 1 && i < all->n; i++)
		all->items[i].found = true;
	return r < 0 ? -1 : 0;
}

struct count {
	struct names *all;
	size_t named, found;
};

static void count_name(void *ctx, const char *p, size_t len)
{
	struct count *n = ctx;
	const struct name *name = find_name(n->all, p, len);

	n->named += name != NULL;
	n->found += name && name->found;
}

/* Return the length of the subject above the text of C. */
static size_t subject_length(const struct candidate *c)
{
	const char *end = strstr(c->text, "\n\n");

	return end ? (size_t)(end - c->text) : 0;
}

/* Count the names in C, in its subject or below it. */
static struct count count_names(const struct candidate *c, struct names *all,
				bool subject)
{
	const size_t len = subject_length(c);
	struct count count = {.all = all};

	if (subject)
		each_name(c->text, len, count_name, &count);
	else
		each_name(c->text + len, c->len - len, count_name, &count);
	return count;
}

/* Return true if the word P of LEN bytes may come before the subject of a sentence. */
static bool is_before_subject(const char *p, size_t len)
{
	static const char words[] =
		"a all always an any as both by callers can't cannot do don't "
		"each every for if in must never no not note notice of on "
		"readers since that the unlike users when with";
	char word[16];
	size_t n = 0;

	for (size_t i = 0; i < len && n < sizeof(word); i++) {
		if (ascii_is_letter(p[i]) || p[i] == '\'')
			word[n++] = ascii_lower(p[i]);
	}
	return strings_word_is_in(words, word, n);
}

/* Return true if C, below its subject, begins with a name, after words such as "in the"
 * and at most one other, as in "callers of count_all()" and "in the function f()". */
static bool begins_with_name(const struct candidate *c, struct names *all)
{
	const char *p = c->text + subject_length(c);
	bool other = false;

	for (int i = 0; i < FIRST_WORDS; i++) {
		struct count count = {.all = all};
		size_t len;

		p += strspn(p, " \n");
		len = strcspn(p, " \n");
		each_name(p, len, count_name, &count);
		if (count.named)
			return true;
		if (!is_before_subject(p, len)) {
			if (other || !i)
				return false;
			other = true;
		}
		p += len;
	}
	return false;
}

/* Remove the candidates whose names (`snake_case`, camelCase, call()) are not in the
 * work tree any more, and reasons and repairs that do not begin with a name. Lower the
 * points of others that name nothing, and of those whose subject names a removed thing.
 * Trailers stay. Returns 0 or -1, ERR_HELPER. */
static int drop_gone(struct candidates *c, struct err *e)
{
	struct names all = {0};
	size_t n = 0;
	int r = 0;

	for (size_t i = 0; i < c->n; i++)
		each_name(c->items[i].text, c->items[i].len, collect_name,
			  &all);
	if (all.n)
		r = search(&all, c, e);
	for (size_t i = 0; i < c->n && !r; i++) {
		struct candidate *one = &c->items[i];
		const struct count above = count_names(one, &all, true),
				   text = count_names(one, &all, false);

		if (one->kind != CANDIDATE_TRAILER) {
			const bool gone = text.found < text.named;

			if (gone || (candidates_explains(one->kind) &&
				     !begins_with_name(one, &all))) {
				c->left[gone ? LEFT_CHANGED : LEFT_REASON]++;
				continue;
			}
			if (!text.named && !above.found)
				one->points -= NAMELESS;
			if (above.found < above.named)
				one->points -= GONE_ABOVE;
		}
		c->items[n++] = *one;
	}
	if (!r)
		c->n = n;
	free(all.items);
	table_release(&all.by_name);
	arena_release(&all.arena);
	return r;
}

#define YEAR ((int64_t)365 * 24 * 60 * 60)
#define YEAR_POINTS 4	  /* lost for each year before the newest commit */
#define YEAR_BREAKING 200 /* of a breaking change: it is released by then */
#define YEARS_MAX 12
#define LEAST 50       /* points in the end */
#define MESSAGES_MAX 1 /* drafts from messages; they are the weakest */

/* Open the git work tree of C. *BELOW: it holds more than C->dir. Returns 0 or
 * -1. */
static int find_work_tree(struct candidates *c, bool *below, struct err *e)
{
	struct gitdir g;
	struct stat st;
	struct buf path = {0};
	const int r = gitdir_find(&g, c->dir, e);

	if (r == 0)
		return err_set(e, ERR_SYSTEM,
			       "'%s' is not in a git work tree: change to one, "
			       "or read conversations with 'co harvest'",
			       c->dir);
	if (r < 0)
		return -1;
	*below = strcmp(g.top, c->dir) != 0;
	buf_addf(&path, "%s/shallow", g.common);
	c->shallow = stat(path.p, &st) == 0 && st.st_size > 0;
	buf_release(&path);
	gitdir_release(&g);
	return 0;
}

struct reading {
	struct commit_rules rules;
	int64_t newest;
};

static void read_commit(void *ctx, const struct commit *c)
{
	struct reading *r = ctx;

	if (c->at > r->newest)
		r->newest = c->at;
	commit_rules_apply(&r->rules, c);
}

/* Lower the points of old candidates. */
static void lower_old(struct candidates *c, int64_t newest)
{
	for (size_t i = 0; i < c->n; i++) {
		struct candidate *one = &c->items[i];
		int64_t years = (newest - one->at) / YEAR;

		years = years > YEARS_MAX ? YEARS_MAX : years < 0 ? 0 : years;
		if (one->kind == CANDIDATE_BREAKING)
			one->points -= (int)years * YEAR_BREAKING;
		else if (one->kind != CANDIDATE_TRAILER)
			one->points -= (int)years * YEAR_POINTS;
	}
}

/* Drop the candidates of C with too few points, for the reason WHY. */
static void drop_low(struct candidates *c, enum candidates_left why)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++) {
		if (c->items[i].points >= LEAST)
			c->items[n++] = c->items[i];
	}
	c->left[why] += c->n - n;
	c->n = n;
}

/* Keep only the best of the candidates in C that are from messages, apart from
 * trailers. */
static void drop_many(struct candidates *c)
{
	size_t n = 0, messages = 0;

	for (size_t i = 0; i < c->n; i++) {
		const bool message = c->items[i].commit &&
				     c->items[i].kind != CANDIDATE_TRAILER;

		messages += message;
		if (!message || messages <= MESSAGES_MAX)
			c->items[n++] = c->items[i];
	}
	c->left[LEFT_BETTER] += c->n - n;
	c->n = n;
}

/* Return R, a result of git. If git failed, explain it in E. */
static int explain_failure(const struct candidates *c, int r, struct err *e)
{
	struct buf command = {0};

	if (r >= 0 || e->code != ERR_HELPER)
		return r;
	buf_adds(&command, "git -C ");
	buf_add_word(&command, c->dir);
	buf_adds(&command, " log -p >/dev/null");
	git_explain_lack(c->dir, command.p, e);
	buf_release(&command);
	return -1;
}

int mining_read(struct candidates *c, struct err *e)
{
	struct commit_log log = {.dir = c->dir,
				 .range = c->range,
				 .max = CANDIDATES_COMMITS,
				 .progress = c->progress};
	struct reading r = {.rules.found = c};
	int result;

	if (find_work_tree(c, &log.below, e) < 0)
		return -1;
	result = commit_log_each(&log, read_commit, &r, e);
	commit_rules_finish(&r.rules);
	lower_old(c, r.newest);
	c->commits = log.n;
	c->more = log.more;
	c->skipped = log.skipped;
	drop_low(c, LEFT_OLD);
	if (!result)
		result = drop_gone(c, e);
	drop_low(c, LEFT_CHANGED);
	candidates_sort(c);
	if (!result)
		result = candidates_judge_survival(c, e);
	drop_low(c, LEFT_CHANGED);
	if (!result && !c->range)
		result = candidates_read_files(c, e);
	/* A Makefile may be above a part of the work tree. */
	if (!result && !c->range && !log.below)
		result = recipes_drop_gone(c, e);
	candidates_sort(c);
	if (!c->range)
		drop_many(c);
	commit_rules_release(&r.rules);
	return explain_failure(c, result, e);
}
