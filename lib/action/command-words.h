/* command-words.h: the words of a shell command that say what it does: its programs, their
 * subcommands, targets and scripts.
 */
#ifndef CO_ACTION_COMMAND_WORDS_H
#define CO_ACTION_COMMAND_WORDS_H

#include "base/arena.h"

#define COMMAND_WORDS 32
#define COMMAND_FILES 4
#define COMMAND_NEAR 4

struct command_word {
	const char *term; /* as from terms_each() */
	size_t len;
	const char *word; /* not stemmed */
	size_t word_len;
	unsigned of;  /* the program's place in the command */
	bool program; /* of its name; else of an operand */
	bool telling; /* says enough without another word */
};

struct command {
	struct command_word words[COMMAND_WORDS];
	size_t nwords;
	const char *files[COMMAND_FILES]; /* scripts, without a leading "./" */
	size_t nfiles;
	const char
		*text; /* the words as they were written, with blanks between */
};

/* Fill C, in A, from the command line TEXT. Programs that only look at files or move
 * them say nothing, and neither do options and quoted texts. */
void command_read(struct command *c, const char *text, struct arena *a);

/* Return true if the LEN bytes of TEXT, with TAGS, have a program of C by its own name and
 * a word of it at most COMMAND_NEAR words away, or in the tags. */
bool command_is_near(const struct command *c, const char *text, size_t len,
		     const char *const *tags, size_t ntags);

#endif
