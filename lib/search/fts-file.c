/* fts-file.c: each page is checked against its own checksum when it is read. The
 * stamp covers the rest. If the file differs from its stamp, either a writer was
 * killed before it wrote the stamp, which does no harm, or the file is damaged,
 * perhaps in pages that nobody reads today; so all pages are checked once. After a
 * restart of the system, written pages may be missing, so the total of checksums must
 * also equal the stamp's.
 *
 * A database whose writer was killed has a journal, which SQLite rolls back.
 */
#include "search/fts-file.h"

#include "search/page-checksums.h"
#include "sys/file.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#define DATABASE ".db"
#define JOURNAL ".db-journal"
#define NEW ".new"
#define NEW_JOURNAL ".new-journal"
#define BOOT_SLACK 2 /* seconds; a clock may be adjusted by them */

#define NAME_SIZE 64

struct name {
	char text[NAME_SIZE];
};

/* Return the name of the file of F that ends with END. */
static struct name name_of(const struct fts_file *f, const char *end)
{
	struct name n;

	snprintf(n.text, sizeof(n.text), "%s%s", f->name, end);
	return n;
}

static bool exists(const struct fts_file *f, const char *end)
{
	return faccessat(f->dir, name_of(f, end).text, F_OK,
			 AT_SYMLINK_NOFOLLOW) == 0;
}

static void remove_file(const struct fts_file *f, const char *end)
{
	unlinkat(f->dir, name_of(f, end).text, 0);
}

static bool stat_database(const struct fts_file *f, struct stat *st)
{
	return fstatat(f->dir, name_of(f, DATABASE).text, st,
		       AT_SYMLINK_NOFOLLOW) == 0;
}

static bool check_pages(const struct fts_file *f, uint64_t *total)
{
	return page_checksums_check(f->dir, name_of(f, DATABASE).text, f->store,
				    total);
}

static int open_file(const struct fts_file *f, const char *end,
		     enum fts_mode mode, struct fts **out, struct err *e)
{
	struct buf path = {0};
	int r;

	buf_addf(&path, "%s/%s%s", f->folder, f->name, end);
	r = fts_open(out, mode, path.p, f->store, e);
	buf_release(&path);
	return r;
}

int fts_file_open(const struct fts_file *f, enum fts_mode mode,
		  struct fts **out, struct err *e)
{
	return open_file(f, DATABASE, mode, out, e);
}

bool fts_file_is_quiet(const struct fts_file *f)
{
	return exists(f, DATABASE) && !exists(f, JOURNAL);
}

void fts_file_roll_back(const struct fts_file *f)
{
	struct fts *db;

	if (exists(f, JOURNAL) && fts_file_open(f, FTS_LOOK, &db, NULL) == 0)
		fts_close(db);
}

static int64_t boot_time(void)
{
	struct timespec now, up;

	clock_gettime(CLOCK_REALTIME, &now);
#ifdef CLOCK_BOOTTIME
	clock_gettime(CLOCK_BOOTTIME, &up);
#else
	clock_gettime(CLOCK_MONOTONIC, &up);
#endif
	return (int64_t)now.tv_sec - (int64_t)up.tv_sec;
}

static bool is_restarted(const struct fts_stamp *left)
{
	const int64_t late = boot_time() - left->boot;

	return late < -BOOT_SLACK || late > BOOT_SLACK;
}

/* Return true if ST is the stat in STAMP. */
static bool is_same(const struct fts_stamp *stamp, const struct stat *st)
{
	const struct filestat now = filestat_of(st);

	return filestat_same(&now, &stamp->st);
}

enum fts_file_state fts_file_check(const struct fts_file *f,
				   const struct fts_stamp *left, bool glance,
				   uint64_t *total)
{
	const bool stamped = left->st.ino != 0;
	const bool restarted = stamped && is_restarted(left);
	struct stat st;

	*total = left->total;
	if (!stat_database(f, &st))
		return FTS_FILE_ABSENT;
	if (stamped && !restarted && (glance || is_same(left, &st)))
		return FTS_FILE_AS_LEFT;
	if (!check_pages(f, total))
		return stamped ? FTS_FILE_DAMAGED : FTS_FILE_ABSENT;
	return restarted && *total != left->total ? FTS_FILE_ABSENT
						  : FTS_FILE_SOUND;
}

int fts_file_stamp(const struct fts_file *f, uint64_t total,
		   struct fts_stamp *stamp)
{
	struct stat st;

	if (!stat_database(f, &st))
		return -1;
	*stamp = (struct fts_stamp){filestat_of(&st), boot_time(), total};
	return 0;
}

bool fts_file_is_same(const struct fts_file *f, const struct fts_stamp *stamp)
{
	struct stat st;

	return stat_database(f, &st) && is_same(stamp, &st) &&
	       !is_restarted(stamp);
}

/* Make an empty file for a new database. */
static int make_empty(const struct fts_file *f, struct err *e)
{
	int fd;

	remove_file(f, NEW);
	remove_file(f, NEW_JOURNAL);
	fd = file_open(f->dir, name_of(f, NEW).text,
		       O_WRONLY | O_CREAT | O_EXCL, 0600);
	if (fd < 0)
		return err_sys(e, "cannot make '%s/%s'", f->folder,
			       name_of(f, NEW).text);
	close(fd);
	return 0;
}

static int fill_new(const struct fts_file *f, fts_file_fn *fill, void *ctx,
		    struct err *e)
{
	struct fts *db;
	int r;

	if (open_file(f, NEW, FTS_MAKE, &db, e) < 0)
		return -1;
	r = fill(ctx, db, e);
	fts_close(db);
	return r;
}

/* Put the new database in place of the old one. */
static int rename_new(const struct fts_file *f, struct err *e)
{
	const struct name to = name_of(f, DATABASE);

	/* The old journal must never be applied to the new file. */
	remove_file(f, JOURNAL);
	if (renameat(f->dir, name_of(f, NEW).text, f->dir, to.text) < 0)
		return err_sys(e, "cannot make '%s/%s'", f->folder, to.text);
	return 0;
}

int fts_file_make(const struct fts_file *f, fts_file_fn *fill, void *ctx,
		  struct fts_stamp *stamp, struct err *e)
{
	uint64_t total;

	*stamp = (struct fts_stamp){.boot = 0};
	if (make_empty(f, e) < 0)
		return -1;
	if (fill_new(f, fill, ctx, e) < 0 || rename_new(f, e) < 0) {
		remove_file(f, NEW);
		return -1;
	}
	if (check_pages(f, &total))
		fts_file_stamp(f, total, stamp);
	return 0;
}

void fts_file_remove(const struct fts_file *f)
{
	remove_file(f, DATABASE);
}

uint64_t fts_file_size(const struct fts_file *f)
{
	struct stat st;

	return stat_database(f, &st) ? (uint64_t)st.st_size : 0;
}
