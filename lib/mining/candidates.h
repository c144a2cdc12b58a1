/* candidates.h: texts of a repository that are worth remembering.
 *
 * Each candidate is one text from a commit or a file, with its source. Only words are
 * judged: precision comes before completeness. The authors of the repository wrote the
 * text. It has no controls except newlines, no hidden characters and no secrets, but it
 * may say anything.
 */
#ifndef CO_MINING_CANDIDATES_H
#define CO_MINING_CANDIDATES_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/instant.h"
#include "base/progress.h"

/* Commits that are read at most. */
#define CANDIDATES_COMMITS ((size_t)20000)

/* The kinds, the most reliable first. */
enum candidate_kind {
	CANDIDATE_TRAILER,
	CANDIDATE_ADR,
	CANDIDATE_BREAKING,
	CANDIDATE_DOCS,
	CANDIDATE_REVERT,
	CANDIDATE_FIXUP,
	CANDIDATE_REASON
};
#define CANDIDATE_KINDS 7

struct candidate {
	enum candidate_kind kind;
	const char *text; /* NUL-terminated */
	size_t len;
	const char *commit; /* its full name; NULL: from a file */
	const char *cite;   /* COMMIT, or the place in the file: PATH:10-20 */
	int64_t at; /* time of the commit, in seconds since 1970; 0: unknown */
	int points; /* the more, the better */
	size_t order; /* in which it was found */
};

/* Why a commit, a text of one, or a section of a file gave no candidate. */
enum candidates_left {
	LEFT_SUBJECT, /* the message is only a subject */
	LEFT_ROUTINE, /* a program wrote it, or it is a release */
	LEFT_REASON,  /* it states no rule and no reason */
	LEFT_CHANGED, /* the code was changed since, or the commit reverted */
	LEFT_OLD,
	LEFT_BETTER, /* other messages state more */
	LEFT_RULE,   /* the section has no command and no rule */
	LEFT_PEOPLE, /* it is for users, or on what people do */
	LEFT_LONG,   /* it is too long, and its parts say too little */
	LEFT_GONE,   /* it has a command that calls what is gone */
	CANDIDATES_LEFT
};

struct secrets;
struct candidates {
	/* Set before the call: */
	const char *dir;   /* that holds `.co-cli`, or may; absolute */
	const char *range; /* of commits, for git; files are then not read.
			    * NULL: the history of HEAD, and files */
	const struct progress *progress; /* may be NULL */
	const struct report *report;	 /* gets files that cannot be read */

	/* Results: */
	struct arena arena;
	struct candidate *items; /* best first */
	size_t n, cap;
	size_t commits, files; /* read */
	bool more;	/* there are older commits than CANDIDATES_COMMITS */
	bool shallow;	/* the clone lacks older commits */
	size_t skipped; /* messages of more than COMMIT_LOG_TEXT bytes */
	size_t secrets; /* texts left out since they look like secrets */
	size_t hidden;	/* texts left out for hidden characters */
	size_t left[CANDIDATES_LEFT]; /* how many, by reason */

	struct secrets *rules; /* for candidates_add() */
	size_t added;	       /* likewise */
	size_t explained; /* for guides_read(): texts that only explain code */
};

void candidates_release(struct candidates *c);

/* Add ONE, whose strings are copied. If its text or the name of its file is not UTF-8, or
 * has hidden characters or a secret, ONE is counted instead. */
void candidates_add(struct candidates *c, const struct candidate *one);

/* Sort C, the best first, and of texts that are alike keep the first. At most
 * CANDIDATES_KEPT are kept, since each is compared with all others. */
#define CANDIDATES_KEPT ((size_t)500)
void candidates_sort(struct candidates *c);

/* Return "revert" and so on, which is also a tag. */
const char *candidates_kind_name(enum candidate_kind k);

/* Return true if a text of the kind K explains code of its commit. */
bool candidates_explains(enum candidate_kind k);

/* Every draft has these. */
#define CANDIDATE_TAG "from-history"
#define CANDIDATE_SOURCE "git"
#define CANDIDATE_TRUST "external"

/* Write the time of C as instant_format() does. Returns false if it is unknown or in
 * the future: the clock of the committer may be wrong. */
bool candidates_time(const struct candidate *c, char out[INSTANT_TEXT]);

/* Append the members of C's JSON object, which co-memory-save --batch reads. */
void candidates_json(struct buf *out, const struct candidate *c);

/* The readers of one kind of source each. They add what it has, and return 0 or -1.
 *
 * candidates_read_files() reads decisions in ADR files, commands and rules in guides for
 * contributors, and commands in README files that git tracks: Markdown and formats like
 * it. It counts the files. ERR_HELPER.
 * candidates_add_file() adds what TEXT, the file PATH, has: an ADR, or sections with
 * commands and rules. */
int candidates_read_files(struct candidates *c, struct err *e);
void candidates_add_file(struct candidates *c, const char *path,
			 const struct buf *text, bool adr);

/* Lower the points of the reasons and repairs in C that explain code that is gone: their
 * commits only removed lines, or the tracked files have less than half of the lines that
 * they added. Lower none if files could not be read. Return 0 or -1, ERR_HELPER or
 * ERR_SYSTEM. */
int candidates_judge_survival(struct candidates *c, struct err *e);

#endif
