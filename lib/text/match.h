/* match.h: searching text; the one owner of PCRE2.
 *
 * Caseless matching knows Unicode: text and pattern are folded (see
 * unicode_fold) before they meet, so that straße is found by STRASSE, İzmir by
 * izmir, and a letter by its decomposed form.  ASCII text takes a short way.
 *
 * A pattern may be made to hurt: steps, memory and the time of all its searches
 * together (2 s) are limited, and a limit that strikes is ERR_SYSTEM, never
 * "not found".
 */
#ifndef CO_TEXT_MATCH_H
#define CO_TEXT_MATCH_H

#include "base/buf.h"
#include "base/err.h"
#include "text/color.h"

#define MATCH_PATTERN_MAX 4096

enum match_flags {
	MATCH_LITERAL = 1, /* the pattern is text, no syntax in it */
	MATCH_CASE = 2,	   /* upper and lower case differ */
	MATCH_WORD = 4,	   /* no word character just before or behind */
	MATCH_START = 8,   /* none just before */
	MATCH_BYTES = 16   /* nothing is folded, \w and the like are ASCII, and
			    * the pattern is one of ours: for match_at() */
};

struct match;

/* Compile LEN bytes of PATTERN, `^` and `$` at line ends (CRLF included).
 * *OUT is yours, release with match_free().  ERR_USAGE: a bad pattern, with
 * the offset and what is wrong; one that is too long or no UTF-8. */
int match_new(struct match **out, const char *pattern, size_t len,
	      unsigned flags, struct err *e);

/* Append the pattern that matches where any of the N PATTERNS does; with LITERAL
 * they are texts. */
void match_join(struct buf *out, const char *const *patterns, size_t n,
		bool literal);

/* One that does the same as M, for another thread; its time is M's too, so that
 * both together have no more.  Yours, released before M. */
struct match *match_again(struct match *m);

/* 1 if M matches somewhere in P, 0 if not, -1 (ERR_SYSTEM) if a limit
 * struck. */
int match_test(struct match *m, const char *p, size_t len, struct err *e);

/* The same, M being made with MATCH_BYTES, if it matches from the byte AT on:
 * SPAN gets the start and the end of what its first group took, or of all where
 * that took nothing. */
int match_at(struct match *m, const char *p, size_t len, size_t at,
	     size_t span[2], struct err *e);

/* Add, as COLOR_MATCH, where in P the matches of M stand that take some bytes,
 * each behind the one before: 0, or -1 as match_test().  Of a text where folding
 * leaves no way back to the bytes, all of it stands for them. */
int match_spans(struct match *m, const char *p, size_t len, struct spans *out,
		struct err *e);

void match_free(struct match *m);

/* Append the name and version of the library behind this. */
void match_library(struct buf *out);

#endif
