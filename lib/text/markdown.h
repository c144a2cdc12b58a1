/* markdown.h: the blocks of a Markdown text, one after the other.
 *
 * They are what CommonMark 0.31 says: headings with marks and underlined ones,
 * fenced and indented code, HTML, comments, breaks and paragraphs, each in the
 * list items and quotes that it stands in.  Nothing else in the suite judges
 * what is a heading or code.  Each line that is not blank is of one block, and
 * the blocks come in their order; the work grows with the text.
 */
#ifndef CO_TEXT_MARKDOWN_H
#define CO_TEXT_MARKDOWN_H

#include "base/base.h"

#define MARKDOWN_DEEP 64 /* items and quotes in one another, at most */

enum block_kind {
	BLOCK_TEXT,
	BLOCK_HEADING,
	BLOCK_FENCED,
	BLOCK_INDENTED, /* code, by four columns */
	BLOCK_COMMENT,
	BLOCK_HTML,
	BLOCK_BREAK, /* a line such as --- */
	BLOCK_EMPTY  /* a line that has marks of items or quotes alone */
};

struct block {
	enum block_kind kind;
	int level;    /* of a heading, from 1 to 6 */
	size_t start; /* its lines in the text, from the first one's begin */
	size_t len;   /* to the end of the last that is not blank */
	size_t line;  /* the first one's number, from 0 */
	/* What a heading says, with the line ends of one of several lines; the
	 * info string of fenced code.  Of others, nothing. */
	const char *text;
	size_t text_len;
	char fence; /* '`' or '~' of fenced code, and how many */
	size_t fence_len;
	size_t depth;	 /* items and quotes that it stands in */
	bool listed;	 /* the outermost is an item, */
	bool item;	 /* which it begins */
	bool apart;	 /* a blank line stands before it, or nothing */
	bool open;	 /* the text ends before it does */
	bool till_blank; /* HTML that nothing ends but a blank line */
};

struct markdown {
	const char *p;
	size_t len, at, line; /* the text, and the next line */
	struct markdown_holder {
		bool quote;    /* else an item of a list */
		bool empty;    /* an item that has no block yet */
		size_t indent; /* of what an item holds, in columns */
	} holders[MARKDOWN_DEEP];
	size_t depth;
	struct block last; /* not handed out yet */
	bool has_last, grows;
	int html;   /* the condition that began it, in CommonMark's numbers */
	bool blank; /* the line before was */
};

/* Begin with the LEN bytes of P, which are borrowed. */
void markdown_start(struct markdown *m, const char *p, size_t len);

/* The next block: false at the end. */
bool markdown_next(struct markdown *m, struct block *b);

#endif
