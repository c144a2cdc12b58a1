/* conversation-index.h: an index of the turns of conversations, and a search in it.
 *
 * $XDG_CACHE_HOME/co-cli/conversations/conversations.db has the terms of each
 * turn (see search/fts.h), a row for each turn, and a row for each conversation.
 * Secrets are replaced before anything is written. The records of the agents are
 * the truth: the index may be removed at any time.
 *
 * Opening it first brings it up to date. Of a record that grew, only the new
 * part is read. A record that cannot be read keeps its turns; those of one that
 * is gone are removed.
 */
#ifndef CO_CONVERSATION_CONVERSATION_INDEX_H
#define CO_CONVERSATION_CONVERSATION_INDEX_H

#include "base/table.h"
#include "cache/cache.h"
#include "conversation/conversation.h"
#include "repo/record.h"
#include "search/index.h"
#include "text/color.h"

#define CONVERSATION_TEXT_MAX ((size_t)65536) /* bytes of a turn, indexed */

struct conversation_index_ask {
	bool all;			 /* also those of other projects */
	const struct progress *progress; /* may be NULL */
	const struct report *report;	 /* gets what cannot be read */
};

/* Turns with consecutive numbers. */
struct conversation_range {
	uint32_t first, n;
};

/* A conversation in the index. */
struct conversation_entry {
	struct conversation c;
	bool indexed; /* its turns were read; else only its project is known */
	bool request; /* it is the suite's own, and is never found */
	bool wanted;  /* it belongs to the project, or all are wanted */
	struct conversation_range *ranges; /* of its turns, ascending */
	size_t nranges, cap;

	/* Private: the record when it was read. */
	uint32_t number;
	struct filestat st;
	bool unsure; /* it may have changed within the same tick */
	bool seen, changed, gone;
	struct transcript_place place;
	uint64_t head, tail; /* hashes of bytes before the place */
};

/* A database of an agent, which has many conversations. */
struct conversation_database {
	uint64_t key;	       /* a hash of its path */
	struct filestat st[2]; /* its own, and that of its log */
	uint64_t all;	       /* 1: all its sessions were found now */
};

/* The fields are open to this directory. */
struct conversation_index {
	struct fts *db;
	struct conversation_entry *entries;
	size_t n, cap;
	bool behind; /* another process updates it: new turns may be missing */
	bool in_memory; /* it could not be stored */

	/* Private. */
	struct cache_dir dir;
	uint64_t total; /* of page checksums */
	struct arena arena;
	struct table by_path;
	struct conversation_database *databases;
	size_t ndatabases;
	struct secrets *secrets;
};

/* Open IX and bring it up to date. Without a directory that can be written, or if the
 * disk is full, it is made in memory. Return 0, or -1. Release it with
 * conversation_index_close(). */
int conversation_index_open(struct conversation_index *ix,
			    const struct conversation_index_ask *ask,
			    struct err *e);
void conversation_index_close(struct conversation_index *ix);

/* Open only the database of an index that exists, as it is, for a short look.
 * Return 1, or 0 if there is none. */
int conversation_index_look(struct conversation_index *ix);

/* Like conversation_index_look(), and load the entries of all conversations. Without
 * an index IX is empty. The caller closes it in both cases. */
void conversation_index_load(struct conversation_index *ix);

/* Set the facts of C from the index CTX, if it has them and the record of C has
 * not changed since. Strings are borrowed from the index. Return true if so. */
bool conversation_index_knows(void *ctx, struct conversation *c);

/* Call FN with each range of turns of a conversation: its number, and the
 * directory in which it was started, "" if that is not known. Return 0, or -1
 * if the index is damaged. */
typedef void conversation_range_fn(void *ctx, uint32_t entry,
				   const char *project,
				   const struct conversation_range *range);
int conversation_index_ranges(struct conversation_index *ix,
			      conversation_range_fn *fn, void *ctx,
			      struct err *e);

/* A turn in the index. Strings are borrowed from ROOM. */
struct conversation_stored {
	size_t turn;
	const char *role; /* as in struct conversation_turn */
	bool command;	  /* the text is a command that a tool ran */
	bool has_at;
	struct instant at;
	const char *text;
	size_t len;
};

/* Read the turn NUMBER. Return 1, 0 if it was removed, or -1. */
int conversation_index_turn(struct conversation_index *ix, uint32_t number,
			    struct buf *room, struct conversation_stored *out,
			    struct err *e);

/* Return the path of the directory of the index, or NULL if it does not exist.
 * The caller frees it. */
char *conversation_index_dir(void);

/* Remove the index, durably. Return 0 or -1. */
int conversation_index_forget(struct err *e);

/* A search finds turns of conversations that answer a question. They are ranked like
 * memories (see rank/rank.h), by words. */

/* Lines shown before and after the one that answers. */
#define CONVERSATION_LINES 2

/* A turn that answers. All text is without secrets, and external. */
struct conversation_hit {
	const struct conversation *c;
	size_t turn;
	const char *role;    /* as in struct conversation_turn; NULL: unknown */
	bool command;	     /* a tool ran it */
	const char *at;	     /* as instant_format() writes it, or NULL */
	struct instant when; /* AT; or the end of the conversation if AT is
			      * NULL */
	const char *lines;   /* the line with most words of the question, and
			    * those around it, also of the turns before and
			    * after, which begin with their role */
	size_t lines_len;
	const char *snippet; /* one line, see rank/rank.h */
	const char *matches; /* the words in it, as JSON */
	float score, coverage;
	bool partial;
};

struct conversation_answer {
	struct conversation_hit *hits; /* best first */
	size_t n;
	size_t whole, partial; /* turns with all words, or with some */
};

/* Fill OUT, in A, with the MAX best turns for QUERY in the wanted conversations
 * of IX, which stays open. Turns next to a better one are left out. Return 0, or
 * -1: ERR_USAGE if a filter of QUERY is malformed. */
int conversation_search(struct conversation_index *ix, const char *query,
			size_t max, struct arena *a,
			struct conversation_answer *out, struct err *e);

#define CONVERSATION_MENTIONS_MAX 10

/* Return in how many conversations of this project a turn has all words of
 * QUERY, at most CONVERSATION_MENTIONS_MAX. Looks only at an index that exists,
 * as it is, for about a millisecond. *INDEXED is false if there is none. */
size_t conversation_mentions(const char *query, bool *indexed);

/* Append HIT as text for a prompt or, with COLORS, a terminal: as
 * display_memory(), and the command that resumes the conversation. */
void conversation_hit_text(struct buf *out, const struct conversation_hit *hit,
			   const struct coloring *colors);

/* Append the fields of HIT, a record of co-json(5), and a newline. */
void conversation_hit_json(struct buf *out, const struct conversation_hit *hit);

#endif
