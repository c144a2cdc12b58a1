/* extract.h: extract the text of a page or a document as Markdown.
 *
 * The first bytes decide the type, not the name. No file is opened:
 * extract_load() loads all tables before, and a type that needs another program
 * is only reported. The input is untrusted: its size, depth, attributes,
 * unpacked size and the output are limited.
 */
#ifndef CO_EXTRACT_EXTRACT_H
#define CO_EXTRACT_EXTRACT_H

#include "extract/page.h"
#include "repo/settings.h"

#define EXTRACT_INPUT_MAX ((size_t)8 * 1024 * 1024)
#define EXTRACT_TEXT_MAX ((size_t)1024 * 1024) /* unless LARGE */

struct extract {
	/* The request. */
	/* Media type from the sender, with or without charset; or NULL. */
	const char *said;
	const char *base; /* URL of the source, or NULL */
	bool whole;	  /* the whole page, not only the main content */
	bool plain;	  /* output of a helper: text, or words as in boxes.c */
	bool large;	  /* allow the output to be as long as the input */

	/* The result. */
	const char *type;    /* a media type; static */
	const char *charset; /* static, or NULL */
	struct page page;
	int pass; /* pass that found the content (see main-content.c), or 0 */
	struct buf markdown;
	struct arena arena; /* holds the page */
};

/* Load all tables, because no file can be opened later. */
void extract_load(void);

/* Return the type of the LEN bytes of P: that of X, unless the bytes contradict
 * it. It is static. */
const char *extract_type(const struct extract *x, const char *p, size_t len);

/* Return the command that reads files of TYPE, NULL-terminated: the one in the
 * user's settings S, allocated in A, or the default. Returns NULL if
 * extract_text() reads them. */
const char *const *extract_helper(const struct settings *s, const char *type,
				  struct arena *a);

/* Run WORDS, from extract_helper(), with the input BYTES, and set TEXT to its
 * output. ERR_HELPER if it fails; the message names the package of a default
 * command. */
int extract_ask(const char *const *words, const struct buf *bytes,
		struct buf *text, struct err *e);

/* Extract the text of the LEN bytes of P. Returns 0 or -1: ERR_NO if there is
 * no text; ERR_DATA if the input is malformed; ERR_SYSTEM if it exceeds a
 * limit. Release X in any case. */
int extract_text(struct extract *x, const char *p, size_t len, struct err *e);
void extract_release(struct extract *x);

/* Append X, extracted from the LEN bytes of P, as one line of JSON; see
 * co-json(5). */
void extract_add_json(struct buf *out, const struct extract *x, const char *p,
		      size_t len);

#endif
