/* secrets.c: one pass for keywords, then patterns at the few places that have
 * one.
 *
 * Keywords are found by their first three bytes, hashed; those of a text that
 * has none are all that is looked at.  Letters are compared without their
 * sixth bit: what that confuses, the pattern tells apart.  A pattern is
 * compiled when it is first needed and looks at the one place, so that no
 * text can make it take long.
 */
#include "text/secrets.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "text/match.h"
#include "text/secret-services.h"
#include "text/secret-tokens.h"

#define SLOTS_BITS 12
#define SLOTS (1 << SLOTS_BITS)
#define CASE_BITS 0x202020u
#define KEY_LETTERS \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-"
#define BLOCK_MAX ((size_t)16 * 1024) /* bytes of a private key */
#define LINE_MIN 16		      /* letters of one of its lines */

/* One keyword of a rule. */
struct keyword {
	const char *word;
	uint16_t len;
	uint16_t rule;
	uint16_t next; /* in the same slot, an index from 1, or 0 */
};

struct secrets {
	uint16_t slots[SLOTS]; /* the first keyword of each, or 0 */
	struct keyword *keywords;
	size_t n, cap;
	struct match **compiled; /* by rule; NULL until it is needed */
	size_t nrules;
};

const struct secret_rule *secrets_rule(size_t n)
{
	if (n < secret_tokens_count)
		return &secret_tokens[n];
	n -= secret_tokens_count;
	if (n < secret_rules_count)
		return &secret_rules[n];
	n -= secret_rules_count;
	return n < secret_services_count ? &secret_services[n] : NULL;
}

/* The slot of three bytes, whatever their case. */
static uint32_t slot_of(uint32_t three)
{
	return (three | CASE_BITS) * 0x9E3779B1u >> (32 - SLOTS_BITS);
}

static uint32_t slot(const char *p)
{
	return slot_of((uint32_t)(unsigned char)p[0] |
		       (uint32_t)(unsigned char)p[1] << 8 |
		       (uint32_t)(unsigned char)p[2] << 16);
}

static void add_keyword(struct secrets *s, const char *word, size_t len,
			size_t rule)
{
	uint16_t *first = &s->slots[slot(word)];

	s->keywords =
		mem_grow(s->keywords, s->n, &s->cap, sizeof(*s->keywords));
	s->keywords[s->n++] =
		(struct keyword){word, (uint16_t)len, (uint16_t)rule, *first};
	*first = (uint16_t)s->n;
}

struct secrets *secrets_new(void)
{
	struct secrets *s = mem_alloc(sizeof(*s));
	const struct secret_rule *rule;

	while ((rule = secrets_rule(s->nrules))) {
		const char *word = rule->keywords;
		size_t len;

		for (; *word; word += len + (word[len] == '|')) {
			len = strcspn(word, "|");
			add_keyword(s, word, len, s->nrules);
		}
		s->nrules++;
	}
	s->compiled = mem_alloc(s->nrules * sizeof(struct match *));
	return s;
}

void secrets_free(struct secrets *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->nrules; i++)
		match_free(s->compiled[i]);
	free(s->compiled);
	free(s->keywords);
	free(s);
}

static bool stands_at(const struct keyword *k, const char *p, size_t len)
{
	if (k->len > len)
		return false;
	for (size_t i = 0; i < k->len; i++) {
		if ((p[i] | 0x20) != (k->word[i] | 0x20))
			return false;
	}
	return true;
}

/* True if the byte before AT is of the same word; the n of \n is not. */
static bool in_word(const char *p, size_t at)
{
	char c;

	if (!at)
		return false;
	c = p[at - 1];
	if (at > 1 && p[at - 2] == '\\' && (c == 'n' || c == 'r' || c == 't'))
		return false;
	return ascii_is_alnum(c);
}

/* 1 if the rule of index N finds a secret at AT of P. */
static int try_rule(struct secrets *s, size_t n, const char *p, size_t len,
		    size_t at, struct secret *found, struct err *e)
{
	const struct secret_rule *rule = secrets_rule(n);
	struct match **m = &s->compiled[n];
	size_t span[2];
	int r;

	if (!rule->inner && in_word(p, at))
		return 0;
	if (!*m && match_new(m, rule->pattern, strlen(rule->pattern),
			     MATCH_BYTES, e) < 0)
		return -1;
	r = match_at(*m, p, len, at, span, e);
	if (r != 1)
		return r;
	if (!secret_is_plausible(p + span[0], span[1] - span[0], rule->value))
		return 0;
	*found = (struct secret){rule->id, at, span[1]};
	return 1;
}

/* The same with every rule that has its keyword at AT; FOUND is kept unless it
 * is vague and what is found is not. */
static int try_all(struct secrets *s, const char *p, size_t len, size_t at,
		   struct secret *found, bool *vague, struct err *e)
{
	struct secret now;
	int r;

	for (uint16_t i = s->slots[slot(p + at)]; i;
	     i = s->keywords[i - 1].next) {
		const struct keyword *k = &s->keywords[i - 1];

		if (!stands_at(k, p + at, len - at))
			continue;
		if (found->rule && (!*vague || secrets_rule(k->rule)->vague))
			continue;
		r = try_rule(s, k->rule, p, len, at, &now, e);
		if (r < 0)
			return -1;
		if (!r)
			continue;
		*found = now;
		*vague = secrets_rule(k->rule)->vague;
	}
	return 0;
}

/* The first place from AT on where three bytes begin a keyword, LEN when there
 * is none. */
static size_t next_slot(const struct secrets *s, const char *p, size_t len,
			size_t at)
{
	uint32_t three;

	if (at + SECRET_KEYWORD_MIN > len)
		return len;
	three = (uint32_t)(unsigned char)p[at] << 8 |
		(uint32_t)(unsigned char)p[at + 1] << 16;
	for (; at + SECRET_KEYWORD_MIN <= len; at++) {
		three = three >> 8 | (uint32_t)(unsigned char)p[at + 2] << 16;
		if (s->slots[slot_of(three)])
			return at;
	}
	return len;
}

int secrets_find(struct secrets *s, const char *p, size_t len, size_t from,
		 struct secret *found, struct err *e)
{
	bool vague = false;
	size_t at = from;

	*found = (struct secret){0};
	while ((at = next_slot(s, p, len, at)) < len) {
		if (found->rule && (!vague || at >= found->end))
			break;
		if (try_all(s, p, len, at, found, &vague, e) < 0)
			return -1;
		at++;
	}
	return found->rule ? 1 : 0;
}

static size_t line_of(const char *p, size_t at)
{
	size_t line = 1;

	for (size_t i = 0; i < at; i++)
		line += p[i] == '\n';
	return line;
}

static bool stood(const char *was, size_t was_len, const char *p, size_t len)
{
	return was && memmem(was, was_len, p, len);
}

int secrets_refuse(struct secrets *s, const char *p, size_t len,
		   const char *was, size_t was_len, const char *where,
		   struct err *e)
{
	struct secret found;
	char line[32];
	size_t from = 0;
	int r;

	while ((r = secrets_find(s, p, len, from, &found, e)) > 0) {
		from = found.end;
		if (stood(was, was_len, p + found.start,
			  found.end - found.start))
			continue;
		snprintf(line, sizeof(line), "line %zu",
			 line_of(p, found.start));
		return err_set(e, ERR_DATA,
			       "refusing to save what looks like a secret: %s "
			       "(%s): give --allow-secret if it is none",
			       found.rule, where ? where : line);
	}
	return r;
}

/* Between the lines of a key: "\\n" is how a string of JSON has an end of one. */
static size_t skip_between(const char *p, size_t len, size_t at)
{
	while (at < len &&
	       (strchr(" \t\r\n>|", p[at]) ||
		(p[at] == '\\' && at + 1 < len && strchr("nrt", p[at + 1]))))
		at += p[at] == '\\' ? 2 : 1;
	return at;
}

static size_t skip_key(const char *p, size_t len, size_t at)
{
	while (at < len && p[at] && strchr(KEY_LETTERS, p[at]))
		at++;
	return at;
}

/* Where what was FOUND really ends: it was told by its beginning. */
static size_t end_of(const struct secret *found, const char *p, size_t len)
{
	static const char last[] = "-----END ";
	size_t end = skip_key(p, len, found->end), at;
	const size_t most = len - end < BLOCK_MAX ? len - end : BLOCK_MAX;
	const char *close;

	if (strcmp(found->rule, "private-key") != 0 &&
	    strcmp(found->rule, "putty-key") != 0)
		return end;
	close = memmem(p + end, most, last, strlen(last));
	if (close) {
		end = (size_t)(close - p) + strlen(last);
		close = memmem(p + end, len - end < 80 ? len - end : 80,
			       "-----", 5);
		return close ? (size_t)(close - p) + 5 : end;
	}
	while ((at = skip_key(p, len, skip_between(p, len, end))) >=
	       skip_between(p, len, end) + LINE_MIN)
		end = at;
	return end;
}

int secrets_redact(struct buf *out, struct secrets *s, const char *p,
		   size_t len, struct err *e)
{
	struct secret found;
	size_t from = 0;
	int n = 0, r;

	for (; (r = secrets_find(s, p, len, from, &found, e)) > 0; n++) {
		buf_add(out, p + from, found.start - from);
		buf_addf(out, "[REDACTED %s]", found.rule);
		from = end_of(&found, p, len);
	}
	buf_add(out, p + from, len - from);
	return r < 0 ? -1 : n;
}
