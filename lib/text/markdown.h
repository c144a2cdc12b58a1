/* markdown.h: the blocks of a Markdown text, one after the other, and what is
 * made of them: its sections, and its entries.
 *
 * Blocks are what CommonMark 0.31 says: headings with marks and underlined
 * ones, fenced and indented code, HTML, comments, breaks and paragraphs, each in
 * the list items and quotes that it stands in.  Nothing else in the suite judges
 * what is a heading or code.  Each line that is not blank is of one block, and
 * the blocks come in their order; the work grows with the text.
 */
#ifndef CO_TEXT_MARKDOWN_H
#define CO_TEXT_MARKDOWN_H

#include "base/buf.h"

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

/* A section begins at a heading outside of lists and quotes, and ends at the
 * next; what stands above the first is one as well.  A section without text of
 * its own counts only where nothing stands below it. */
struct markdown_section {
	const char *title; /* its heading behind those above it: "A > B"; ""
			    * above the first */
	const char *text;  /* stripped */
	size_t len;
};

/* Call FN for each section of the LEN bytes of P, in order; what it is given
 * is its until it returns.  Nonzero from FN ends the walk and is returned. */
typedef int markdown_section_fn(void *ctx, const struct markdown_section *s);
int markdown_sections_each(const char *p, size_t len, markdown_section_fn *fn,
			   void *ctx);

/* An entry is the smallest part that can be left out of a text: a heading, an
 * item of a list with all that is indented below it, or a paragraph; a fenced
 * block or a comment belongs to the text that it follows, and stands alone
 * behind a blank line.  No entry ends inside a fenced block, a comment or a
 * line. */
enum markdown_entry_kind {
	MARKDOWN_ENTRY_HEADING,
	MARKDOWN_ENTRY_ITEM,
	MARKDOWN_ENTRY_TEXT
};

#define MARKDOWN_ENTRY_NONE SIZE_MAX

struct markdown_entry {
	enum markdown_entry_kind kind;
	int level;	   /* of a heading, from 1 */
	const char *title; /* of a heading, in the text */
	size_t title_len;
	size_t start; /* its bytes in the text, without blanks around */
	size_t len;
	size_t line; /* that it begins on, from 0 */
	size_t heading; /* the entry that it stands under, or MARKDOWN_ENTRY_NONE */
	bool apart;	/* a blank line stands before it */
	bool has_parts; /* a heading that entries stand under */
	char fence;	/* '`' or '~' where its last fenced block never ends */
	size_t fence_len;
};

/* Release items with free(). */
struct markdown_entries {
	struct markdown_entry *items; /* in the order of the text */
	size_t n, cap;
};

/* Split the LEN bytes of P, which have no \r.  Cannot fail; linear. */
void markdown_entries_split(struct markdown_entries *list, const char *p,
			    size_t len);

/* Append E, of the text P, with a line that ends its fenced block where it has
 * none of its own, and without a newline. */
void markdown_entries_add(struct buf *out, const struct markdown_entry *e,
			  const char *p);

/* The bytes that markdown_entries_add() appends. */
size_t markdown_entries_size(const struct markdown_entry *e);

#endif
