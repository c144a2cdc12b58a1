/* btree.h: the tables of an SQLite file, read as they lie.
 *
 * Where one row is looked up in a file of ours, having SQLite open it, parse
 * its schema and the question costs ten times what the reading does.  The
 * format of its files is published (https://sqlite.org/fileformat2.html) and
 * promised to stay; so is how readers and writers keep out of each other's way.
 *
 * Nothing is an error here: what is not as expected (a writer at work, a
 * journal to be rolled back, a page whose sum is wrong, another page size) is
 * false, and SQLite, which knows what to do, is to be asked.
 */
#ifndef CO_BTREE_H
#define CO_BTREE_H

#include "buf.h"

#define BTREE_SLOTS 16

struct btree {
	int fd; /* -1: not open */
	uint64_t seed;
	uint64_t pages, unused;	    /* that the file has; of them, free */
	uint32_t held[BTREE_SLOTS]; /* the numbers of pages; 0: none */
	unsigned char *bytes;	    /* of each slot */
};

/* Open the file at PATH, whose pages have their sums under SEED (see pages.h).
 * It is read, until btree_close(), as it is now: who writes waits.  False: it
 * is not open, and there is nothing to close. */
bool btree_open(struct btree *b, const char *path, uint64_t seed);

/* Cannot fail.  As with any file that has locks: no connection of this process
 * to the same file may be in a transaction. */
void btree_close(struct btree *b);

/* Set ROOTS to where the N tables NAMES begin.  False: one is not there. */
bool btree_roots(struct btree *b, const char *const *names, size_t n,
		 uint32_t *roots);

/* Set OUT to the record that the table at ROOT has under ROWID. */
bool btree_find(struct btree *b, uint32_t root, int64_t rowid, struct buf *out);

/* Call FN for each record of the table at ROOT, by rowid; it is FN's until it
 * returns, false from which ends the walk and is returned. */
typedef bool btree_fn(void *ctx, int64_t rowid, const struct buf *record);
bool btree_each(struct btree *b, uint32_t root, btree_fn *fn, void *ctx);

/* Set OUT to the last record of the table without rowids at ROOT that does not
 * come after what is looked for.  COMPARE: below 0 if the record comes before
 * it, above 0 if behind. */
typedef int btree_order(void *ctx, const unsigned char *record, size_t len);
bool btree_seek(struct btree *b, uint32_t root, btree_order *compare, void *ctx,
		struct buf *out);

struct btree_value {
	int64_t number;		/* 0 for what is none */
	const unsigned char *p; /* text, or bytes; borrowed from the record */
	size_t len;
};

/* The value of the COLUMN, from 0, of a RECORD of LEN bytes. */
bool btree_value(const void *record, size_t len, size_t column,
		 struct btree_value *out);

/* Read a number as SQLite and FTS5 pack it, between P and END: how many bytes
 * it takes, 0 if it does not end there. */
size_t btree_number(const unsigned char *p, const unsigned char *end,
		    uint64_t *out);

/* Two and four bytes, the highest first. */
static inline uint32_t btree_get2(const unsigned char *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

static inline uint32_t btree_get4(const unsigned char *p)
{
	return btree_get2(p) << 16 | btree_get2(p + 2);
}

#endif
