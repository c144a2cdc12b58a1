/* recalled.h: read the questions of a recall, and print its result. */
#ifndef CO_CLI_RECALLED_H
#define CO_CLI_RECALLED_H

#include "cli/out.h"
#include "remote/remote.h"
#include "search/recall.h"

/* The input of --batch is one question per line of standard input, as a JSON object:
 *
 *   {"query":"what","max":5,"kind":"memory","path":"a.c","any_scope":true}
 *
 * Only `query` is required. Each answer ends with a line that holds its exit
 * status. */
struct recalled_question {
	const char *query; /* not blank */
	size_t max;	   /* 0: not given */
	const char *kind;  /* a kind of records; NULL: not given */
	const char *path;  /* as for --for-path; NULL: not given */
	bool any_scope;
};

/* Answer Q on standard output. Return true if there is an answer. A is reset
 * after each question. */
typedef bool recalled_question_fn(void *ctx, const struct recalled_question *q,
				  struct arena *a);

/* Call FN for each question of standard input and end its answer. A malformed
 * question is reported, with the status ERR_DATA. */
void recalled_answer(recalled_question_fn *fn, void *ctx);

/* The error message for a blank query, and the test for one. */
#define RECALLED_NOTHING "expected a query"
bool recalled_is_blank(const char *query);

/* The project's store and the user's, which may be kept from question to question. A
 * zeroed one is closed. */
struct recalled_stores {
	struct store items[2];
	bool unread;		  /* one could not be read */
	struct cache *caches[2];  /* kept between questions */
	struct recall_kept *kept; /* so are the indexes; may be NULL */
};

/* Open S for a question, and close it after one. KEEP: keep the caches. */
void recalled_open(struct recalled_stores *s);
void recalled_close(struct recalled_stores *s, bool keep);

/* Close what S keeps. */
void recalled_forget(struct recalled_stores *s);

/* An answer to print. */
struct recalled {
	const struct recall *local;
	struct remote_part *remote;
	const struct recalled_question *question;
	const char *color; /* the value of --color, for text */
	bool unread;  /* a store could not be read; if there is no answer, the
			    * note says so */
	size_t whole; /* as in recall_ask */
	bool absent;  /* neither the project nor the user has a store */
};

/* Print R in the format of OUT: the local answers, then those of the remote index that
 * are no local ones. For text with few answers of any kind, also say on standard error
 * how many conversations mention the query. Return true if there is an answer. */
bool recalled_print(const struct recalled *r, const struct out *out);

/* Print on standard error what failed in the search for R, the answer to Q. With
 * EXPLAIN, also print how STORES, the project's and the user's, were searched.
 * MODE is the mode that was requested. */
void recalled_notes(const struct recall *r, const struct recalled_question *q,
		    struct store stores[2], const char *mode, bool explain);

/* Return the setting recall.max_results of STORES, the project's and the
 * user's. A is scratch memory. */
size_t recalled_preset(const struct store stores[2], struct arena *a);

/* How to answer from conversations. */
struct recalled_conversations {
	const struct out *out;
	const char *const *color; /* the value of --color, or NULL */
	bool all;		  /* also from those of other projects */
	bool other;		  /* options were given that it does not have */
};

/* Search the conversations for Q and print the answer. End the process on
 * errors. Return true if there is an answer. */
bool recalled_conversations(const struct recalled_conversations *how,
			    const struct recalled_question *q);

#endif
