/* secret-rules.h: the rules that find secrets.
 *
 * A rule is tried only where one of its keywords occurs. Its pattern is matched
 * from the first byte of the keyword on, against unfolded bytes, so the cost
 * does not depend on the length of the text. The first group of the pattern is
 * then judged by secret_is_plausible(): examples, placeholders, names of
 * variables and digests are not secrets. A string with an issuer's prefix only
 * needs enough distinct characters; one that is called a secret by the words
 * around it must look random.
 */
#ifndef CO_TEXT_SECRET_RULES_H
#define CO_TEXT_SECRET_RULES_H

#include "base/base.h"

#define SECRET_KEYWORD_MIN 3

enum secret_plausible {
	SECRET_PLAUSIBLE_MARKED,   /* follows an issuer's prefix */
	SECRET_PLAUSIBLE_ANY,	   /* its form is sufficient */
	SECRET_PLAUSIBLE_KEY,	   /* called a key or token: must look random */
	SECRET_PLAUSIBLE_PASSWORD, /* called a password: must have digits */
	SECRET_PLAUSIBLE_SAID,	   /* in a sentence: needs more digits */
	SECRET_PLAUSIBLE_URL,	   /* user:password in a URL: not a word */
	SECRET_PLAUSIBLE_BASIC	   /* base64 of user:password */
};

/* Return true if the LEN bytes of P, judged as KIND, are likely a secret. */
bool secret_is_plausible(const char *p, size_t len, enum secret_plausible kind);

struct secret_rule {
	const char *id;	      /* for error messages */
	const char *keywords; /* lower case, separated by '|' */
	const char *pattern;
	const char *what; /* for the manual; NULL: the id says it */
	enum secret_plausible value;
	bool inner; /* a letter or digit may precede it */
	bool vague; /* prefer another rule that matches inside it */
};

/* Parts of patterns. */
#define HEX "[0-9A-Fa-f]"
#define B62 "[A-Za-z0-9]"
#define B64 "[A-Za-z0-9+/]"
#define WEB "[A-Za-z0-9_-]"
#define UUID HEX "{8}-" HEX "{4}-" HEX "{4}-" HEX "{4}-" HEX "{12}"
#define END "(?![A-Za-z0-9_])"	     /* end of a word */
#define WEB_END "(?![A-Za-z0-9_-])"  /* end of a word with dashes */
#define B64_END "(?![A-Za-z0-9+/=])" /* end of base64 */
#define QUOTE "[\"'`*]{0,3}"	     /* around a key or value */
#define SPACE "[ \\t]{0,4}"
#define ASSIGNED QUOTE "\\]?" SPACE "(?:=>|\\?=|:{1,3}=|[:=])" SPACE QUOTE

/* Rules for secrets that are recognised by the words around them. */
extern const struct secret_rule secret_rules[];
extern const size_t secret_rules_count;

/* Rules for tokens with an issuer's prefix, such as ghp_ of GitHub. */
extern const struct secret_rule secret_tokens[];
extern const size_t secret_tokens_count;

/* Rules for keys that are recognised only by the name of their service:
 * FASTLY_TOKEN=... */
extern const struct secret_rule secret_services[];
extern const size_t secret_services_count;

#endif
