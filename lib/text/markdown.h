/* markdown.h: the blocks of a Markdown text in order, and its sections and
 * entries.
 *
 * Blocks follow CommonMark 0.31: headings (# and underlined), fenced and
 * indented code, HTML, comments, thematic breaks and paragraphs, inside list
 * items and quotes, which are called containers here. All code of the suite
 * uses these blocks to recognise headings and code. Each line that is not blank
 * belongs to exactly one block. Time is linear in the text.
 */
#ifndef CO_TEXT_MARKDOWN_H
#define CO_TEXT_MARKDOWN_H

#include "base/buf.h"

#define MARKDOWN_DEEP 64 /* deepest nesting of containers */

enum block_kind {
	BLOCK_TEXT,
	BLOCK_HEADING,
	BLOCK_FENCED,
	BLOCK_INDENTED, /* code, indented by four columns */
	BLOCK_COMMENT,
	BLOCK_HTML,
	BLOCK_BREAK, /* such as --- */
	BLOCK_EMPTY  /* a line with only container markers */
};

struct block {
	enum block_kind kind;
	int level;    /* of a heading, from 1 to 6 */
	size_t start; /* offset of its first line */
	size_t len;   /* length to the end of its last nonblank line */
	size_t line;  /* number of its first line, from 0 */
	/* The title of a heading, which may contain newlines; the info string
	 * of fenced code; else empty. */
	const char *text;
	size_t text_len;
	char fence; /* of fenced code: '`' or '~', and how many */
	size_t fence_len;
	size_t depth;	 /* number of containers around it */
	bool listed;	 /* the outermost container is a list item */
	bool item;	 /* the block begins that item */
	bool apart;	 /* first, or after a blank line */
	bool open;	 /* the text ends before the block is closed */
	bool till_blank; /* HTML that only a blank line ends */
};

struct markdown {
	const char *p;
	size_t len, at, line; /* the text; its next line */
	struct markdown_holder {
		bool quote;    /* else a list item */
		bool empty;    /* a list item without a block yet */
		size_t indent; /* of the content of an item, in columns */
	} holders[MARKDOWN_DEEP];
	size_t depth;
	struct block last; /* not returned yet */
	bool has_last, grows;
	int html;   /* CommonMark's condition of its start */
	bool blank; /* the previous line was blank */
};

/* Begin to read LEN bytes of P, which are borrowed. */
void markdown_start(struct markdown *m, const char *p, size_t len);

/* Write the next block to B. Returns false at the end. */
bool markdown_next(struct markdown *m, struct block *b);

/* A section begins at a heading outside of containers and ends at the next one.
 * Text before the first heading is also a section. A section without text is
 * passed on only if no deeper heading follows it. */
struct markdown_section {
	const char *title; /* "A > B", from the top; "" before the first */
	const char *text;  /* without blanks at its ends */
	size_t len;
};

/* Call FN for each section of LEN bytes of P, in order. Its argument is
 * borrowed during the call. If FN returns nonzero, the walk stops and returns
 * that value. */
typedef int markdown_section_fn(void *ctx, const struct markdown_section *s);
int markdown_sections_each(const char *p, size_t len, markdown_section_fn *fn,
			   void *ctx);

/* An entry is the smallest part that can be removed from a text: a heading, a
 * list item with everything indented below it, or a paragraph. A fenced block
 * or comment belongs to the entry before it, unless a blank line precedes it.
 * No entry ends inside a fenced block, a comment or a line. */
enum markdown_entry_kind {
	MARKDOWN_ENTRY_HEADING,
	MARKDOWN_ENTRY_ITEM,
	MARKDOWN_ENTRY_TEXT
};

#define MARKDOWN_ENTRY_NONE SIZE_MAX

struct markdown_entry {
	enum markdown_entry_kind kind;
	int level;	   /* of a heading, from 1 */
	const char *title; /* of a heading; borrowed from the text */
	size_t title_len;
	size_t start; /* its bytes, without blanks at its ends */
	size_t len;
	size_t line;	/* its first line, from 0 */
	size_t heading; /* entry above it, or MARKDOWN_ENTRY_NONE */
	bool apart;	/* after a blank line */
	bool has_parts; /* a heading with entries below it */
	char fence;	/* '`' or '~' of a fence that is not closed */
	size_t fence_len;
};

/* Free items with free(). */
struct markdown_entries {
	struct markdown_entry *items; /* in the order of the text */
	size_t n, cap;
};

/* Split LEN bytes of P, which must contain no \r, into entries. Cannot fail;
 * linear time. */
void markdown_entries_split(struct markdown_entries *list, const char *p,
			    size_t len);

/* Append the entry E of the text P, without a final newline. A fenced block
 * that is not closed gets a closing line. */
void markdown_entries_add(struct buf *out, const struct markdown_entry *e,
			  const char *p);

/* Return the number of bytes that markdown_entries_add() appends. */
size_t markdown_entries_size(const struct markdown_entry *e);

/* Append the words of P, for counting them: links are replaced by their text,
 * images and the fences of fenced code are left out. Everything else is
 * unchanged, including markup. Cannot fail. */
void markdown_words(struct buf *out, const char *p, size_t len);

#define MARKDOWN_HEADLINE 80 /* characters, in a message */

/* Append the first line of the LEN bytes of P, without the signs of a heading. After a
 * heading or a colon, the next line is appended, too. A result of over MOST characters
 * is cut to MOST, and its last 3 are dots. It is not sanitized. */
void markdown_add_headline(struct buf *out, const char *p, size_t len,
			   size_t most);

#endif
