/* candidates.c: see candidates.h. */
#include "mining/candidates.h"

#include "base/utf8.h"
#include "format/json-write.h"
#include "rank/alike.h"
#include "text/sanitize.h"
#include "text/secrets.h"

#define ALIKE_PART 85 /* likewise, of two parts of one file */
#define ALIKE_SAME 60 /* per cent from which two candidates say the same */

static const char *const names[CANDIDATE_KINDS] = {
	[CANDIDATE_TRAILER] = "trailer",   [CANDIDATE_ADR] = "adr",
	[CANDIDATE_BREAKING] = "breaking", [CANDIDATE_DOCS] = "docs",
	[CANDIDATE_REVERT] = "revert",	   [CANDIDATE_FIXUP] = "fixup",
	[CANDIDATE_REASON] = "reason",
};

const char *candidates_kind_name(enum candidate_kind k)
{
	return names[k];
}

bool candidates_explains(enum candidate_kind k)
{
	return k == CANDIDATE_REASON || k == CANDIDATE_FIXUP;
}

/* Return true if the LEN bytes of P are lines of UTF-8 without controls and hidden
 * characters. */
static bool is_plain(const char *p, size_t len)
{
	for (size_t n; len; p += n, len -= n) {
		n = 0;
		while (n < len && p[n] != '\n')
			n++;
		if (utf8_check(p, n) != n ||
		    sanitize_find_hidden(p, n, NULL) != n)
			return false;
		n += n < len;
	}
	return true;
}

static bool has_secret(struct candidates *c, const char *p, size_t len)
{
	struct secret found;

	if (!c->rules)
		c->rules = secrets_new();
	/* A text that cannot be searched may hold one. */
	return secrets_find(c->rules, p, len, 0, &found, NULL) != 0;
}

void candidates_add(struct candidates *c, const struct candidate *one)
{
	const size_t cited = strlen(one->cite);
	struct candidate *to;

	if (!is_plain(one->text, one->len) ||
	    !sanitize_is_line(one->cite, cited)) {
		c->hidden++;
		return;
	}
	if (has_secret(c, one->text, one->len) ||
	    (!one->commit && has_secret(c, one->cite, cited))) {
		c->secrets++;
		return;
	}
	to = MEM_ADD(c->items, c->n, c->cap);
	*to = *one;
	to->text = arena_copy(&c->arena, one->text, one->len);
	to->cite = arena_strdup(&c->arena, one->cite);
	to->order = c->added++;
	to->commit = one->commit ? to->cite : NULL;
}

static int by_points(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->points != y->points)
		return x->points > y->points ? -1 : 1;
	if (x->at != y->at)
		return x->at > y->at ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

/* Return the per cent from which X and Y say the same. Two parts of one file differ on
 * purpose, as a command for the unit tests and one for all. */
static int same_from(const struct candidate *x, const struct candidate *y)
{
	const size_t n = strcspn(x->cite, ":");

	return !x->commit && !y->commit && !strncmp(x->cite, y->cite, n + 1)
		       ? ALIKE_PART
		       : ALIKE_SAME;
}

/* Return true if Y, a longer part of the file of X, has all lines of X below its
 * title. */
static bool has_lines(const struct candidate *y, const struct candidate *x)
{
	const char *end = x->text + x->len, *p = x->text, *stop;

	if (same_from(x, y) != ALIKE_PART || y->len <= x->len)
		return false;
	while ((stop = memchr(p, '\n', (size_t)(end - p)))) {
		p = stop + 1;
		stop = memchr(p, '\n', (size_t)(end - p));
		if (!memmem(y->text, y->len, p,
			    (size_t)((stop ? stop : end) - p)))
			return false;
	}
	return true;
}

/* Remove the candidates whose lines another one has, too. */
static void drop_parts(struct candidates *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++) {
		size_t k = 0;

		while (k < c->n && !has_lines(&c->items[k], &c->items[i]))
			k++;
		if (k == c->n)
			c->items[n++] = c->items[i];
	}
	c->n = n;
}

void candidates_sort(struct candidates *c)
{
	struct alike *words;
	struct terms terms = {0};
	size_t n = 0;

	if (!c->n)
		return;
	words = mem_alloc(c->n * sizeof(*words));
	qsort(c->items, c->n, sizeof(*c->items), by_points);
	for (size_t i = 0; i < c->n && n < CANDIDATES_KEPT; i++) {
		size_t k = 0;

		words[n] = (struct alike){0};
		alike_read(&words[n], &terms, c->items[i].text,
			   c->items[i].len);
		while (k < n && alike_compare(&words[k], &words[n]) <
					same_from(&c->items[k], &c->items[i]))
			k++;
		if (k < n)
			alike_release(&words[n]);
		else
			c->items[n++] = c->items[i];
	}
	for (size_t i = 0; i < n; i++)
		alike_release(&words[i]);
	c->n = n;
	drop_parts(c);
	free(words);
	terms_release(&terms);
}

void candidates_release(struct candidates *c)
{
	free(c->items);
	secrets_free(c->rules);
	arena_release(&c->arena);
	c->rules = NULL;
	c->items = NULL;
	c->n = c->cap = 0;
}

void candidates_json(struct buf *out, const struct candidate *c)
{
	char at[INSTANT_TEXT];

	json_write_bytes(out, "content", c->text, c->len);
	json_write_open(out, "tags", '[');
	json_write_text(out, NULL, CANDIDATE_TAG);
	json_write_text(out, NULL, candidates_kind_name(c->kind));
	json_write_close(out, ']');
	json_write_text(out, "source", CANDIDATE_SOURCE);
	if (candidates_time(c, at))
		json_write_text(out, "created", at);
	json_write_open(out, "cites", '[');
	json_write_text(out, NULL, c->cite);
	json_write_close(out, ']');
	json_write_text(out, "trust", CANDIDATE_TRUST);
}

bool candidates_time(const struct candidate *c, char out[INSTANT_TEXT])
{
	/* Anybody can commit with any clock. */
	if (c->at <= 0 || c->at > instant_now().sec)
		return false;
	instant_format((struct instant){.sec = c->at}, out);
	return true;
}
