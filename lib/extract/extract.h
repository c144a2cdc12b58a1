/* extract.h: the text of a page or a document, as Markdown.
 *
 * What it is decides its first bytes, not its name.  Nothing is opened: all that
 * is needed is loaded by extract_load(), and a type that another program reads is
 * only named.  What it is given is a stranger's: limits hold for its size, its
 * depth, its attributes, what it unpacks to, and what comes out.
 */
#ifndef CO_EXTRACT_EXTRACT_H
#define CO_EXTRACT_EXTRACT_H

#include "extract/page.h"
#include "repo/settings.h"

#define EXTRACT_INPUT_MAX ((size_t)8 * 1024 * 1024)
#define EXTRACT_TEXT_MAX ((size_t)1024 * 1024) /* of what is not `large` */

struct extract {
	/* What is wanted. */
	const char *said; /* its media type, with a charset or not; NULL */
	const char *base; /* where it is from, a URL; NULL */
	bool whole;	  /* all of a page, and not its main content alone */
	bool plain; /* a helper printed it, as text or as boxes.h has it */
	bool large; /* its text may have as many bytes as it has */
	/* What it is. */
	const char *type;    /* a media type; static */
	const char *charset; /* static, or NULL */
	struct page page;
	int pass; /* in which the content was found (see main-content.h); 0 */
	struct buf markdown;
	struct arena arena; /* holds the page */
};

/* Load what is read by later, since no file can be opened then. */
void extract_load(void);

/* The type of the LEN bytes of P, where X says none, else that: static. */
const char *extract_type(const struct extract *x, const char *p, size_t len);

/* The command that reads files of TYPE, NULL-terminated and in A: the one that
 * the user's settings S name, or the usual one; NULL: we do. */
const char *const *extract_helper(const struct settings *s, const char *type,
				  struct arena *a);

/* Have the command WORDS, as extract_helper() has it, read BYTES, and replace TEXT's
 * contents by what it prints.  ERR_HELPER where it fails, with the package that has
 * it where it is a usual one. */
int extract_ask(const char *const *words, const struct buf *bytes,
		struct buf *text, struct err *e);

/* Extract from the LEN bytes of P.  ERR_NO: there is no text in it; ERR_DATA: it
 * is not what it says; ERR_SYSTEM: a limit struck.  Release X either way. */
int extract_text(struct extract *x, const char *p, size_t len, struct err *e);
void extract_release(struct extract *x);

/* Append what X is and says, which was made of the LEN bytes of P, as an object
 * and a line; see co-json(5). */
void extract_add_json(struct buf *out, const struct extract *x, const char *p,
		      size_t len);

#endif
