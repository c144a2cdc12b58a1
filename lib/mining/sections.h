/* sections.h: the sections of a Markdown file, and candidates made of their parts.
 */
#ifndef CO_MINING_SECTIONS_H
#define CO_MINING_SECTIONS_H

#include "mining/candidates.h"

#define SECTION_TITLE_MAX ((size_t)120)
#define SECTION_LEVELS 6	       /* of headings */
#define SECTION_TEXT_MAX ((size_t)900) /* bytes of a draft */

/* A heading and the text below it, until the next heading. */
struct section {
	const char *path, *p; /* of the file, and its text */
	size_t len;
	char title[SECTION_TITLE_MAX + 1]; /* of its heading, on one line */
	/* The headings above, by level; "" where a level has none. */
	char above[SECTION_LEVELS + 1][SECTION_TITLE_MAX + 1];
	int level;
	size_t heading;		/* where its heading begins */
	size_t start, end;	/* its bytes in P, the heading excluded */
	size_t first;		/* its first line, from 1, with the heading */
	size_t body, body_line; /* where the text after frontmatter begins */
};

/* Call FN for each section of the file in S, whose PATH, P and LEN are set; the others
 * are 0. */
typedef void section_fn(void *ctx, const struct section *s);
void sections_each(struct section *s, section_fn *fn, void *ctx);

/* Return the number of the line that has the byte AT of the section S. */
size_t sections_line(const struct section *s, size_t at);

/* Set TITLE to the words of the LEN bytes of P on one line, without markup. */
void sections_set_title(char title[SECTION_TITLE_MAX + 1], const char *p,
			size_t len);

/* Append the title of S, after the heading above it, except for that of the file. */
void sections_add_title(struct buf *out, const struct section *s);

/* Return true if a word of TEXT begins with one of WORDS, which NULL ends, in any
 * case. */
bool sections_has_word(const char *text, const char *const *words);

/* A part of a section. */
struct part {
	size_t start, end; /* its bytes in P */
	size_t line;	   /* the line of START, from 1 */
	size_t first;	   /* the first line to cite */
};

/* Add PART of the section S, below TITLE, to C. */
void sections_add_part(struct candidates *c, const struct section *s,
		       const struct part *part, const char *title,
		       enum candidate_kind kind, int points);

#endif
