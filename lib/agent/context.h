/* context.h: the always-loaded context, global before project.
 *
 * Missing, empty and unreadable files never stop a session: what is wrong is
 * reported, what is left is loaded.  One with malformed YAML is left out
 * whole, one with invalid fields keeps its body; of an unresolved merge our
 * side is loaded (see text/conflict.h), and of a header in which both sides
 * were kept the first `updated` counts.
 */
#ifndef CO_AGENT_CONTEXT_H
#define CO_AGENT_CONTEXT_H

#include "agent/rules.h"
#include "store/store.h"
#include "text/sanitize.h"

#define CONTEXT_TARGET 10240
#define CONTEXT_LIMIT 20480
#define CONTEXT_TITLE "## Internal Knowledge\n\n"
#define CONTEXT_FILE_MAX (1024 * 1024)

enum context_state {
	CONTEXT_UNASKED,
	CONTEXT_ABSENT,
	CONTEXT_EMPTY,	    /* nothing but blanks behind the header */
	CONTEXT_UNREADABLE, /* no regular file, too large, forbidden, refused */
	CONTEXT_MALFORMED,  /* its YAML cannot be read */
	CONTEXT_LOADED
};

/* What became of one of the two files. */
struct context_part {
	enum scope scope;
	enum context_state state;
	char *path;    /* absolute; NULL when unasked or no root was found */
	size_t size;   /* bytes of the file, and of the rules */
	size_t budget; /* bytes they may have */

	struct rules rules; /* that follow it, see rules.h */

	/* Its body in the text, where that is whole; without blanks around; the
	 * rules behind it, from the line RULES_LINE of it on, from 0. */
	size_t at, len;
	size_t rules_line;
	size_t line; /* of the file, from 1, that the body begins on */

	/* Why the file is not loaded as it stands, a sentence with its place;
	 * NULL: it is, or there is none. */
	char *trouble;
};

struct context {
	struct context_part parts[2]; /* global, project */
	struct buf text;      /* as it goes to a prompt, unwrapped, cut at the
			  * limit; empty when nothing was loaded */
	struct buf knowledge; /* the digests, which stand at the end of the text
			       * as well, where they were asked for */
	size_t size;	      /* its bytes before the cut */
	bool invalid;	      /* something was reported */
};

/* The bit of SCOPE in what context_load() takes. */
#define CONTEXT_WANT(scope) (1u << (scope))
#define CONTEXT_DIGEST (1u << 2) /* with the digests: see digest-block.h, */
#define CONTEXT_DIGEST_AS_SET (1u << 3) /* where the user's settings say so */
#define CONTEXT_FILES_ONLY \
	(1u << 4) /* without rules: no time for memories or their cache */
#define CONTEXT_BOTH (CONTEXT_WANT(SCOPE_PROJECT) | CONTEXT_WANT(SCOPE_GLOBAL))

/* Load those of the two files that WANT names; complaints go to R.  Release
 * with context_release().  Cannot fail. */
void context_load(struct context *c, unsigned want, const struct report *r);

/* The same, and nothing is cut, however large it is. */
void context_load_whole(struct context *c, unsigned want,
			const struct report *r);
void context_release(struct context *c);

/* Tell R, one finished line each (WARNING: ..., ERROR: ...), which budgets C
 * exceeds. */
void context_budgets(const struct context *c, const struct report *r);

/* Only which files exceed their own. */
void context_file_budgets(const struct context *c, const struct report *r);

/* Append what PART's trouble means, a line without its end; nothing where it has
 * none. */
void context_trouble(struct buf *out, const struct context_part *part);

/* Append a line for each rule of PART, fields between tabs: "rule", the scope, its
 * id, its bytes, its path. */
void context_explain_rules(struct buf *out, const struct context_part *part);

/* Append the heading of the context of SCOPE with a blank line behind. */
void context_heading(struct buf *out, enum scope scope);

/* The lines around the text of a context in a prompt. */
#define CONTEXT_BEGIN "<" SANITIZE_WRAPPER ">\n"
#define CONTEXT_END "</" SANITIZE_WRAPPER ">\n"

/* "loaded", "absent", ... */
const char *context_state_name(enum context_state state);

/* Bytes that the context file of SCOPE may have. */
size_t context_budget(enum scope scope);

/* The context file of one store, for those who change it. */

/* Append its absolute path. */
void context_path(struct buf *out, const struct store *s);

/* Replace TEXT's contents by the file's.  Returns 1, 0 when it is absent (TEXT
 * is then what a new one may begin with), -1. */
int context_read(struct store *s, struct buf *text, struct err *e);

/* Check the LEN bytes of TEXT: ERR_DATA with the place.  Text without
 * frontmatter is valid. */
int context_check(struct store *s, const char *text, size_t len,
		  const char *path, struct err *e);

/* Append TEXT with its `updated` set to now, where it has a header; no other
 * byte is changed. */
int context_touch(struct buf *out, const char *text, size_t len,
		  const char *path, struct err *e);

/* Replace the file by TEXT, `updated` set to now, or make it where WAS is NULL,
 * if it still is WAS.  ERR_BUSY: it is not. */
int context_save(struct store *s, const struct buf *was, const struct buf *text,
		 struct err *e);

/* The same; 1 where another may have written at the same time without our
 * knowing; LOST as file_replace_from() has it. */
int context_save_over(struct store *s, const struct buf *was,
		      const struct buf *text, struct buf *lost, struct err *e);

#endif
