/* record.h: a memory in memory, and the table of its fields; see co-json(5). */
#ifndef CO_REPO_RECORD_H
#define CO_REPO_RECORD_H

#include "base/err.h"
#include "base/instant.h"
#include "format/frontmatter.h"
#include "format/json-write.h"
#include "repo/record-keys.h"

enum scope { SCOPE_PROJECT, SCOPE_GLOBAL };

/* What a search finds. A turn of a conversation with an agent is in no store. */
enum record_kind {
	RECORD_MEMORY,
	RECORD_ITEM,
	RECORD_ARTICLE,
	RECORD_CONVERSATION,
	RECORD_KINDS
};

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
	struct instant at;   /* CREATED, to compare */
	const char **tags;
	size_t ntags;
	const char *source;	 /* NULL if the file has none */
	struct record_keys keys; /* the free keys of the file */
	const char *content;	 /* the stripped body; may contain NULs */
	size_t content_len;
	const struct value *frontmatter; /* of the file; NULL in a copy */
	const char *bytes;		 /* of the file; NULL in a copy */
	size_t nbytes;
	const char *worktree; /* the linked one that saved a draft, or NULL */
	const char *project;  /* its id, if several are searched, or NULL */
	const char *commit, *as_of; /* of a remote index; else NULL */
	const char *elsewhere; /* the directory of another project, or NULL */
	const char *prefix;    /* of ids, "NAME:" in a named store; else NULL */
	size_t conflict; /* line of the first one; CONTENT has our side; or 0 */
	bool partial;	 /* it has only some words of the query */
	bool ranked;	 /* it has a score */
	double score;
	double coverage;      /* of the query, 0 to 1, if ranked */
	const char *instead;  /* JSON: terms searched for absent words; NULL */
	const char *degraded; /* what the search lacked, or NULL */
	const char *snippet;  /* of the content, or NULL */
	const char *matches;  /* in the snippet, from rank_snippet() */
	size_t total;	      /* number of such hits; 0: unknown */
	const char *evidence; /* JSON: its checked citations, or NULL */
	struct record_refs contradicts;	    /* earlier memories of its store */
	struct record_refs contradicted_by; /* later ones, found with it */
	struct record_refs like; /* left out since they say nearly the same */
	unsigned marks;		 /* besides those of its keys, see marks.h */
	bool drifted;		 /* a cited source has changed or is gone */
	const char *title; /* the headings of an item or a section; else NULL */
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
	RECORD_TITLE, /* of records that are no memories */
	RECORD_MARKS,
	RECORD_EVIDENCE,
	RECORD_CONTRADICTS,
	RECORD_CONTRADICTED_BY,
	RECORD_LIKE,
	RECORD_FRONTMATTER,
	RECORD_SHA256,
	RECORD_PROJECT, /* if several are searched */
	RECORD_STORE,	/* for a named store */
	RECORD_COMMIT,	/* for a remote index */
	RECORD_AS_OF,
	RECORD_NFIELDS
};

struct record_info {
	const char *name; /* as in JSON and templates */
	const char *help; /* one line, for the manual */
};

extern const struct record_info record_fields[RECORD_NFIELDS];

/* Return the name of K; the kind with NAME, or RECORD_KINDS if there is none. */
const char *record_kind_name(enum record_kind k);
enum record_kind record_kind_of(const char *name);

/* Return "project" or "global"; "" or " --global"; the prefix of ids: "", "g" or
 * "NAME:". */
const char *record_scope_name(enum scope s);
const char *record_scope_option(enum scope s);
const char *record_scope_prefix(enum scope s);
const char *record_prefix(const struct record *r);

/* Set R from the memory TEXT, and check its schema. R is borrowed from TEXT and PATH or
 * allocated in A. Return 0, or -1 with ERR_DATA and the place. */
int record_read(struct record *r, const char *text, size_t len,
		const char *path, enum scope scope, struct arena *a,
		struct err *e);

/* Set R like record_read(), from an ARTICLE or a category file. R has a title and no
 * id; CREATED is `fetched` or "". A category file needs no frontmatter. */
int record_read_document(struct record *r, const char *text, size_t len,
			 const char *path, bool article, struct arena *a,
			 struct err *e);

/* Return 1 if R is wanted, else 0, or -1. WHO: see base/parallel.h. */
typedef int record_test_fn(void *ctx, unsigned who, const struct record *r,
			   struct err *e);

/* Copy R to A, without frontmatter and bytes; the head has the content of a summary. */
struct record record_copy(const struct record *r, struct arena *a);
struct record record_copy_head(const struct record *r, struct arena *a);

/* Return true if two contents are equal except for line ends, which git may change. */
bool record_same_text(const char *x, size_t x_len, const char *y, size_t y_len);

/* Set *OUT to the value of KEY in R, borrowed or in A. Return 1; 0 if R has none; or -1
 * if only its file can tell. A copy of a record has only free keys. */
int record_find_key(const struct record *r, const char *key, struct arena *a,
		    struct value *out);

/* Return true if R is shown as a quotation: an article, a conversation, or remote. */
bool record_is_external(const struct record *r);

/* Return the marks of R, see repo/marks.h. One shown as a quotation is external. */
unsigned record_marks(const struct record *r);

/* Append the first line of the content; if it has over 80 characters, 77 and "...". */
void record_summary(struct buf *out, const struct record *r);

/* The fields in JSON: all; all except frontmatter and sum; and without content too. */
enum record_detail { RECORD_WHOLE, RECORD_TEXT, RECORD_LINE };

/* Append R as a JSON object, without a newline. The fields of a search are last. */
void record_json(struct buf *out, const struct record *r,
		 enum record_detail detail);

/* Append the lists "contradicts", "contradicted_by" and "like", unless empty. */
void record_json_refs(struct buf *out, const struct record *r);

/* Compare two struct record for qsort(): by id, scope (project first) and path. */
int record_by_id(const void *a, const void *b);

#endif
