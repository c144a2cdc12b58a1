/* frontmatter.h: YAML frontmatter of Markdown files.
 *
 *	---
 *	id: 1
 *	tags: [python, style]
 *	---
 *	body
 *
 * The first line is `---`, trailing blanks allowed, CRLF accepted, a BOM in
 * front skipped; the next such line closes.  Without both, everything is body.
 * The body is every byte after the closing line.
 *
 * Frontmatter is a map of at most 64 KiB and depth 8, read by the core schema
 * of YAML 1.2: a timestamp, `no` and `on` are strings.  An alias may name a
 * scalar only; tags, directives and a key given twice are errors.  An empty
 * one, or one of comments alone, is an empty map.
 *
 * Two readers agree on every input: a scanner for the plain forms that nearly
 * every file has, and libyaml's events for all others (see yaml-fast.h,
 * yaml-read.h).
 */
#ifndef CO_FORMAT_FRONTMATTER_H
#define CO_FORMAT_FRONTMATTER_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "format/value.h"

#define FRONTMATTER_MAX (64 * 1024)
#define FRONTMATTER_DEPTH 8

struct frontmatter {
	const char *text; /* the whole document, borrowed */
	size_t len;
	bool present;	   /* a header opens and closes */
	size_t yaml;	   /* offset of the YAML, after the opening line */
	size_t yaml_len;   /* its bytes, up to the closing line */
	size_t body;	   /* offset of the body; 0 or 3 (BOM) without header */
	struct value data; /* VALUE_MAP, empty where not present */
};

/* Find the parts of TEXT; data is left an empty map.  Cannot fail. */
void frontmatter_split(struct frontmatter *fm, const char *text, size_t len);

/* Split and read; data lives in A, TEXT is borrowed and must outlive it.
 * NAME is the file's name for the sentence of ERR_DATA: 'NAME':LINE:COL:
 * Invalid YAML in frontmatter: ...; the parts are found even then. */
int frontmatter_parse(struct frontmatter *fm, const char *text, size_t len,
		      const char *name, struct arena *a, struct err *e);

/* The body stripped of blanks at both ends; borrowed from the text. */
void frontmatter_content(const struct frontmatter *fm, const char **p,
			 size_t *len);

/* Append `---`, DATA (a map) as YAML and `---`, each line ended: keys in
 * order, lists of scalars in flow form, strings quoted only where YAML needs
 * it, UTF-8 unescaped.  An empty map writes nothing.  ERR_DATA where it could
 * not be read back: deeper than 8, longer than 64 KiB. */
int frontmatter_write(struct buf *out, const struct value *data, struct err *e);

/* The same for who reads it back himself, with what stands behind it. */
int frontmatter_lay_out(struct buf *out, const struct value *data,
			struct err *e);

/* Append the document of DATA and the LEN bytes of BODY, which reads back as
 * just these.  ERR_DATA as for frontmatter_write(). */
int frontmatter_join(struct buf *out, const struct value *data,
		     const char *body, size_t len, struct err *e);

/* Append the document with the top-level KEY set to V (a scalar or a list of
 * scalars), changing no byte but those of the old value; a key that is not
 * there is added as a line at the end of the header; a document without a
 * header gets one.  ERR_DATA if the result would not read back as meant. */
int frontmatter_set(struct buf *out, const struct frontmatter *fm,
		    const char *key, const struct value *v, struct err *e);

/* Append the document without the top-level KEY, which is there, and its
 * value, changing no other byte. */
int frontmatter_remove(struct buf *out, const struct frontmatter *fm,
		       const char *key, struct err *e);

/* Append the document with COMMENT, which begins with #, as a line behind the
 * value of KEY, which is there. */
int frontmatter_remark(struct buf *out, const struct frontmatter *fm,
		       const char *key, const char *comment, struct err *e);

/* The line end that the document uses, that of its first line. */
const char *frontmatter_line_end(const struct frontmatter *fm);

/* Line and column, both from 1, of the byte at OFFSET of the text; a column is
 * a character. */
void frontmatter_place(const struct frontmatter *fm, size_t offset, int *line,
		       int *col);

/* Fill E with ERR_DATA and a sentence behind the place of OFFSET in the file
 * NAME: 'NAME':LINE:COL: ...; always -1, as err_set(). */
int frontmatter_fault(const struct frontmatter *fm, size_t offset,
		      const char *name, struct err *e, const char *fmt, ...)
	PRINTF(5, 6);

#endif
