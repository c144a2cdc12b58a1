/* tree.h: a page or a document as a tree of elements and texts.
 *
 * libxml2, which only tree.c uses, parses the bytes and closes open elements;
 * the tree and the limits are our own. Everything is allocated in an arena.
 * Names are in lower case in HTML and as written in XML, always without prefix.
 */
#ifndef CO_EXTRACT_TREE_H
#define CO_EXTRACT_TREE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

/* Nesting of elements; deeper ones are dropped, their text is kept. */
#define TREE_DEEP 256
#define TREE_ATTRS 4096	   /* per element */
#define TREE_NODES 2000000 /* in total */

struct tree_attr {
	const char *name, *value;
	struct tree_attr *next;
};

struct tree_node {
	const char *name; /* of an element; NULL for a text */
	const char *text; /* of a text, NUL-terminated */
	size_t len;
	struct tree_attr *attrs;
	struct tree_node *parent, *first, *last, *prev, *next;
	/* For users of the tree; zero after reading. */
	double score;
	bool scored, marked;
	struct counts *counts;
};

/* Parse the LEN bytes of P, UTF-8, as a browser would. *ROOT, allocated in A,
 * is an element named "" that contains the document. ERR_SYSTEM if a limit is
 * exceeded. */
int tree_read_html(struct tree_node **root, const char *p, size_t len,
		   struct arena *a, struct err *e);

/* Parse XML like tree_read_html(), in any charset that it declares. Entity
 * declarations are refused. ERR_DATA if it is not well-formed. */
int tree_read_xml(struct tree_node **root, const char *p, size_t len,
		  struct arena *a, struct err *e);

/* Return the value of N's attribute NAME, borrowed, or "". */
const char *tree_attr(const struct tree_node *n, const char *name);

/* Return true if N is an element with one of NAMES, which are surrounded by
 * blanks: " p div ". */
bool tree_is(const struct tree_node *n, const char *names);

/* tree_next() returns the node after N in document order, tree_next_outside()
 * the next one that is not below N. Both return NULL at the end of ROOT. */
struct tree_node *tree_next(const struct tree_node *n,
			    const struct tree_node *root);
struct tree_node *tree_next_outside(const struct tree_node *n,
				    const struct tree_node *root);

/* Return the first element below ROOT with one of NAMES, or NULL. */
struct tree_node *tree_find(const struct tree_node *root, const char *names);

/* Return the nearest ancestor of N with one of NAMES, or NULL. */
struct tree_node *tree_above(const struct tree_node *n, const char *names);

/* Create an element, or a text of LEN bytes, allocated in A. It has no parent
 * yet. tree_set() adds an attribute. */
struct tree_node *tree_element(const char *name, struct arena *a);
struct tree_node *tree_text(const char *p, size_t len, struct arena *a);
void tree_set(struct tree_node *n, const char *name, const char *value,
	      struct arena *a);

/* Move N to the end of PARENT, or before NEXT. */
void tree_append(struct tree_node *parent, struct tree_node *n);
void tree_insert(struct tree_node *next, struct tree_node *n);

/* Remove N, with everything below it, from its tree. */
void tree_remove(struct tree_node *n);

/* Replace N by its children. */
void tree_unwrap(struct tree_node *n);

/* Append all texts below N: unchanged, or with each run of blanks as one and
 * none at the ends. */
void tree_add_text(struct buf *out, const struct tree_node *n);
void tree_add_words(struct buf *out, const struct tree_node *n);

/* Append the letters, numbers and signs of the formula N, MathML or OMML,
 * separated by blanks. The layout, such as exponents and fractions, is lost.
 * Annotations in other languages, such as TeX, are skipped. */
void tree_add_formula(struct buf *out, const struct tree_node *n);

/* Return REFERENCE, from a page at BASE (may be NULL), as an absolute URL,
 * allocated in A. Returns NULL if its scheme must not be followed
 * (javascript:, data:). */
const char *tree_resolve(const char *base, const char *reference,
			 struct arena *a);

/* The text of a page is separated from the frame around it.
 *
 * Each paragraph adds to the score of the elements around it, by its length and
 * its commas. Elements with many links, or with a class name typical of
 * frames, score low. The best element is taken, with neighbours that are
 * similar, and parts that look like a frame are removed from it. If too little
 * is left, the next pass removes less. */
struct tree_content {
	struct tree_node *node; /* contains the content; never NULL */
	/* The pass, 1 to 4, each removing less than the previous one; 0:
	 * nothing was found, so it is the whole body. */
	int pass;
};

/* Return the content of the page ROOT with the title TITLE ("" for none). The
 * content is a copy, allocated in A; ROOT is not changed. Cannot fail. */
struct tree_content tree_content_find(const struct tree_node *root,
				      const char *title, struct arena *a);

/* Return a copy of the page's body, allocated in A, without invisible parts:
 * scripts, styles, form fields and hidden elements. */
struct tree_node *tree_content_body(const struct tree_node *root,
				    struct arena *a);

/* A tree is written as CommonMark with pipe tables: headings with #, lists nested by
 * four blanks, fenced code with its language and every byte, quotes, links and
 * images. Text that would become markup is escaped. */

/* Append the contents of ROOT, a tree of HTML elements. References are
 * resolved relative to BASE, which may be NULL. Temporary data is allocated in
 * A. ERR_SYSTEM if the result is longer than MAX bytes. */
int tree_markdown_add(struct buf *out, const struct tree_node *root,
		      const char *base, size_t max, struct arena *a,
		      struct err *e);

/* Return 0 if LEN is at most MAX, else -1, ERR_SYSTEM. */
int tree_markdown_check(size_t len, size_t max, struct err *e);

#endif
