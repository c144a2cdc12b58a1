/* record.h: a memory in memory. Its fields are a table, from which they are printed,
 * selected and documented; see co-json(5). */
#ifndef CO_REPO_RECORD_H
#define CO_REPO_RECORD_H

#include "base/err.h"
#include "base/instant.h"
#include "format/frontmatter.h"
#include "format/json-write.h"
#include "repo/record-keys.h"

enum scope { SCOPE_PROJECT, SCOPE_GLOBAL };

/* What a search finds: a memory, an item of a category file, a section of an
 * article. */
enum record_kind { RECORD_MEMORY, RECORD_ITEM, RECORD_ARTICLE, RECORD_KINDS };

/* Other memories of a record's store, borrowed. CREATED may be NULL. */
struct record_ref {
	int64_t id;
	const char *created;
};
struct record_refs {
	const struct record_ref *items;
	size_t n;
};

struct record {
	enum record_kind kind;
	int64_t id;	  /* 1 to SCHEMA_ID_MAX */
	const char *path; /* absolute */
	enum scope scope;
	const char *created; /* as written in the file */
	struct instant at;   /* the same, to compare by */
	const char **tags;
	size_t ntags;
	const char *source;	 /* NULL where the file has none */
	struct record_keys keys; /* all other keys of the file */
	const char *content;	 /* the body stripped; may hold NULs */
	size_t content_len;
	const struct value *frontmatter; /* of the file; NULL in a copy */
	const char *bytes;		 /* of the file; NULL in a copy */
	size_t nbytes;
	const char *worktree;  /* that a draft was saved from, if that is a
			       * linked one (git-worktree(1)); NULL */
	const char *project;   /* its id, where several are asked; NULL */
	const char *elsewhere; /* the folder of another project; NULL */
	size_t conflict;       /* line of an unresolved merge, of which the
			       * content is our side (see text/conflict.h); 0: none */
	bool partial;	       /* found by some words of a query only */
	bool ranked;	       /* by a search that has scores */
	double score;
	double coverage;     /* of the query, 0 to 1, where it is ranked */
	const char *instead; /* the terms that were looked for in place of words
			      * which nothing holds, as JSON; or NULL */
	const char *degraded; /* what the search had to do without; or NULL */
	const char *snippet;  /* of the content; NULL: none was made */
	const char *matches;  /* in the snippet, as snippet_add() has them */
	size_t total; /* that were found as this one was; 0: not known */
	const char *evidence; /* what it cites, checked: a list as JSON; NULL:
			       * nothing, or nobody looked */
	struct record_refs contradicts;	    /* earlier memories of its store */
	struct record_refs contradicted_by; /* later ones, found with it */
	unsigned marks; /* that others than its keys say it has, see marks.h */
	bool drifted;	/* some of that has changed since, or is gone */
	const char *title; /* of what is no memory, the headings that it
			      * stands under: it has no id; else NULL */
};

enum record_field {
	RECORD_ID,
	RECORD_PATH,
	RECORD_SCOPE,
	RECORD_CREATED,
	RECORD_TAGS,
	RECORD_SOURCE,
	RECORD_SUMMARY,
	RECORD_CONTENT,
	RECORD_SCORE,
	RECORD_COVERAGE,
	RECORD_SNIPPET,
	RECORD_PARTIAL,
	RECORD_KIND,
	RECORD_TITLE, /* of what is no memory */
	RECORD_MARKS,
	RECORD_EVIDENCE,
	RECORD_CONTRADICTS,
	RECORD_CONTRADICTED_BY,
	RECORD_FRONTMATTER,
	RECORD_SHA256,
	RECORD_PROJECT, /* where several are asked */
	RECORD_NFIELDS
};

struct record_info {
	const char *name; /* as in JSON and templates */
	const char *help; /* one line, for the manual */
};

extern const struct record_info record_fields[RECORD_NFIELDS];

/* "memory", "item" or "article"; and back, RECORD_KINDS for any other. */
const char *record_kind_name(enum record_kind k);
enum record_kind record_kind_of(const char *name);

/* "project" or "global". */
const char *record_scope_name(enum scope s);

/* Fill R from the memory that TEXT holds, checked by its schema.  Everything
 * in R is borrowed from TEXT and PATH or lives in A.  ERR_DATA with place. */
int record_read(struct record *r, const char *text, size_t len,
		const char *path, enum scope scope, struct arena *a,
		struct err *e);

/* The same from an article, or with ARTICLE false from a category file, which
 * need no frontmatter: without an id, with a title, and with an article's
 * `fetched` as `created`, "" where there is none. */
int record_read_document(struct record *r, const char *text, size_t len,
			 const char *path, bool article, struct arena *a,
			 struct err *e);

/* Is R wanted: 1, 0, or -1 with E filled.  Where several threads ask, each has
 * a WHO of its own (see base/parallel.h); else it is 0. */
typedef int record_test_fn(void *ctx, unsigned who, const struct record *r,
			   struct err *e);

/* A copy of R, without its frontmatter and bytes, that lives in A alone. */
struct record record_copy(const struct record *r, struct arena *a);

/* The same, of the content only as much as its summary needs. */
struct record record_copy_head(const struct record *r, struct arena *a);

/* True if two contents are the same, ends of lines aside: a file that git has
 * checked out with CRLF says what it said before. */
bool record_same_text(const char *x, size_t x_len, const char *y, size_t y_len);

/* What R says of KEY, one of the free ones: 1 and *OUT, in A or R's; 0: nothing;
 * -1: only its file can tell. */
int record_find_key(const struct record *r, const char *key, struct arena *a,
		    struct value *out);

/* Its marks, see repo/marks.h: an article is what others wrote. */
unsigned record_marks(const struct record *r);

/* Append the first line of the content, cut to 77 characters and "..." where
 * it has more than 80. */
void record_summary(struct buf *out, const struct record *r);

/* What JSON has of a record: all; no frontmatter and sum; nor the content. */
enum record_detail { RECORD_WHOLE, RECORD_TEXT, RECORD_LINE };

/* Append R as one JSON object, without a newline.  The fields that a search adds come
 * last: "kind", "partial":true for a partial hit, "score" and "snippet" for a ranked
 * one. */
void record_json(struct buf *out, const struct record *r,
		 enum record_detail detail);

/* Append the memories that R contradicts, and those that contradict it: "contradicts"
 * and "contradicted_by", lists of {"id","scope"}; nothing for an empty list. */
void record_json_contradictions(struct buf *out, const struct record *r);

/* An order for qsort of struct record: by id, the project's first, then path. */
int record_by_id(const void *a, const void *b);

#endif
