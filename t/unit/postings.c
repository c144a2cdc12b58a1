/* postings.c: what is read from a database without SQLite is what SQLite reads,
 * whatever was added in how many steps; and of a damaged one whose sums were
 * made right, reading ends. */
#include "postings.h"

#include "database.h"
#include "expect.h"
#include "hash.h"
#include "pages.h"

#include <fcntl.h>
#include <unistd.h>

#define STORE UINT64_C(12345)
#define WORDS 3000
#define DAMAGES 4000

static unsigned state = 7;

static unsigned pick(unsigned below)
{
	state = state * 1103515245u + 12345u;
	return (state >> 8) % below;
}

/* Few words are common, most are rare. */
static void add_word(struct buf *b)
{
	unsigned n = pick(WORDS);

	for (unsigned i = pick(5); i; i--)
		n = n ? pick(n) : 0;
	buf_addf(b, "w%cq%u ", (char)('a' + n % 7), n);
}

static void add(struct database *db, uint32_t number)
{
	struct buf text = {0}, tag = {0};
	const char *tags[1];
	struct tables_doc doc = {.number = number, .tags = tags};
	struct err e;

	for (unsigned i = pick(pick(20) ? 60 : 3000); i; i--)
		add_word(&text);
	for (unsigned i = pick(4); i; i--)
		add_word(&tag);
	tags[0] = buf_str(&tag);
	doc.ntags = tag.len > 0;
	doc.text = buf_str(&text);
	doc.text_len = text.len;
	expect(database_add(db, &doc, &e) == 0, "a document is added");
	buf_release(&text);
	buf_release(&tag);
}

static void see(void *ctx, uint32_t number, uint32_t text, uint32_t column)
{
	buf_addf(ctx, "%u %u %u\n", number, text, column);
}

/* The state that the database is said to have. */
static struct postings_state known(const char *path)
{
	struct postings_state s = {0, 0, (int64_t)STORE};
	struct postings p;

	for (s.format = 0; s.format < 20; s.format++) {
		for (s.terms = 0; s.terms < 20; s.terms++) {
			if (postings_open(&p, path, &s, NULL)) {
				postings_close(&p);
				return s;
			}
		}
	}
	expect(false, "the database can be read without SQLite");
	return s;
}

static void compare(const char *path)
{
	const struct postings_state s = known(path);
	struct lengths ours = {0}, theirs = {0};
	struct buf a = {0}, b = {0}, word = {0};
	struct postings p;
	struct tables *t;
	struct err e;

	expect(postings_open(&p, path, &s, &ours), "it can be read");
	if (tables_open(&t, path, STORE, NULL, &e) < 0 ||
	    tables_read(t, &s, &theirs, &e) < 0)
		abort();
	expect(ours.n == theirs.n &&
		       (!ours.n || !memcmp(ours.items, theirs.items,
					   ours.n * sizeof(*ours.items))),
	       "the lengths are the same");
	for (unsigned i = 0; i < WORDS + 20 && !failures; i++) {
		buf_cut(&word, 0);
		buf_addf(&word, "w%cq%u", (char)('a' + i % 7), i);
		buf_cut(&a, 0);
		buf_cut(&b, 0);
		expect(postings_each(&p, word.p, word.len, see, &a), word.p);
		expect(tables_postings(t, word.p, word.len, see, &b, &e) == 0,
		       word.p);
		expect(!strcmp(buf_str(&a), buf_str(&b)), word.p);
	}
	/* Its locks go with any descriptor of the file. */
	tables_close(t);
	postings_close(&p);
	lengths_release(&ours);
	lengths_release(&theirs);
	buf_release(&a);
	buf_release(&b);
	buf_release(&word);
}

/* Add up to MOST documents from *NUMBER on. */
static void grow(const char *path, uint32_t *number, unsigned most)
{
	struct database *db;
	struct err e;

	if (database_open(&db, DATABASE_OPEN, path, STORE, &e) < 0 ||
	    database_begin(db, &e) < 0)
		abort();
	for (unsigned i = 1 + pick(most); i; i--) {
		add(db, *number);
		*number += 1 + pick(3);
	}
	expect(database_commit(db, &e) == 0, "it is kept");
	database_close(db);
}

/* Change a byte of a page, and its sum with it, for as long as it is read. */
static void damage(const char *path, const struct postings_state *s)
{
	const int fd = open(path, O_RDWR | O_CLOEXEC);
	const off_t end = lseek(fd, 0, SEEK_END);
	const uint64_t index = pick((unsigned)(end / PAGES_SIZE));
	const off_t at = (off_t)index * PAGES_SIZE;
	unsigned char page[PAGES_SIZE], old[PAGES_SIZE];
	uint64_t sum;
	struct lengths l = {0};
	struct buf out = {0};
	struct postings p;

	if (pread(fd, page, PAGES_SIZE, at) != PAGES_SIZE)
		abort();
	memcpy(old, page, PAGES_SIZE);
	for (unsigned n = 1 + pick(3); n; n--)
		page[pick(pick(2) ? 40 : PAGES_SIZE - PAGES_RESERVED)] =
			(unsigned char)(pick(3) ? pick(256) : 255 * pick(2));
	sum = hash_words(page, PAGES_SIZE - PAGES_RESERVED, STORE + index);
	memcpy(page + PAGES_SIZE - PAGES_RESERVED, &sum, sizeof(sum));
	if (pwrite(fd, page, PAGES_SIZE, at) != PAGES_SIZE)
		abort();
	if (postings_open(&p, path, s, &l)) {
		postings_each(&p, "waq0", 4, see, &out);
		postings_each(&p, "wdq1739", 7, see, &out);
		postings_each(&p, "wfq2273", 7, see, &out);
		postings_close(&p);
	}
	if (pwrite(fd, old, PAGES_SIZE, at) != PAGES_SIZE)
		abort();
	close(fd);
	lengths_release(&l);
	buf_release(&out);
}

int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : "postings.db";
	struct postings_state s;
	struct database *db;
	uint32_t number = 1;
	struct err e;
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || close(fd) < 0 ||
	    database_open(&db, DATABASE_MAKE, path, STORE, &e) < 0)
		abort();
	database_close(db);
	compare(path);
	for (unsigned i = 0; i < 40 && !failures; i++) {
		grow(path, &number, i % 10 ? 12 : 600);
		if (i % 7 == 0)
			compare(path);
	}
	s = known(path);
	for (unsigned i = 0; i < DAMAGES && !failures; i++)
		damage(path, &s);
	compare(path);
	unlink(path);
	return expect_status();
}
