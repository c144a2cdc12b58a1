/* exchange.h: read the memories of other programs, and export a store.
 *
 *	claude		CLAUDE.md, and the directory of memories of a project
 *	codex		AGENTS.md, and its directory of memories
 *	gemini		GEMINI.md and MEMORY.md: the section of added memories,
 *			or all of it
 *	qwen		QWEN.md and MEMORY.md, in the same way
 *	basic-memory	a directory of notes
 *	obsidian	a vault: a directory of notes, titled by file name
 *	server-memory	a graph: JSON lines of entities and relations
 *	mem0		a list of memories as JSON
 *	json		records of co-json(5); or context.json and the files of
 *			memories next to it, as an older co wrote them
 *	markdown	memory files, and output of co export --format=markdown
 *
 * An index (MEMORY.md) is skipped; the files that it lists are read.
 * Directories are read recursively without following links; names that begin
 * with a dot are skipped. A memory without a date gets that of its file.
 */
#ifndef CO_EXCHANGE_EXCHANGE_H
#define CO_EXCHANGE_EXCHANGE_H

#include "base/strings.h"
#include "exchange/line.h"
#include "harvest/items.h"
#include "store/store.h"

#define EXCHANGE_FORMATS                                                     \
	"claude|codex|gemini|qwen|basic-memory|obsidian|server-memory|mem0|" \
	"json|jsonl|markdown"

/* The line before each file if one text has several, in the format markdown:
 * its name and its size in bytes. */
#define EXCHANGE_FRAME "<!-- co:file %s %zu -->\n"

/* Call FN for each memory of the files and directories in PATHS, a
 * NULL-terminated list, in the order of names and lines. FORMAT is one of the
 * above. An unreadable file is reported and skipped, except for context.json
 * and its files: they are read completely or not at all. If FN fails with ERR_DATA,
 * the memory is skipped, and the failure reported with the file and the number of
 * the memory in it. If FN fails otherwise, that is reported, and the rest of this
 * PATH is skipped. Returns 0 or -1: ERR_USAGE if there is no such format; ERR_DATA
 * if context.json or one of its files cannot be read; or the result of FN for these. */
int exchange_read(const char *format, const char *const *paths, exchange_fn *fn,
		  void *ctx, const struct report *r, struct err *e);

/* Set *PATHS to the files in OPERANDS, a NULL-terminated list that begins with
 * a format, or with a file whose name implies it, CLAUDE.md or notes.jsonl, or with a
 * vault of Obsidian. Return the format; or NULL, and E names the missing operand. */
const char *exchange_split(const char *const *operands,
			   const char *const **paths, struct err *e);

/* Return another format to read PATH in, which has no memory in FORMAT: the one that
 * its name implies, or for Markdown one that needs no frontmatter. Return NULL if there
 * is none. */
const char *exchange_other(const char *format, const char *path);

/* The export of the memories and items of a store:
 *
 *	jsonl		one record per line, by id, then one item per line
 *	json		the format of an older co: see context-json.h
 *	markdown	the files of memories and items
 *
 * Replaced memories are included. Drafts, the trash and the context are not.
 * markdown omits the notes about single files; json omits the items and all
 * data that the older co did not have. */

struct exchange_to {
	const char *format; /* one of the above */
	bool sensitive;	    /* include sensitive memories */
	/* PUT writes each NAME to a file; false: all of it to one stream. */
	bool files;
	export_fn *put;
	void *ctx;		     /* for PUT */
	const struct report *report; /* for files that cannot be read */
};

struct exchange_done {
	/* The data that json cannot express, as "ids of 3, 1 item"; empty for
	 * the other formats. The caller releases it. */
	struct buf unsaid;
	size_t memories;   /* passed on */
	size_t sensitive;  /* memories left out */
	size_t unread;	   /* files not read, or only in part */
	enum err_code why; /* the highest of their error codes, or 0 */
};

/* Pass the contents of S to TO->put: file by file in markdown; in jsonl all at
 * once if TO writes files, else in pieces. A file that cannot be read is
 * reported, and counted in DONE, which must be zeroed; the rest is exported.
 * For a file with an unresolved merge, which counts too, our side is exported.
 * Returns 0, or -1 if the store cannot be listed or PUT failed. */
int exchange_export(struct store *s, const struct exchange_to *to,
		    struct exchange_done *done, struct err *e);

/* Append what exchange_export(), with the result DONE, left out of S and, if S is
 * a project's, of the user store: "2 drafts, the context". Appends nothing for
 * what does not exist. Returns 0 or -1. */
int exchange_left_out(struct buf *out, struct store *s,
		      const struct exchange_done *done, struct err *e);

/* Save the lines of an import.
 *
 * A line is a memory or an item (see harvest/items.h) that exchange_read() found. A
 * text that the store has already is not saved again. */

/* Zero it, then set the store of ITEMS, and ACCEPT. */
struct exchange_saving {
	struct item_lines items;
	bool accept; /* save memories instead of drafts, and accept drafts that
		      * wait with the same text */
	size_t saved, known, waiting; /* totals so far */
	size_t unloaded; /* marked `always`, but saved without that */

	/* Private. */
	struct arena arena;
	struct strings drafts; /* to accept, by path */
};

/* Save the line in the LEN bytes of P. With ACCEPT, a draft that waits is accepted by
 * exchange_finish_saving(), since each acceptance makes the store look through all
 * drafts again. A is for temporary values. Return 0, or -1 with ERR_DATA if only this
 * line cannot be saved. */
int exchange_save_line(struct exchange_saving *in, const char *p, size_t len,
		       struct arena *a, struct err *e);

/* Save the remaining memories, and complete the totals. The store reports each one that
 * cannot be saved, and *FAILED is then ERR_DATA. Return 0, or -1 if the others cannot be
 * saved either. */
int exchange_finish_saving(struct exchange_saving *in, enum err_code *failed,
			   struct err *e);

#endif
