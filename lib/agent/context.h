/* context.h: the always-loaded context, the user's, then the project's; and the system
 * prompt around it.
 *
 * A missing, empty or unreadable file never stops a session: errors are
 * reported, and the rest is loaded. A file with malformed YAML is left out; one
 * with invalid fields keeps its body. Of an unresolved merge, our side is
 * loaded (see text/conflict.h); if a header has both sides, its first `updated`
 * counts.
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
	CONTEXT_EMPTY,	    /* only blanks after the header */
	CONTEXT_UNREADABLE, /* not a regular file, too large, forbidden, refused */
	CONTEXT_MALFORMED, /* its YAML cannot be read */
	CONTEXT_LOADED
};

/* The result for one of the two files. */
struct context_part {
	enum scope scope;
	enum context_state state;
	char *path;    /* absolute; NULL if not wanted or no root was found */
	size_t size;   /* bytes of the file, and of the rules */
	size_t budget; /* bytes that they may have */

	struct rules rules; /* the rules after it, see rules.h */

	/* The section of the text with its body, without surrounding blanks;
	 * only if the text is not cut. The rules begin at line RULES_LINE of
	 * it, counted from 0. */
	size_t at, len;
	size_t rules_line;
	size_t line; /* of the file where the body begins, from 1 */

	/* Why the file is not loaded as it is: a sentence with the position.
	 * NULL if it is, or if there is no file. */
	char *trouble;
};

struct context {
	struct context_part parts[2]; /* global, project */
	struct buf text; /* as in a prompt, without wrapper, cut at the limit;
			  * empty if nothing was loaded */
	struct buf
		knowledge; /* the digests, if they are wanted; also at the end
			    * of the text */
	size_t size;	   /* bytes of the text before the cut */
	bool invalid;	   /* something was reported */
};

/* The bit of SCOPE for context_load(). */
#define CONTEXT_WANT(scope) (1u << (scope))
#define CONTEXT_DIGEST (1u << 2) /* with the digests, see digest-block.h */
#define CONTEXT_DIGEST_AS_SET (1u << 3) /* if the user's settings say so */
#define CONTEXT_FILES_ONLY \
	(1u << 4) /* without rules, if there is no time to find them */
#define CONTEXT_BOTH (CONTEXT_WANT(SCOPE_PROJECT) | CONTEXT_WANT(SCOPE_GLOBAL))

/* Load the files in WANT. Errors go to R. Release C with context_release(). */
void context_load(struct context *c, unsigned want, const struct report *r);

/* Like context_load(), but cut nothing. */
void context_load_whole(struct context *c, unsigned want,
			const struct report *r);
void context_release(struct context *c);

/* Report to R which budgets C exceeds, a complete line each (WARNING: ..., ERROR:
 * ...). */
void context_budgets(const struct context *c, const struct report *r);

/* Like context_budgets(), but only for the budgets of single files. */
void context_file_budgets(const struct context *c, const struct report *r);

/* Append the trouble of PART and its effect, as a line without a newline;
 * nothing if it has none. */
void context_trouble(struct buf *out, const struct context_part *part);

/* Append a line for each rule of PART. Its fields are separated by tabs:
 * "rule", the scope, its id, its bytes, its path. */
void context_explain_rules(struct buf *out, const struct context_part *part);

/* Append the heading of the context of SCOPE, followed by an empty line. */
void context_heading(struct buf *out, enum scope scope);

/* The lines around the text of a context in a prompt. */
#define CONTEXT_BEGIN "<" SANITIZE_WRAPPER ">\n"
#define CONTEXT_END "</" SANITIZE_WRAPPER ">\n"

/* Return "loaded", "absent", ... */
const char *context_state_name(enum context_state state);

/* Return the number of bytes that the context file of SCOPE may have. */
size_t context_budget(enum scope scope);

/* The context file of one store, for callers that change it. */

/* Append its absolute path. */
void context_path(struct buf *out, const struct store *s);

/* Set TEXT to the contents of the file. Return 1; 0 if the file is absent, with
 * TEXT set to the template of a new one; or -1. */
int context_read(struct store *s, struct buf *text, struct err *e);

/* Check the LEN bytes of TEXT, a context file. Return 0, or -1: ERR_DATA, with
 * the position except for a NUL. Text without frontmatter is valid. */
int context_check(struct store *s, const char *text, size_t len,
		  const char *path, struct err *e);

/* Append TEXT with `updated` set to now, if it has a header. No other byte
 * changes. Return 0, or -1: ERR_DATA. */
int context_touch(struct buf *out, const char *text, size_t len,
		  const char *path, struct err *e);

/* Replace the file by TEXT if it still is WAS; create it if WAS is NULL.
 * `updated` is set to now, except in an existing file of a team's store. Return
 * 0 or -1: ERR_BUSY if the file is not WAS; ERR_DATA if TEXT has a new
 * secret. */
int context_save(struct store *s, const struct buf *was, const struct buf *text,
		 struct err *e);

/* Like context_save(), but return 1 if a concurrent change may be lost. LOST is
 * as in file_replace_from(). */
int context_save_over(struct store *s, const struct buf *was,
		      const struct buf *text, struct buf *lost, struct err *e);

/* Facts that every session loads are bullets of the section `# Learned` of context.md or,
 * in a team's store, memories that are always loaded (see rules.h). A fact that would
 * exceed the budget is refused, never cut. */

/* Add TEXT, one fact, as a bullet at the end of the section, and set `updated`;
 * no other byte changes. The section and the file are created if they are
 * missing. In a team's store the fact becomes a memory instead, and context.md
 * is not changed. WHERE gets the path of the file. Return 1; 0 if that very
 * rule exists; or -1: ERR_DATA (empty text, not UTF-8, a secret, malformed
 * file), ERR_SYSTEM (over the budget), ERR_BUSY. */
int context_learn(struct store *s, const char *text, size_t len,
		  struct buf *where, struct err *e);

/* Check that the LEN bytes of P fit into the budget as one more memory of S
 * that is always loaded. Return 0, or -1 with ERR_SYSTEM if the context would
 * exceed its budget. */
int context_has_room(struct store *s, const char *p, size_t len, struct err *e);

/* The system prompt is assembled from its layers:
 *
 *	system.md                   the user's, else the one of the suite
 *	personalities/NAME.md       likewise, if one is wanted
 *	the always-loaded context   see above; wrapped
 *	{knowledge}                 the digests, see digest-block.h
 *	instructions.md             the project's
 *
 * A layer that is absent or blank adds nothing. The first two and the last may have
 * parts for one provider only (see conditional.h). No layer can close or fake the
 * wrapper of the context, and no marker of a conditional remains in the text.
 *
 * An error in the context never stops a prompt; an error in another layer does.
 */
enum prompt_part { PROMPT_SYSTEM, PROMPT_PERSONALITY, PROMPT_INSTRUCTIONS };
#define PROMPT_PARTS 3

struct prompt_ask {
	const char *provider;	 /* NULL: no conditional text */
	const char *personality; /* a name, never a path; NULL for none */
	const char *argv0;	 /* see sys/execpath.h */
};

struct prompt {
	struct buf text; /* ends in a newline, or is empty */
	struct context context;
	size_t digest; /* bytes of the digests in the text */
	/* The other layers. */
	struct {
		char *path;  /* NULL: there is none */
		size_t size; /* bytes in the text */
	} parts[PROMPT_PARTS];
};

/* Return the name of PART: "system", "personality" or "instructions". */
const char *context_prompt_part_name(enum prompt_part part);

/* Assemble the prompt ASK in P. Errors of the context go to R. Release P with
 * context_release_prompt() in any case. Return 0, or -1: ERR_USAGE if a name is
 * invalid; ERR_NO if there is no such personality, with the names of those that
 * exist; ERR_DATA if a conditional is malformed, or a template is not a file;
 * ERR_SYSTEM. */
int context_assemble_prompt(struct prompt *p, const struct prompt_ask *ask,
			    const struct report *r, struct err *e);
void context_release_prompt(struct prompt *p);

#endif
