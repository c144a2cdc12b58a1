/* command-words.h: the words of a shell command that say what it does: its programs,
 * their subcommands, targets and scripts.
 */
#ifndef CO_ACTION_COMMAND_WORDS_H
#define CO_ACTION_COMMAND_WORDS_H

#include "base/arena.h"

#define COMMAND_WORDS 32
#define COMMAND_FILES 4
#define COMMAND_NEAR 4

/* A word of a program's name or of an operand. */
struct command_word {
	const char *term; /* its stem, as from terms_each() */
	size_t len;
	const char *word; /* folded, not stemmed */
	size_t word_len;
	unsigned of;  /* index of its program in the command line */
	bool program; /* it is of the program's name, else of an operand */
	bool telling; /* it identifies a subject without another word */
};

/* What exceeds the limits is left out. */
struct command {
	struct command_word words[COMMAND_WORDS];
	size_t nwords;
	/* Relative paths of programs and scripts that run, without a leading "./". */
	const char *files[COMMAND_FILES];
	size_t nfiles;
	const char *text; /* the words as written, joined by blanks */
};

/* Fill C from the command line TEXT; its strings are allocated in A. Ignore programs that
 * only look at files or move them, options, and quoted text of several words. Cannot
 * fail. */
void command_read(struct command *c, const char *text, struct arena *a);

/* Return true if the LEN bytes of TEXT name a program of C, spelled like that, and
 * another word of the same program is at most COMMAND_NEAR words before or after it. A
 * word in one of the NTAGS TAGS is near every other one. */
bool command_is_near(const struct command *c, const char *text, size_t len,
		     const char *const *tags, size_t ntags);

#endif
