/* choose.h: select a memory where an id is expected: by words of its text, or as one that
 * was shown last.
 */
#ifndef CO_CLI_CHOOSE_H
#define CO_CLI_CHOOSE_H

#include "base/strings.h"
#include "store/results.h"

/* What words may name. */
enum choose_among {
	CHOOSE_MEMORIES,
	CHOOSE_ALL, /* memories and articles */
	CHOOSE_DRAFTS,
	CHOOSE_TRASH, /* memories, drafts and articles */
};

/* First replace the operands @1 to @9: see cli_expand_last(). With CHOOSE_DRAFTS and
 * CHOOSE_TRASH they are words, and drafts, or memories in the trash, are meant where the
 * following says memories.
 *
 * Replace the N OPERANDS by the id of the memory that contains all of them, if
 * none of them is an id, a path or "-". The memories of the project and the
 * user are searched; with GLOBAL only those of the user. Each word must be in
 * the text or the tags, an ASCII word at the start of a word. With CHOOSE_ALL and
 * CHOOSE_TRASH, the operands also match an article whose title, file name or tags
 * contain them: they are replaced by its path, and the name NAME.md of no file here
 * counts as a word.
 *
 * If several match, ask on the terminal which one is meant. Return the new number of
 * operands: 1, or N if nothing was replaced. The id or path is static.
 *
 * End the process with 2 if N is 0. End it with 1 if nothing matches, if the
 * person selects none, or if several match and there is no terminal; the
 * matches are then listed on standard error.
 */
int cli_choose(char **operands, int n, bool global, enum choose_among among);

/* As cli_choose(), but if several match, the person may choose some or all of them by
 * cli_choose_some() with QUESTION. *OPERANDS is then a list in cli_arena. */
int cli_choose_several(char ***operands, int n, bool global,
		       enum choose_among among, const char *question);

/* End the process with 2, as cli_choose() does where N is 0. */
void cli_want_operand(enum choose_among among) NORETURN;

/* Return true if TEXT is a list of ids with commas: operands are separated by blanks. */
bool cli_is_id_list(const char *text);
#define CLI_SEARCH_HINT "'co recall %s' searches, 'co list' shows the memories"
#define CLI_ID_LIST_HINT "separate ids by blanks: 3 7"

/* As cli_choose(), for a command that takes one: end the process with 2 if more
 * operands are left. */
void cli_choose_one(char **operands, int n, bool global,
		    enum choose_among among);

/* As cli_choose() of memories, for the VALUE of an option, which may also be a list of
 * ids with commas. Return the id or path that is meant, or VALUE itself; in cli_arena. */
const char *cli_choose_value(const char *value, bool global);

/* The option of commands that let the person choose a memory. */
#define OPT_INTERACTIVE(to) \
	FLAG('i', "interactive", to, "choose a memory in a list")

/* Let the person choose one of FOUND: in fzf with a preview if that is in PATH, else by
 * its id. SAID: words that they contain; NULL: not given. Return
 * the id, which is static. End the process with 1 if none is chosen, with 2 if there is
 * no terminal. ARGV0: see sys/execpath.h. */
const char *cli_pick(const struct results *found, const char *said,
		     const char *argv0);

/* Let the person choose one of all memories of the project and the user, with GLOBAL
 * of the user only, that contain the *N words OPERANDS. Return a static list of its id,
 * and set *N to 1. Ends the process as cli_pick() does. */
char **cli_pick_operand(char **operands, int *n, bool global,
			const char *argv0);

/* Return OPERANDS; if *N is 0, a static list of one instead, the memory that was shown
 * last, if that is known. */
char **cli_or_last(char **operands, int *n);

/* Print QUESTION and the possible answers on the terminal, and reduce FOUND to
 * the memories that the person selects. The caller has printed their ids.
 * Return false, after a note, if none is selected or the answer is not
 * understood. */
bool cli_choose_some(struct results *found, const char *question);

/* The memories of this project that a person saw last, so that a later command can name
 * them: by no operand at all, or by @1 to @9.
 *
 * They are noted only if standard error is a terminal: what programs read does not
 * count. The note is local, $XDG_STATE_HOME/co-cli/last/, one file for each project,
 * mode 0600. If it cannot be written or read, nothing was seen.
 */
#define LAST_ANSWERS 9 /* one digit each */

/* Note the first LAST_ANSWERS of the N answers of a search, best first: IDS has the id
 * of each, NULL for an answer that is not a memory of this project. The first memory
 * counts as shown. */
void cli_note_answers(const char *const *ids, size_t n);

/* Note that ID was shown or edited. The answers stay. */
void cli_note_shown(const char *id);

/* Return the id that was shown last, NULL if none is known. Static. */
const char *cli_last_shown(void);

/* Replace each of OPERANDS from @1 to @9 by the id of that answer, which is static.
 * End the process with 1 if there is no such answer. */
void cli_expand_last(char **operands);

/* Find the memories that a person names by id, path or text.
 *
 * Digits are an id, never a text. A path of a memory or an article is that file.
 * Everything else is a text, and means every memory that contains it. */
struct cli_selection {
	struct results found; /* ordered by id, or as named; a broken memory has
			       * only a path, and id 0 */
	const char *text;     /* the text that they contain; NULL if each was
			       * named */
	bool no_text; /* set by the caller: each operand must name one */
};

/* Find the memories of S that the N OPERANDS mean: each names one, or together,
 * joined by blanks, they are a text. A memory that is named twice is found once. C is
 * allocated in A; release it with results_release(&c->found) before the store is
 * closed. Broken memories are reported.
 *
 * Return 0, also if no memory has the text; or -1: ERR_NO if there is no such
 * id; ERR_USAGE if only some name memories, if C->no_text and one does not, or if a
 * text that no memory has is the path of another file; ERR_DATA if two files have an
 * id; ERR_SYSTEM. */
int cli_select_memories(struct cli_selection *c, struct store *s,
			const char *const *operands, size_t n, struct arena *a,
			struct err *e);

/* Find the memory or, by its path or file name, the article that OPERAND names, as
 * store_locate() does. */
int cli_select_locate(struct store *s, const char *operand, struct arena *a,
		      const char **path, struct err *e);

/* Append the words of TEXT, separated by blanks, to WORDS, allocated in A. */
void cli_select_words(struct strings *words, const char *text, struct arena *a);

/* Append to OUT the articles of S, or with TRASH those in its trash, whose title,
 * file name or tags contain all WORDS; an ASCII word must be at the start of a word.
 * An article with parts is represented by the first one. Return 0 or -1. */
int cli_select_articles(struct store *s, bool trash,
			const struct strings *words, struct results *out,
			struct err *e);

/* Return how many of FOUND are articles. */
size_t cli_count_articles(const struct results *found);

/* Return what those of FOUND are: "memory", "articles" and so on. */
const char *cli_select_noun(const struct results *found);

/* Return true if C has a broken memory. */
bool cli_select_has_broken(const struct cli_selection *c);

/* Append a hint: the path of an article of S that has the words of TEXT, else the
 * memories in the store of the other scope that contain TEXT; nothing if there are
 * none. */
void cli_select_elsewhere(struct buf *out, struct store *s, const char *text,
			  struct arena *a);

#endif
