/* frontmatter.h: YAML frontmatter of Markdown files.
 *
 *	---
 *	id: 1
 *	tags: [python, style]
 *	---
 *	body
 *
 * The first line is `---`; blanks after it, CRLF and a BOM before it are
 * accepted. The next such line closes the header. Without both lines,
 * everything is body. The body is every byte after the closing line.
 *
 * Frontmatter is a map of at most 64 KiB and depth 8, read by the core schema
 * of YAML 1.2: a timestamp, `no` and `on` are strings. An alias may refer to a
 * scalar only. Tags, directives and duplicate keys are errors. An empty header,
 * or one with only comments, is an empty map.
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
	bool present;	   /* it has a complete header */
	size_t yaml;	   /* offset of the YAML, after the opening line */
	size_t yaml_len;   /* its length, up to the closing line */
	size_t body;	   /* offset of the body; 0 or 3 (BOM) without header */
	struct value data; /* VALUE_MAP; empty without header */
};

/* Find the parts of TEXT; data becomes an empty map. Cannot fail. */
void frontmatter_split(struct frontmatter *fm, const char *text, size_t len);

/* Find the parts of TEXT and parse the header into data, in A. TEXT is borrowed
 * and must outlive data. Returns 0, or -1: ERR_DATA, with the message
 * 'NAME':LINE:COL: Invalid YAML in frontmatter: .... The parts are set in
 * either case. */
int frontmatter_parse(struct frontmatter *fm, const char *text, size_t len,
		      const char *name, struct arena *a, struct err *e);

/* Return the value of KEY in the header of TEXT, allocated in A; NULL if it has none or
 * is malformed. */
const struct value *frontmatter_get(const char *text, size_t len,
				    const char *key, struct arena *a);

/* Set *P and *LEN to the body without blanks at its ends, borrowed from the
 * text. */
void frontmatter_content(const struct frontmatter *fm, const char **p,
			 size_t *len);

/* Append `---`, the map DATA as YAML, and `---`: keys in order, lists of
 * scalars in flow form, strings quoted only where YAML requires it, UTF-8
 * unescaped. Appends nothing for an empty map. Returns 0, or -1 with ERR_DATA
 * if the result cannot be read back: it is deeper than 8 or longer than 64
 * KiB. */
int frontmatter_write(struct buf *out, const struct value *data, struct err *e);

/* Like frontmatter_write(), without reading it back: the caller does that,
 * together with the body. */
int frontmatter_lay_out(struct buf *out, const struct value *data,
			struct err *e);

/* Append a document of DATA and LEN bytes of BODY, which reads back as exactly
 * these. Returns as frontmatter_write(). */
int frontmatter_join(struct buf *out, const struct value *data,
		     const char *body, size_t len, struct err *e);

/* Append the document with the top-level KEY set to V, a scalar or a list of
 * scalars. Only the bytes of the old value change. A new key becomes the last
 * line of the header; a document without a header gets one. Returns 0, or -1
 * with ERR_DATA if the result would not read back as intended. */
int frontmatter_set(struct buf *out, const struct frontmatter *fm,
		    const char *key, const struct value *v, struct err *e);

/* Append the document without the top-level KEY, which must exist, and its
 * value. No other byte changes, unless the rest could not be read back: then
 * the header is rewritten. Returns as frontmatter_set(). */
int frontmatter_remove(struct buf *out, const struct frontmatter *fm,
		       const char *key, struct err *e);

/* Append the document with COMMENT, which begins with #, as a line after the
 * value of KEY, which must exist. Returns as frontmatter_set(). */
int frontmatter_remark(struct buf *out, const struct frontmatter *fm,
		       const char *key, const char *comment, struct err *e);

/* Return the line end of the document's first line: "\n" or "\r\n". */
const char *frontmatter_line_end(const struct frontmatter *fm);

/* Return the line and column, both from 1, of the byte at OFFSET of the text. A
 * column is a character. */
void frontmatter_place(const struct frontmatter *fm, size_t offset, int *line,
		       int *col);

/* Set E to ERR_DATA with the position of OFFSET in the file NAME before the
 * message: 'NAME':LINE:COL: .... Returns -1. */
int frontmatter_fault(const struct frontmatter *fm, size_t offset,
		      const char *name, struct err *e, const char *fmt, ...)
	PRINTF(5, 6);

/* Append V as YAML on one line, for the position after a key: a scalar, or a list or map
 * in flow form. FLOW: the position is inside brackets. */
void frontmatter_write_value(struct buf *out, const struct value *v, bool flow);

/* Append the name and version of libyaml. */
void frontmatter_library(struct buf *out);

#endif
