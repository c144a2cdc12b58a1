/* body.c: git merge-file works on files, so the three texts become some, in a
 * folder for temporary files.  It is asked for conflicts with what both sides
 * came from, and for markers longer than any in the texts; each conflict is
 * then settled as a set of bullets, or printed as git does by default.
 *
 * A bullet of several lines is one line to git, so that no half of it is merged
 * with the half of another: the lines are joined by a byte that the texts have
 * not.
 */
#include "merge/body.h"

#include "merge/bullets.h"
#include "merge/order.h"
#include "sys/file.h"
#include "sys/git.h"
#include "sys/io.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MARKER_LEAST 16 /* bytes: more than people write */
#define JOINT '\1'

static const char *const names[] = {"ours", "base", "theirs"};

/* The bytes of the longest line of one of the marks that TEXT has. */
static size_t longest_mark(struct merge_text text)
{
	size_t longest = 0;

	for (size_t at = 0; at < text.len;) {
		const size_t start = at;

		while (at < text.len && text.p[at] == text.p[start])
			at++;
		if (strchr("<|=>", text.p[start]) && at - start > longest)
			longest = at - start;
	}
	return longest;
}

static size_t max(size_t a, size_t b)
{
	return a > b ? a : b;
}

static int make_folder(struct buf *path, struct err *e)
{
	const char *temp = getenv("TMPDIR");

	buf_addf(path, "%s/co-merge-XXXXXX",
		 temp && *temp == '/' ? temp : "/tmp");
	if (!mkdtemp(path->p))
		return err_sys(e, "cannot make a folder '%s'", path->p);
	return 0;
}

static int write_text(int dir, const char *name, struct merge_text text,
		      struct err *e)
{
	const int fd = file_open(dir, name, O_WRONLY | O_CREAT | O_EXCL, 0600);
	int r = fd < 0 ? -1 : io_write(fd, text.p, text.len);

	if (fd >= 0 && close(fd) < 0)
		r = -1;
	return r < 0 ? err_sys(e, "cannot write '%s'", name) : 0;
}

/* Have git merge the files of the folder DIR, with markers of SIZE bytes. */
static int run_git(const char *dir, size_t size, struct buf *out, struct err *e)
{
	struct buf marker = {0};
	const char *words[] = {"merge-file", "-p", "--diff3", "-L",
			       names[0],     "-L", names[1],  "-L",
			       names[2],     NULL, names[0],  names[1],
			       names[2],     NULL};
	int r;

	buf_addf(&marker, "--marker-size=%zu", size);
	words[9] = marker.p;
	r = git_run(dir, words, "", 0, out, e);
	buf_release(&marker);
	return r < 0 ? -1 : 0;
}

/* The same, of the three TEXTS in the order of the names. */
static int merge_files(const struct merge_text *texts, size_t size,
		       struct buf *out, struct err *e)
{
	struct buf dir = {0};
	int fd, r;

	if (make_folder(&dir, e) < 0)
		return buf_release(&dir), -1;
	r = file_open_dir(AT_FDCWD, dir.p, dir.p, &fd, e) > 0 ? 0 : -1;
	for (size_t i = 0; i < ARRAY_LEN(names) && !r; i++)
		r = write_text(fd, names[i], texts[i], e);
	if (!r)
		r = run_git(dir.p, size, out, e);
	if (fd >= 0) {
		for (size_t i = 0; i < ARRAY_LEN(names); i++)
			unlinkat(fd, names[i], 0);
		close(fd);
	}
	rmdir(dir.p);
	buf_release(&dir);
	return r;
}

/* A walk through what git has printed. */
struct walk {
	struct merge_text text;
	size_t at, size; /* of markers */
};

/* Take the lines up to the next one that is a marker of C, and that as well;
 * what stands before it is TAKEN.  False where there is none: all is taken. */
static bool take_to(struct walk *w, char c, struct merge_text *taken)
{
	const size_t start = w->at;

	taken->p = w->text.p + start;
	while (w->at < w->text.len) {
		const char *p = w->text.p + w->at;
		const size_t left = w->text.len - w->at;
		const char *end = memchr(p, '\n', left);
		const size_t len = end ? (size_t)(end - p) + 1 : left;
		size_t n = 0;

		taken->len = w->at - start;
		w->at += len;
		while (n < len && p[n] == c)
			n++;
		if (n == w->size)
			return true;
	}
	taken->len = w->text.len - start;
	return false;
}

static size_t line_len(const char *p, size_t len)
{
	const char *end = memchr(p, '\n', len);

	return end ? (size_t)(end - p) + 1 : len;
}

/* Take a first line that both have off them. */
static bool take_same_line(struct merge_text *a, struct merge_text *b,
			   struct buf *out)
{
	const size_t len = line_len(a->p, a->len);

	if (!len || len != line_len(b->p, b->len) ||
	    memcmp(a->p, b->p, len) != 0)
		return false;
	buf_add(out, a->p, len);
	*a = (struct merge_text){a->p + len, a->len - len};
	*b = (struct merge_text){b->p + len, b->len - len};
	return true;
}

/* The bytes of the last lines that both have. */
static size_t same_end(struct merge_text a, struct merge_text b)
{
	size_t n = 0, whole = 0;

	while (n < a.len && n < b.len &&
	       a.p[a.len - n - 1] == b.p[b.len - n - 1]) {
		if (n && a.p[a.len - n - 1] == '\n')
			whole = n;
		n++;
	}
	if ((n == a.len || a.p[a.len - n - 1] == '\n') &&
	    (n == b.len || b.p[b.len - n - 1] == '\n'))
		whole = n;
	return whole;
}

static void add_side(struct buf *out, struct merge_text side)
{
	buf_add(out, side.p, side.len);
	if (side.len && side.p[side.len - 1] != '\n')
		buf_addc(out, '\n');
}

void body_both(struct merge_text ours, struct merge_text theirs,
	       struct buf *out)
{
	/* The header before it may have had no end of line. */
	if (out->len && out->p[out->len - 1] != '\n')
		buf_addc(out, '\n');
	buf_adds(out, "<<<<<<< ours\n");
	add_side(out, ours);
	buf_adds(out, "=======\n");
	add_side(out, theirs);
	buf_adds(out, ">>>>>>> theirs\n");
}

/* Print a conflict, without the lines at its ends that both sides have; true if
 * it could be settled. */
static bool add_conflict(struct buf *out, struct merge_text base,
			 struct merge_text ours, struct merge_text theirs)
{
	const struct merge_text rest = ours;
	bool settled = bullets_merge(base, ours, theirs, out);
	size_t end;

	if (settled)
		return true;
	while (take_same_line(&ours, &theirs, out))
		;
	end = same_end(ours, theirs);
	ours.len -= end;
	theirs.len -= end;
	settled = !base.len && bullets_merge(base, ours, theirs, out);
	if (!settled)
		body_both(ours, theirs, out);
	buf_add(out, rest.p + rest.len - end, end);
	return settled;
}

/* Append what git has printed, each conflict settled where that can be: 1 where
 * one is left, else 0. */
static int settle(struct walk *w, struct buf *out)
{
	struct merge_text plain, ours, base, theirs;
	int r = 0;

	while (take_to(w, '<', &plain)) {
		buf_add(out, plain.p, plain.len);
		take_to(w, '|', &ours);
		take_to(w, '=', &base);
		take_to(w, '>', &theirs);
		if (!add_conflict(out, base, ours, theirs))
			r = 1;
	}
	buf_add(out, plain.p, plain.len);
	return r;
}

static bool has_joint(struct merge_text text)
{
	return text.len && memchr(text.p, JOINT, text.len);
}

/* Append TEXT with the lines of each bullet joined. */
static void join(struct buf *out, struct merge_text text)
{
	bool bullet = false;

	for (size_t at = 0; at < text.len;) {
		const char *p = text.p + at;
		const size_t len = line_len(p, text.len - at);

		if (!bullets_continues(p, len))
			bullet = bullets_begins(p, len);
		else if (bullet)
			out->p[out->len - 1] = JOINT;
		buf_add(out, p, len);
		at += len;
	}
}

/* Part the lines of TEXT from START on again. */
static void part(struct buf *text, size_t start)
{
	for (size_t i = start; i < text->len; i++) {
		if (text->p[i] == JOINT)
			text->p[i] = '\n';
	}
}

/* Merge TEXTS, in the order of the names. */
static int merge_lines(const struct merge_text *texts, struct buf *out,
		       struct err *e)
{
	const size_t mark =
		max(longest_mark(texts[0]),
		    max(longest_mark(texts[1]), longest_mark(texts[2])));
	const size_t size = max(MARKER_LEAST, mark + 1);
	struct buf merged = {0};
	int r = merge_files(texts, size, &merged, e);

	if (!r) {
		struct walk w = {{buf_str(&merged), merged.len}, 0, size};

		r = settle(&w, out);
	}
	buf_release(&merged);
	return r;
}

/* The same, with the lines of each bullet joined. */
static int merge_joined(struct merge_text *texts, struct buf *out,
			struct err *e)
{
	struct buf joined[ARRAY_LEN(names)] = {{0}};
	const size_t start = out->len;
	int r;

	for (size_t i = 0; i < ARRAY_LEN(joined); i++) {
		join(&joined[i], texts[i]);
		texts[i] =
			(struct merge_text){buf_str(&joined[i]), joined[i].len};
	}
	r = merge_lines(texts, out, e);
	part(out, start);
	for (size_t i = 0; i < ARRAY_LEN(joined); i++)
		buf_release(&joined[i]);
	return r;
}

int body_merge(struct merge_text base, struct merge_text ours,
	       struct merge_text theirs, struct buf *out, struct err *e)
{
	struct merge_text texts[] = {ours, base, theirs};
	const size_t start = out->len;
	struct merge_text one;
	bool settled;
	int r;

	if (version_same(ours, theirs) || version_same(base, theirs)) {
		buf_add(out, ours.p, ours.len);
		return 0;
	}
	if (version_same(base, ours)) {
		buf_add(out, theirs.p, theirs.len);
		return 0;
	}
	settled = order_settle(base, ours, theirs, &one);
	if (settled && order_same(ours, theirs) && !order_same(base, ours)) {
		buf_add(out, one.p, one.len);
		return 0;
	}
	if (has_joint(ours) || has_joint(base) || has_joint(theirs))
		r = merge_lines(texts, out, e);
	else
		r = merge_joined(texts, out, e);
	if (r == 1 && settled) {
		buf_cut(out, start);
		buf_add(out, one.p, one.len);
		r = 0;
	}
	return r;
}
