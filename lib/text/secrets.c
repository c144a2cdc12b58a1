/* secrets.c: one pass finds keywords; patterns are tried only at these.
 *
 * Keywords are found by a hash of their first three bytes, which is all that is
 * computed for most texts. Letters are compared without the case bit; the
 * pattern decides the rest. A pattern is compiled when it is first needed and
 * matched at one position only, so no text can make it slow.
 */
#include "text/secrets.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "text/match.h"

#define SLOTS_BITS 12
#define SLOTS (1 << SLOTS_BITS)
#define CASE_BITS 0x202020u
#define KEY_LETTERS \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-"
#define BLOCK_MAX ((size_t)16 * 1024) /* longest private key */
#define LINE_MIN 16		      /* shortest of its lines */

struct keyword {
	const char *word;
	uint16_t len;
	uint16_t rule;
	uint16_t next; /* next in the slot, an index from 1; 0: none */
};

struct secrets {
	uint16_t slots[SLOTS]; /* first keyword, an index from 1; 0: none */
	struct keyword *keywords;
	size_t n, cap;
	struct match **compiled; /* by rule; NULL until needed */
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

/* Return the slot of three bytes, ignoring case. */
static uint32_t slot_of(uint32_t three)
{
	return (three | CASE_BITS) * 0x9E3779B1u >> (32 - SLOTS_BITS);
}

static uint32_t slot_at(const char *p)
{
	return slot_of((uint32_t)(unsigned char)p[0] |
		       (uint32_t)(unsigned char)p[1] << 8 |
		       (uint32_t)(unsigned char)p[2] << 16);
}

static void add_keyword(struct secrets *s, const char *word, size_t len,
			size_t rule)
{
	uint16_t *first = &s->slots[slot_at(word)];

	*MEM_ADD(s->keywords, s->n, s->cap) =
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

static bool matches_keyword(const struct keyword *k, const char *p, size_t len)
{
	if (k->len > len)
		return false;
	for (size_t i = 0; i < k->len; i++) {
		if ((p[i] | 0x20) != (k->word[i] | 0x20))
			return false;
	}
	return true;
}

/* Return true if the byte before AT belongs to the same word. The n of an
 * escape \n does not. */
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

/* Try rule N at the offset AT of P. Returns 1 and fills FOUND if it finds a
 * secret, 0 if not, or -1. */
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

/* Try each rule that has a keyword at AT. FOUND is replaced only if it is vague
 * and the new rule is not. Returns 0 or -1. */
static int try_rules_at(struct secrets *s, const char *p, size_t len, size_t at,
			struct secret *found, bool *vague, struct err *e)
{
	struct secret now;
	int r;

	for (uint16_t i = s->slots[slot_at(p + at)]; i;
	     i = s->keywords[i - 1].next) {
		const struct keyword *k = &s->keywords[i - 1];

		if (!matches_keyword(k, p + at, len - at))
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

/* Return the first offset from AT on whose three bytes may begin a keyword,
 * else LEN. */
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
		if (try_rules_at(s, p, len, at, found, &vague, e) < 0)
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

static bool occurs_in(const char *old, size_t old_len, const char *p,
		      size_t len)
{
	return old && memmem(old, old_len, p, len);
}

int secrets_refuse(struct secrets *s, const char *p, size_t len,
		   const char *old, size_t old_len, const char *where,
		   struct err *e)
{
	struct secret found;
	char line[32];
	size_t from = 0;
	int r;

	while ((r = secrets_find(s, p, len, from, &found, e)) > 0) {
		from = found.end;
		if (occurs_in(old, old_len, p + found.start,
			      found.end - found.start))
			continue;
		snprintf(line, sizeof(line), "line %zu",
			 line_of(p, found.start));
		return err_set(e, ERR_DATA,
			       "refusing to save what looks like a secret: %s "
			       "(%s)",
			       found.rule, where ? where : line);
	}
	return r;
}

/* Skip what separates two lines of a key, also \n as in a JSON string. */
static size_t skip_line_break(const char *p, size_t len, size_t at)
{
	while (at < len &&
	       (strchr(" \t\r\n>|", p[at]) ||
		(p[at] == '\\' && at + 1 < len && strchr("nrt", p[at + 1]))))
		at += p[at] == '\\' ? 2 : 1;
	return at;
}

static size_t skip_key_letters(const char *p, size_t len, size_t at)
{
	while (at < len && p[at] && strchr(KEY_LETTERS, p[at]))
		at++;
	return at;
}

/* Return the real end of FOUND, whose pattern matched only its beginning. */
static size_t secret_end(const struct secret *found, const char *p, size_t len)
{
	static const char last[] = "-----END ";
	size_t end = skip_key_letters(p, len, found->end), at;
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
	while ((at = skip_key_letters(p, len, skip_line_break(p, len, end))) >=
	       skip_line_break(p, len, end) + LINE_MIN)
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
		from = secret_end(&found, p, len);
	}
	buf_add(out, p + from, len - from);
	return r < 0 ? -1 : n;
}
