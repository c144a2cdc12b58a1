/* commit-rules.c: a trailer was written to be found, and is taken as it is. Of all
 * else in a message, the passage with the most points is taken if that is enough,
 * below the subject of the commit, which says what it is about.
 */
#include "mining/commit-rules.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "mining/passages.h"
#include "mining/worth.h"

#include <strings.h>

/* Points of the kinds, so that the sure ones come first. */
#define TRAILER_POINTS 400
#define BREAKING_POINTS 130
#define REVERT_POINTS 25
#define FIXUP_POINTS 5

#define TEXT_MAX ((size_t)500)	  /* bytes of a passage that is taken whole */
#define SENTENCE_MIN ((size_t)60) /* of one that is taken from a longer one */
#define TRAILER_MIN ((size_t)12)
#define ALONE_MIN ((size_t)40) /* a shorter trailer needs its subject */
#define BREAKING_MIN ((size_t)30)
#define REVERT_MIN ((size_t)60)
#define VAGUE_FIRST 20 /* the first passage follows its subject */
#define VAGUE 45 /* against a passage that begins with "This" and the like */
#define REASON_MIN ((size_t)80) /* a shorter one seldom gives a reason */
#define SUBJECT_MAX ((size_t)160)

/* The best passage of a commit. */
struct best {
	struct commit_rules *rules;
	const struct commit *commit;
	enum candidate_kind kind;
	struct buf subject; /* cleaned */
	struct buf text;
	int points;
	bool trailers; /* some were added */
};

static void add_candidate(struct best *b, enum candidate_kind kind,
			  const struct buf *text, int points)
{
	candidates_add(b->rules->found,
		       &(struct candidate){.kind = kind,
					   .text = text->p,
					   .len = text->len,
					   .commit = b->commit->name,
					   .cite = b->commit->name,
					   .at = b->commit->at,
					   .points = points});
}

/* Set OUT to the passage P of LEN bytes below the subject. */
static void compose(struct buf *out, const struct best *b, const char *prefix,
		    const char *p, size_t len)
{
	buf_cut(out, 0);
	if (b->subject.len)
		buf_addf(out, "%s\n\n", b->subject.p);
	buf_adds(out, prefix);
	buf_add(out, p, len);
}

static void add_trailer(struct best *b, const struct passage *p)
{
	struct buf text = {0};

	if (p->len < TRAILER_MIN)
		return;
	if (strcmp(p->key, "Because") != 0 && p->len >= ALONE_MIN)
		buf_add(&text, p->p, p->len);
	else
		compose(&text, b, !strcmp(p->key, "Because") ? "Because: " : "",
			p->p, p->len);
	add_candidate(b, CANDIDATE_TRAILER, &text, TRAILER_POINTS);
	b->trailers = true;
	buf_release(&text);
}

static void offer_text(struct best *b, enum candidate_kind kind, int points,
		       const char *prefix, const char *p, size_t len)
{
	if (candidates_explains(kind) &&
	    (len < REASON_MIN || worth_names_authors(p, len)))
		return;
	if (kind != CANDIDATE_BREAKING && !worth_states_rule(p, len))
		return;
	if (b->text.len && points <= b->points)
		return;
	b->kind = kind;
	b->points = points;
	compose(&b->text, b, prefix, p, len);
}

/* Offer the best sentence of the long passage P that makes sense without the
 * others. */
static void offer_sentence(struct best *b, const char *p, size_t len)
{
	while (len) {
		const size_t n = passages_sentence(p, len);

		if (n >= SENTENCE_MIN && n <= TEXT_MAX &&
		    worth_stands_alone(p, n))
			offer_text(b, b->kind, worth_points(p, n), "", p, n);
		p += n;
		len -= n;
		utf8_strip(&p, &len);
	}
}

/* "Revert "x"" is git's own subject. "revert: x" may be about a command. */
static bool is_revert(const struct commit *c)
{
	const char *name;

	return !strncmp(c->subject, "Revert \"", strlen("Revert \"")) ||
	       (!strncasecmp(c->subject, "revert", strlen("revert")) &&
		passages_reverted(c->body, &name));
}

/* A passage_fn. */
static void judge_passage(void *ctx, const struct passage *p)
{
	struct best *b = ctx;
	int points;

	if (p->kind == PASSAGE_TRAILER) {
		add_trailer(b, p);
		return;
	}
	if (p->kind == PASSAGE_BREAKING) {
		if (p->len >= BREAKING_MIN && p->len <= TEXT_MAX)
			offer_text(b, CANDIDATE_BREAKING,
				   BREAKING_POINTS + worth_change(p->p, p->len),
				   "BREAKING CHANGE: ", p->p, p->len);
		return;
	}
	if (p->len > TEXT_MAX) {
		offer_sentence(b, p->p, p->len);
		return;
	}
	points = worth_points(p->p, p->len);
	if (!worth_stands_alone(p->p, p->len))
		points -= p->number ? VAGUE : VAGUE_FIRST;
	if (is_revert(b->commit) && p->kind == PASSAGE_TEXT &&
	    p->len >= REVERT_MIN)
		points += REVERT_POINTS;
	offer_text(b, b->kind, points, "", p->p, p->len);
}

/* Set the cleaned subject: without the number of a pull request at its end. */
static void clean_subject(struct best *b)
{
	const char *p = b->commit->subject;
	size_t len = strlen(p);

	utf8_strip(&p, &len);
	while (len > 4 && p[len - 1] == ')') {
		size_t n = len - 1;

		while (n && ascii_is_digit(p[n - 1]))
			n--;
		if (n < 2 || n == len - 1 || p[n - 1] != '#' || p[n - 2] != '(')
			break;
		len = n - 2;
		utf8_strip(&p, &len);
	}
	buf_add(&b->subject, p, utf8_cut(p, len, SUBJECT_MAX));
}

/* Return true if nobody wrote C as a message to people: a release, an update of a
 * dependency, notes of another project. */
static bool is_routine(const struct commit *c)
{
	static const char *const authors[] = {"[bot]", "dependabot", "renovate",
					      "greenkeeper", "pyup-bot"};
	static const char *const first[] = {
		"bump ",
		"update dependency",
		"chore(deps",
		"build(deps",
		"release",
		"squashed '",
		"merge",
		"wip",
		"typo",
		"fix typo",
		"changelog",
		"update changelog",
		"history:",
		"news",
		"v0",
		"v1",
		"v2",
		"v3",
		"version ",
		"update readme",
		"release-notes",
		"release notes",
		"prepare",
		"deps:",
		"dep:",
		"docs: release",
		"chore: release",
		"chore(release",
		"fix a typo",
		"fixup!",
		"squash!",
		"update to ",
		"upgrade ",
		"readme:",
		"copyright",
	};

	for (size_t i = 0; i < ARRAY_LEN(authors); i++) {
		if (strstr(c->author, authors[i]))
			return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(first); i++) {
		if (!strncasecmp(c->subject, first[i], strlen(first[i])))
			return true;
	}
	return false;
}

/* Return true if the commit NAME was reverted. */
static bool is_reverted(const struct commit_rules *r, const char *name)
{
	struct table_look look =
		table_look(&r->by_name, name, PASSAGES_NAME_MIN, 0);
	size_t i;

	while (table_next(&look, &i)) {
		const char *was = r->reverted.items[i];

		if (!strncmp(name, was, strlen(was)))
			return true;
	}
	return false;
}

/* Note the commit that C reverts, unless C was itself reverted. */
static void note_reverted(struct commit_rules *r, const struct commit *c)
{
	const char *name;
	const size_t len = passages_reverted(c->body, &name);

	if (!len || is_reverted(r, c->name))
		return;
	strings_add(&r->reverted, arena_copy(&r->found->arena, name, len));
	table_put(&r->by_name, name, PASSAGES_NAME_MIN, 0, r->reverted.n - 1);
}

/* Return true if C takes back a revert: then the story continues. */
static bool is_double(const struct commit *c)
{
	return !strncasecmp(c->subject, "revert \"revert", 14) ||
	       !strncasecmp(c->subject, "reapply", 7) ||
	       !strncasecmp(c->subject, "revert \"reapply", 15);
}

void commit_rules_apply(struct commit_rules *r, const struct commit *c)
{
	struct best b = {.rules = r, .commit = c, .kind = CANDIDATE_REASON};
	const size_t len = strlen(c->subject);

	note_reverted(r, c);
	if (is_routine(c) || is_double(c) || !c->body[0]) {
		r->found->left[c->body[0] ? LEFT_ROUTINE : LEFT_SUBJECT]++;
		return;
	}
	if (is_revert(c)) {
		b.kind = CANDIDATE_REVERT;
	} else if (passages_corrects(c->body)) {
		b.kind = CANDIDATE_FIXUP;
	}
	clean_subject(&b);
	passages_each(c->body, judge_passage, &b);
	if (b.kind == CANDIDATE_FIXUP)
		b.points += FIXUP_POINTS;
	b.points += worth_subject(c->subject, len);
	if (b.text.len && b.points >= WORTH_LEAST && !b.trailers)
		add_candidate(&b, b.kind, &b.text, b.points);
	else if (!b.trailers)
		r->found->left[LEFT_REASON]++;
	buf_release(&b.subject);
	buf_release(&b.text);
}

void commit_rules_finish(struct commit_rules *r)
{
	struct candidates *c = r->found;
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++) {
		if (!is_reverted(r, c->items[i].commit))
			c->items[n++] = c->items[i];
	}
	c->left[LEFT_CHANGED] += c->n - n;
	c->n = n;
}

void commit_rules_release(struct commit_rules *r)
{
	free(r->reverted.items);
	table_release(&r->by_name);
}
