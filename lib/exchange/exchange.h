/* exchange.h: reading the memories of other programs.
 *
 *	claude		CLAUDE.md, and the folder of memories of a project
 *	codex		AGENTS.md, and its folder of memories
 *	gemini		GEMINI.md and MEMORY.md: what it was told to remember, or
 *			all of it
 *	qwen		QWEN.md and MEMORY.md, in the same way
 *	basic-memory	a folder of notes
 *	obsidian	a vault: a folder of notes, named by their files
 *	server-memory	a graph: JSON lines of entities and relations
 *	mem0		a list of memories as JSON
 *	json		records of co-json(5); or context.json and the files of
 *			memories beside it, as co wrote them once
 *	markdown	memory files, and what co export --format=markdown prints
 *
 * What an index lists (MEMORY.md) is read where it stands, and the index is not.
 * Folders are walked without following links, names that begin with a dot left
 * out.  A time that nothing states is that of the file.
 */
#ifndef CO_EXCHANGE_EXCHANGE_H
#define CO_EXCHANGE_EXCHANGE_H

#include "exchange/line.h"

#define EXCHANGE_FORMATS                                                     \
	"claude|codex|gemini|qwen|basic-memory|obsidian|server-memory|mem0|" \
	"json|markdown"

/* What stands before each file where several are in one text, in the format
 * markdown: its name and bytes. */
#define EXCHANGE_FRAME "<!-- co:file %s %zu -->\n"

/* Call FN for each memory of the files and folders at PATHS, up to NULL, which are
 * in FORMAT, one of the above, in the order of names and lines.  What cannot be read
 * is reported, and the rest goes on, but for context.json and its files: they are
 * taken together or not at all.  Where FN fails, that is reported for the PATH, of
 * which nothing more is read.  -1: ERR_USAGE, no such format; ERR_DATA, some of
 * context.json and its files cannot be read; or as FN for these. */
int exchange_read(const char *format, const char *const *paths, exchange_fn *fn,
		  void *ctx, const struct report *r, struct err *e);

#endif
