/* tree.h: a page or a document as a tree of elements and texts.
 *
 * The tree is ours, and so are the limits; libxml2, which only tree.c knows,
 * reads the bytes and closes what was left open.  All lives in an arena.  Names
 * are lower case in HTML, as written in XML, and without a prefix in both.
 */
#ifndef CO_EXTRACT_TREE_H
#define CO_EXTRACT_TREE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

#define TREE_DEEP \
	256		   /* elements in one another; those below are left out,
			    * what they say is not */
#define TREE_ATTRS 4096	   /* of one element */
#define TREE_NODES 2000000 /* in all */

struct tree_attr {
	const char *name, *value;
	struct tree_attr *next;
};

struct tree_node {
	const char *name; /* of an element; NULL: a text */
	const char *text; /* of a text, NUL-terminated */
	size_t len;
	struct tree_attr *attrs;
	struct tree_node *parent, *first, *last, *prev, *next;
	/* For who works on the tree; zero when it was read. */
	double score;
	bool scored, marked;
};

/* Read the LEN bytes of P, UTF-8, as a browser would, into *ROOT and A: an
 * element named "" that holds what is there.  ERR_SYSTEM: a limit struck. */
int tree_read_html(struct tree_node **root, const char *p, size_t len,
		   struct arena *a, struct err *e);

/* The same of XML in any charset that names itself; entities of its own are
 * refused.  ERR_DATA: it is not well-formed. */
int tree_read_xml(struct tree_node **root, const char *p, size_t len,
		  struct arena *a, struct err *e);

/* The value of N's attribute, "" where it has none; borrowed. */
const char *tree_attr(const struct tree_node *n, const char *name);

/* True if N is an element of one of NAMES, which have blanks around each:
 * " p div ". */
bool tree_is(const struct tree_node *n, const char *names);

/* The node behind N in the order of the text, below N or not; NULL at the end
 * of what is below ROOT. */
struct tree_node *tree_next(const struct tree_node *n,
			    const struct tree_node *root);
struct tree_node *tree_next_outside(const struct tree_node *n,
				    const struct tree_node *root);

/* The first element of NAMES below ROOT, or NULL. */
struct tree_node *tree_find(const struct tree_node *root, const char *names);

/* An ancestor of N that is one of NAMES, or NULL. */
struct tree_node *tree_above(const struct tree_node *n, const char *names);

/* A new element, or a text of LEN bytes; in A, and nowhere yet. */
struct tree_node *tree_element(const char *name, struct arena *a);
struct tree_node *tree_text(const char *p, size_t len, struct arena *a);
void tree_set(struct tree_node *n, const char *name, const char *value,
	      struct arena *a);

/* N as the last of PARENT, or before NEXT, taken from where it was. */
void tree_append(struct tree_node *parent, struct tree_node *n);
void tree_insert(struct tree_node *next, struct tree_node *n);

/* Take N, with all below it, out of its tree. */
void tree_remove(struct tree_node *n);

/* Put what stands in N into its place. */
void tree_unwrap(struct tree_node *n);

/* Append all texts below N as they stand; or with runs of blanks as one, and
 * none at the ends. */
void tree_add_text(struct buf *out, const struct tree_node *n);
void tree_add_words(struct buf *out, const struct tree_node *n);

/* Append the letters, numbers and signs of the formula N, MathML or OMML, with a
 * blank between them, since each is a word of its own: what stands over or beside
 * another is not told.  What it says in another language, TeX, is left out. */
void tree_add_formula(struct buf *out, const struct tree_node *n);

/* REFERENCE, as found in a page at BASE (NULL: unknown), made absolute, in A;
 * NULL where it is none that may be followed (javascript:, data:). */
const char *tree_resolve(const char *base, const char *reference,
			 struct arena *a);

#endif
