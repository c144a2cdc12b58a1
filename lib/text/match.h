/* match.h: search text. Only this module uses PCRE2.
 *
 * Case-insensitive matching knows Unicode: text and pattern are both folded
 * (unicode_fold()), so that STRASSE finds straße, izmir finds İzmir, and a
 * letter finds its decomposed form. ASCII text takes a fast path.
 *
 * A pattern may be malicious. Steps, memory and the total time of all searches
 * with one pattern (2 s) are limited. Reaching a limit is an error
 * (ERR_SYSTEM), never "not found".
 */
#ifndef CO_TEXT_MATCH_H
#define CO_TEXT_MATCH_H

#include "base/buf.h"
#include "base/err.h"
#include "text/color.h"

#define MATCH_PATTERN_MAX 4096

enum match_flags {
	MATCH_LITERAL = 1, /* the pattern is plain text */
	MATCH_CASE = 2,	   /* case-sensitive */
	MATCH_WORD = 4,	   /* no word character before or after the match */
	MATCH_START = 8,   /* no word character before the match */
	MATCH_BYTES = 16   /* no folding, ASCII \w; for our own patterns */
};

struct match;

/* Compile LEN bytes of PATTERN; `^` and `$` match at line ends, including CRLF.
 * The caller frees *OUT with match_free(). Returns 0, or -1 with ERR_USAGE: a
 * bad pattern, with the offset and the reason, or one that is too long or not
 * UTF-8. */
int match_new(struct match **out, const char *pattern, size_t len,
	      unsigned flags, struct err *e);

/* Compile WORD, plain text that a person gives to name memories, like match_new(). If
 * WORD is ASCII, it matches only at the start of a word. */
int match_new_word(struct match **out, const char *word, struct err *e);

/* Append a pattern that matches where any of the N PATTERNS does. LITERAL: they
 * are plain texts. */
void match_join(struct buf *out, const char *const *patterns, size_t n,
		bool literal);

/* Return a copy of M for another thread. Both share one time limit. The caller
 * frees it with match_free(), before M. */
struct match *match_again(struct match *m);

/* Return 1 if M matches somewhere in P, 0 if not, or -1 with ERR_SYSTEM if a
 * limit was reached. */
int match_test(struct match *m, const char *p, size_t len, struct err *e);

/* Test whether M, made with MATCH_BYTES, matches at the offset AT of P. SPAN
 * gets the start and end of its first group, or of the whole match if the group
 * is unset. Returns as match_test(). */
int match_at(struct match *m, const char *p, size_t len, size_t at,
	     size_t span[2], struct err *e);

/* Add the nonempty matches of M in P to OUT as COLOR_MATCH, in order and not
 * overlapping. If a match in the folded text cannot be mapped back, the whole
 * text is one span. Returns 0, or -1 as match_test(). */
int match_spans(struct match *m, const char *p, size_t len, struct spans *out,
		struct err *e);

void match_free(struct match *m);

/* Append the name and version of PCRE2. */
void match_library(struct buf *out);

#endif
