/* purge.h: delete a memory, an article or a text from every place that co
 * writes.
 *
 * These are: memories, drafts, trash, archive and everything else in the store
 * that keeps old texts, in this work tree and all others of the clone; the
 * cache; the pages of `co browse`; the index of conversations; and kept edits. Files
 * that also hold other things are left to the user.
 */
#ifndef CO_FORGET_PURGE_H
#define CO_FORGET_PURGE_H

#include "history/traces.h"
#include "oplog/oplog.h"
#include "store/store.h"

/* The memory that a purge deletes, as the file of the store has it that was named by its
 * id or its path. PATH is NULL if it is gone. Another memory may have its id: in another
 * work tree, in the trash, or after a merge. */
struct purge_memory {
	const char *path;
	const char *created; /* NULL if it has none */
	struct operations log;
	struct strings sums; /* SHA-256 of its versions, by the log */
};

/* Set M to the memory OPERAND, an id or a path, of S, in A. Release it with
 * purge_memory_release(). Return 0, or -1: ERR_DATA if two files have the
 * id. */
int purge_memory_find(struct purge_memory *m, struct store *s,
		      const char *operand, struct arena *a, struct err *e);

/* Return true if the LEN bytes of P, a file that has the id of M elsewhere, are
 * of M: it was created in the same second, and the operation log does not have
 * it as a text of another. Return true if M is gone. */
bool purge_memory_has(const struct purge_memory *m, const char *p, size_t len);

void purge_memory_release(struct purge_memory *m);

/* An article: all files from its source, and the attachments that no other
 * article of the store names. The caller zeroes it, and releases it with
 * purge_article_release(). */
struct purge_article {
	const char *source;   /* NULL: not an article */
	struct strings files; /* all known paths of the article, relative to the
			       * root */
	struct strings attachments; /* all known attachments, relative to
				     * knowledge/ */
	struct arena arena;
};

struct purge {
	struct store *s;
	struct traces *traces;	    /* the texts and names to search for */
	int64_t id;		    /* of the memory, which is deleted; 0: every
			        * memory with one of the traces is */
	struct purge_memory memory; /* of this id */
	struct purge_article *article; /* the article, which is deleted; NULL:
				        * none */
	const char *path; /* of another file, relative to the root, which is
			   * deleted */
	bool dry;
	void (*gone)(void *ctx, const char *path);
	void *ctx;
};

/* Delete it, or if DRY only call GONE. Changes the working directory
 * temporarily. Return 0 or -1. */
int purge_run(struct purge *p, struct err *e);

/* Add to T every text that the memory M, of this ID, of S has in memories, drafts,
 * trash and archive. */
int purge_collect(struct store *s, int64_t id, const struct purge_memory *m,
		  struct traces *t, struct err *e);

/* Add to T the file name NAME of a memory, unless others may have it and T has a better
 * pattern. */
void purge_add_name(struct traces *t, const char *name);

/* Find the article OPERAND, a path, in S, in its trash or in its history.
 * Return 1 and set ARTICLE's source, 0, or -1. */
int purge_article_find(struct purge_article *article, struct store *s,
		       const char *operand, struct err *e);

/* Return true if a file with FRONTMATTER belongs to ARTICLE. Its attachment is
 * then added to ARTICLE. */
bool purge_article_has(struct purge_article *article,
		       const struct value *frontmatter);

/* Add to T the texts of ARTICLE in articles, drafts and trash, and its
 * attachments. Attachments that another article names are removed from
 * ARTICLE. */
int purge_article_collect(struct purge_article *article, struct store *s,
			  struct traces *t, struct err *e);

void purge_article_release(struct purge_article *article);

/* What git still has of it. */
struct purge_history {
	struct strings paths; /* paths in commits, relative to the top of the
			       * repository */
	struct strings names; /* paths that only its files had, relative to the
			       * root */
	bool texts;	      /* a text is purged, so whole memories go */
	bool in_index, in_messages;
	bool git;	/* the store is in a repository */
	bool origin;	/* it has a remote "origin" */
	size_t records; /* traces in the records of agents */
};

/* Search for T in every place that co writes, in git, and in the records that agents keep
 * of conversations. Set the paths and the remote in H, allocated in A. */
int purge_look(struct store *s, struct traces *t, struct purge_history *h,
	       struct arena *a, struct err *e);

/* Record a result of the search. WHERE and TYPE: see traces.h. */
void purge_note(struct purge_history *h, const char *where, const char *type);

/* Append the commands that remove it from git. */
void purge_commands(struct buf *out, const struct purge_history *h);

#endif
