/* btree.c: see btree.h.
 *
 * A page is kept in the slot of its number, so that those near a root are read
 * once; what a caller gets is copied out of it.
 *
 * The locks are SQLite's: a byte that whoever wants to write takes first, so
 * that no new reader comes in, and a range that is shared by those who read.
 * They are held by the open file and not by the process, which has others.
 *
 * Limits: files of one page size, without a write-ahead log; a schema that fits
 * into the first page; keys of tables without rowids that fit into theirs.
 */
#include "btree.h"

#include "file.h"
#include "mem.h"
#include "pages.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define USABLE (PAGES_SIZE - PAGES_RESERVED)
#define HEADER 100 /* bytes of the file, in front of the first page's own */
#define DEPTH_MAX 20
#define TABLE_LOCAL (USABLE - 35) /* bytes of a record that a cell holds */
#define INDEX_LOCAL ((USABLE - 12) * 64 / 255 - 23)
#define LEAST_LOCAL ((USABLE - 12) * 32 / 255 - 23)
#define PENDING 0x40000000
#define SHARED (PENDING + 2)
#define SHARED_LEN 510

enum node_type {
	INDEX_NODE = 2,
	TABLE_NODE = 5,
	INDEX_LEAF = 10,
	TABLE_LEAF = 13
};

struct node {
	const unsigned char *page, *cells; /* where the offsets are */
	enum node_type type;
	uint32_t n;	/* cells */
	uint32_t right; /* the child behind all cells; 0: a leaf */
};

#ifdef F_OFD_SETLK
static bool lock(int fd, short type, off_t start, off_t len)
{
	struct flock l = {.l_type = type,
			  .l_whence = SEEK_SET,
			  .l_start = start,
			  .l_len = len};

	return fcntl(fd, F_OFD_SETLK, &l) == 0;
}
#else
static bool lock(int fd, short type, off_t start, off_t len)
{
	(void)fd;
	(void)type;
	(void)start;
	(void)len;
	return false;
}
#endif

/* Share the file with other readers, unless a writer is waiting. */
static bool share(int fd)
{
	return lock(fd, F_RDLCK, PENDING, 1) &&
	       lock(fd, F_RDLCK, SHARED, SHARED_LEN) &&
	       lock(fd, F_UNLCK, PENDING, 1);
}

/* True if there is a journal: its writer is at work, or was killed. */
static bool has_journal(const char *path)
{
	struct buf journal = {0};
	bool there;

	buf_addf(&journal, "%s-journal", path);
	there = faccessat(AT_FDCWD, journal.p, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
	buf_release(&journal);
	return there;
}

/* The page NUMBER, until another is read; NULL. */
static const unsigned char *get_page(struct btree *b, uint32_t number)
{
	const size_t slot = number % BTREE_SLOTS;
	unsigned char *page = b->bytes + slot * PAGES_SIZE;

	if (!number || number > b->pages)
		return NULL;
	if (b->held[slot] == number)
		return page;
	b->held[slot] = 0;
	if (!pages_get(b->fd, b->seed, number - 1, page))
		return NULL;
	b->held[slot] = number;
	return page;
}

/* True if the first page is of a file as we make them. */
static bool is_expected(const unsigned char *page)
{
	static const char magic[] = "SQLite format 3";

	return !memcmp(page, magic, sizeof(magic)) &&
	       btree_get2(page + 16) == PAGES_SIZE && page[18] == 1 &&
	       page[19] == 1 && page[20] == PAGES_RESERVED;
}

bool btree_open(struct btree *b, const char *path, uint64_t seed)
{
	const unsigned char *first;
	struct stat st;

	*b = (struct btree){.seed = seed};
	b->fd = file_open(AT_FDCWD, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK,
			  0);
	if (b->fd < 0)
		return false;
	b->bytes = mem_resize(NULL, BTREE_SLOTS, PAGES_SIZE);
	if (share(b->fd) && !has_journal(path) && fstat(b->fd, &st) == 0 &&
	    S_ISREG(st.st_mode)) {
		b->pages = (uint64_t)st.st_size / PAGES_SIZE;
		first = get_page(b, 1);
		if (first && is_expected(first)) {
			b->unused = btree_get4(first + 36);
			return true;
		}
	}
	btree_close(b);
	return false;
}

void btree_close(struct btree *b)
{
	close(b->fd);
	free(b->bytes);
	*b = (struct btree){.fd = -1};
}

size_t btree_number(const unsigned char *p, const unsigned char *end,
		    uint64_t *out)
{
	uint64_t n = 0;

	for (size_t i = 0; i < 8 && p + i < end; i++) {
		n = n << 7 | (p[i] & 0x7f);
		if (!(p[i] & 0x80)) {
			*out = n;
			return i + 1;
		}
	}
	if (end - p < 9)
		return 0;
	*out = n << 8 | p[8];
	return 9;
}

static bool get_node(struct btree *b, uint32_t number, struct node *n)
{
	const unsigned char *page = get_page(b, number);
	const size_t at = number == 1 ? HEADER : 0;
	bool leaf;

	if (!page)
		return false;
	*n = (struct node){.page = page, .type = page[at]};
	leaf = n->type == INDEX_LEAF || n->type == TABLE_LEAF;
	if (!leaf && n->type != INDEX_NODE && n->type != TABLE_NODE)
		return false;
	n->n = btree_get2(page + at + 3);
	n->right = leaf ? 0 : btree_get4(page + at + 8);
	n->cells = page + at + (leaf ? 8 : 12);
	return n->cells + 2 * (size_t)n->n <= page + USABLE;
}

/* What a cell is made of. */
struct cell {
	uint32_t child; /* in front of it; 0 in a leaf */
	int64_t rowid;	/* of a table */
	uint64_t len;	/* of the record; 0 in a table's node */
	const unsigned char *p;
};

static bool get_cell(const struct node *n, uint32_t i, struct cell *c)
{
	const unsigned char *const end = n->page + USABLE, *p;
	const size_t at = btree_get2(n->cells + 2 * (size_t)i);
	uint64_t rowid = 0;
	size_t size;

	*c = (struct cell){.child = 0};
	if (at >= USABLE)
		return false;
	p = n->page + at;
	if (n->right) {
		if (end - p < 4)
			return false;
		c->child = btree_get4(p);
		p += 4;
	}
	if (n->type != TABLE_NODE) {
		size = btree_number(p, end, &c->len);
		if (!size)
			return false;
		p += size;
	}
	if (n->type == TABLE_NODE || n->type == TABLE_LEAF) {
		size = btree_number(p, end, &rowid);
		if (!size)
			return false;
		p += size;
	}
	c->rowid = (int64_t)rowid;
	c->p = p;
	return p <= end;
}

/* Set OUT to the record of the cell C of a page of N, what does not fit there
 * being in pages of its own. */
static bool take_record(struct btree *b, const struct node *n,
			const struct cell *c, struct buf *out)
{
	size_t local = (size_t)c->len;
	uint32_t next = 0;

	if (c->len > b->pages * PAGES_SIZE)
		return false;
	if (local > TABLE_LOCAL) {
		local = LEAST_LOCAL +
			(local - LEAST_LOCAL) % (size_t)(USABLE - 4);
		if (local > TABLE_LOCAL)
			local = LEAST_LOCAL;
	}
	if (local + (local < c->len ? 4 : 0) >
	    (size_t)(n->page + USABLE - c->p))
		return false;
	buf_cut(out, 0);
	buf_add(out, c->p, local);
	if (local < c->len)
		next = btree_get4(c->p + local);
	while (out->len < c->len) {
		const unsigned char *page = get_page(b, next);
		const size_t left = (size_t)c->len - out->len;

		if (!page)
			return false;
		next = btree_get4(page);
		buf_add(out, page + 4, left < USABLE - 4 ? left : USABLE - 4);
	}
	return true;
}

/* Set *I to the first cell of N whose rowid is not below ROWID. */
static bool find_cell(const struct node *n, int64_t rowid, uint32_t *i)
{
	uint32_t low = 0, high = n->n;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		struct cell c;

		if (!get_cell(n, middle, &c))
			return false;
		if (c.rowid < rowid)
			low = middle + 1;
		else
			high = middle;
	}
	*i = low;
	return true;
}

bool btree_find(struct btree *b, uint32_t root, int64_t rowid, struct buf *out)
{
	uint32_t number = root, i;

	for (int depth = 0; depth < DEPTH_MAX; depth++) {
		struct node n;
		struct cell c;

		if (!get_node(b, number, &n) || !find_cell(&n, rowid, &i) ||
		    (i < n.n && !get_cell(&n, i, &c)))
			return false;
		if (n.type == TABLE_LEAF)
			return i < n.n && c.rowid == rowid &&
			       take_record(b, &n, &c, out);
		if (n.type != TABLE_NODE)
			return false;
		number = i < n.n ? c.child : n.right;
	}
	return false;
}

struct walk {
	btree_fn *fn;
	void *ctx;
	struct buf record;
	uint64_t left; /* pages, so that a ring of them has an end */
};

static bool walk(struct btree *b, uint32_t number, struct walk *w, int depth)
{
	struct node n;

	if (depth == DEPTH_MAX || !w->left--)
		return false;
	for (uint32_t i = 0;; i++) {
		struct cell c = {.child = 0};

		/* The page may be another by now. */
		if (!get_node(b, number, &n) ||
		    (n.type != TABLE_LEAF && n.type != TABLE_NODE) ||
		    (i < n.n && !get_cell(&n, i, &c)))
			return false;
		if (n.type == TABLE_LEAF && i == n.n)
			return true;
		if (n.type == TABLE_LEAF
			    ? !take_record(b, &n, &c, &w->record) ||
				      !w->fn(w->ctx, c.rowid, &w->record)
			    : !walk(b, i < n.n ? c.child : n.right, w,
				    depth + 1))
			return false;
		if (n.type == TABLE_NODE && i == n.n)
			return true;
	}
}

bool btree_each(struct btree *b, uint32_t root, btree_fn *fn, void *ctx)
{
	struct walk w = {.fn = fn, .ctx = ctx, .left = b->pages};
	const bool whole = walk(b, root, &w, 0);

	buf_release(&w.record);
	return whole;
}

/* How many cells of N do not come after what is looked for; *LAST is the last
 * of them. */
static bool count_before(const struct node *n, btree_order *compare, void *ctx,
			 uint32_t *count, struct cell *last)
{
	uint32_t low = 0, high = n->n;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		struct cell c;

		if (!get_cell(n, middle, &c) || c.len > INDEX_LOCAL ||
		    c.len > (size_t)(n->page + USABLE - c.p))
			return false;
		if (compare(ctx, c.p, (size_t)c.len) <= 0) {
			*last = c;
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	*count = low;
	return true;
}

bool btree_seek(struct btree *b, uint32_t root, btree_order *compare, void *ctx,
		struct buf *out)
{
	uint32_t number = root, i;

	buf_cut(out, 0);
	for (int depth = 0; depth < DEPTH_MAX; depth++) {
		struct node n;
		struct cell c;

		if (!get_node(b, number, &n) ||
		    (n.type != INDEX_NODE && n.type != INDEX_LEAF) ||
		    !count_before(&n, compare, ctx, &i, &c))
			return false;
		if (i) {
			buf_cut(out, 0);
			buf_add(out, c.p, (size_t)c.len);
		}
		if (n.type == INDEX_LEAF)
			return out->len > 0;
		if (i < n.n && !get_cell(&n, i, &c))
			return false;
		number = i < n.n ? c.child : n.right;
	}
	return false;
}

/* How many bytes a value of the type TYPE takes. */
static uint64_t size_of(uint64_t type)
{
	static const unsigned char sizes[] = {0, 1, 2, 3, 4, 6,
					      8, 8, 0, 0, 0, 0};

	return type < sizeof(sizes) ? sizes[type] : (type - 12) / 2;
}

/* The number of LEN bytes at P, which has a sign. */
static int64_t signed_of(const unsigned char *p, size_t len)
{
	uint64_t n = len && *p & 0x80 ? UINT64_MAX : 0;

	for (size_t i = 0; i < len; i++)
		n = n << 8 | p[i];
	return (int64_t)n;
}

bool btree_value(const void *record, size_t len, size_t column,
		 struct btree_value *out)
{
	const unsigned char *p = record, *const end = p + len, *value;
	uint64_t head, type = 0;
	size_t size = btree_number(p, end, &head);

	if (!size || head < size || head > len)
		return false;
	value = p + head;
	for (size_t i = 0; i <= column; i++) {
		if (i)
			value += size_of(type);
		p += size;
		size = btree_number(p, (const unsigned char *)record + head,
				    &type);
		if (!size || size_of(type) > (uint64_t)(end - value))
			return false;
	}
	*out = (struct btree_value){0, value, (size_t)size_of(type)};
	if (type >= 1 && type <= 6)
		out->number = signed_of(value, out->len);
	else if (type == 9)
		out->number = 1;
	return true;
}

struct roots {
	const char *const *names;
	uint32_t *roots;
	size_t n;
};

/* A row of the schema: type, name, table, root, text. */
static bool see_table(void *ctx, int64_t rowid, const struct buf *record)
{
	const struct roots *r = ctx;
	struct btree_value name, root;

	(void)rowid;
	if (!btree_value(record->p, record->len, 1, &name) ||
	    !btree_value(record->p, record->len, 3, &root))
		return false;
	for (size_t i = 0; i < r->n; i++) {
		if (strlen(r->names[i]) == name.len &&
		    !memcmp(r->names[i], name.p, name.len))
			r->roots[i] = (uint32_t)root.number;
	}
	return true;
}

bool btree_roots(struct btree *b, const char *const *names, size_t n,
		 uint32_t *roots)
{
	struct roots r = {names, roots, n};

	memset(roots, 0, n * sizeof(*roots));
	if (!btree_each(b, 1, see_table, &r))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!roots[i])
			return false;
	}
	return true;
}
