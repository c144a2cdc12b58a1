/* secret-rules.h: what a secret looks like.
 *
 * A rule is looked for where one of its keywords stands, and only there:
 * its pattern is matched from the keyword's first byte on, against bytes as
 * they are, so that a search costs the same however long the text is.  What its
 * first group takes is judged once more, see secret-plausible.h.
 */
#ifndef CO_TEXT_SECRET_RULES_H
#define CO_TEXT_SECRET_RULES_H

#include "text/secret-plausible.h"

#define SECRET_KEYWORD_MIN 3

struct secret_rule {
	const char *id;	      /* what a refusal names */
	const char *keywords; /* lower case, for any case, '|' between them */
	const char *pattern;
	const char *what; /* what it is, for the manual */
	enum secret_plausible value;
	bool inner; /* may follow a letter or digit */
	bool vague; /* a rule that finds one inside it tells more */
};

/* What pieces of a pattern are made of. */
#define HEX "[0-9A-Fa-f]"
#define B62 "[A-Za-z0-9]"
#define B64 "[A-Za-z0-9+/]"
#define WEB "[A-Za-z0-9_-]"
#define UUID HEX "{8}-" HEX "{4}-" HEX "{4}-" HEX "{4}-" HEX "{12}"
#define END "(?![A-Za-z0-9_])"	     /* no word goes on */
#define WEB_END "(?![A-Za-z0-9_-])"  /* nor one with dashes */
#define B64_END "(?![A-Za-z0-9+/=])" /* nor base64 */
#define QUOTE "[\"'`*]{0,3}"	     /* around a key or a value */
#define SPACE "[ \\t]{0,4}"
#define ASSIGNED QUOTE "\\]?" SPACE "(?:=>|\\?=|:{1,3}=|[:=])" SPACE QUOTE

/* Secrets that are known by the words around them. */
extern const struct secret_rule secret_rules[];
extern const size_t secret_rules_count;

#endif
