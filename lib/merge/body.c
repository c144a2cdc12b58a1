/* body.c: git merge-file works on files, so the three texts are written to a
 * temporary directory. Git is asked to include the base in conflicts, and to
 * use markers longer than any in the texts. Each conflict is then merged as a
 * set of bullets, or printed in git's default form.
 *
 * A bullet of several lines is joined to one line for git, so that parts of two
 * bullets are never mixed. The joining byte must not occur in the texts.
 */
#include "merge/body.h"

#include "base/ascii.h"
#include "merge/bullets.h"
#include "merge/order.h"
#include "sys/file.h"
#include "sys/folder.h"
#include "sys/git.h"
#include "sys/io.h"

#include <fcntl.h>
#include <unistd.h>

#define MARKER_LEAST 16 /* bytes; longer than people write */
#define JOINT '\1'

static const char *const names[] = {"ours", "base", "theirs"};

/* Return the length of the longest run of one marker character in TEXT. */
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

static size_t max_size(size_t a, size_t b)
{
	return a > b ? a : b;
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

/* Let git merge the files in the directory DIR, with markers of SIZE bytes. */
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

/* Write the three TEXTS, in the order of NAMES, to a temporary directory, and
 * let git merge them. */
static int merge_files(const struct merge_text *texts, size_t size,
		       struct buf *out, struct err *e)
{
	struct folder_temp dir;
	int r = folder_temp_make(&dir, "co-merge-", 1, e);

	if (r < 0)
		return -1;
	for (size_t i = 0; i < ARRAY_LEN(names) && !r; i++)
		r = write_text(dir.fd, names[i], texts[i], e);
	if (!r)
		r = run_git(dir.path, size, out, e);
	folder_temp_remove(&dir);
	return r;
}

/* A position in the output of git. */
struct output {
	struct merge_text text;
	size_t at, size; /* SIZE: bytes of a marker */
	enum merge_favour favour;
};

/* Move W past the next line that is a marker of the character C. Sets TAKEN to
 * the lines before it. Returns false if there is none; TAKEN then is the
 * rest. */
static bool read_to_marker(struct output *w, char c, struct merge_text *taken)
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

/* Append the first line to OUT and remove it from A and B, if it is equal in
 * both. */
static bool move_equal_line(struct merge_text *a, struct merge_text *b,
			    struct buf *out)
{
	const size_t len = ascii_line(a->p, a->len);

	if (!len || len != ascii_line(b->p, b->len) ||
	    memcmp(a->p, b->p, len) != 0)
		return false;
	buf_add(out, a->p, len);
	*a = (struct merge_text){a->p + len, a->len - len};
	*b = (struct merge_text){b->p + len, b->len - len};
	return true;
}

/* Return the number of bytes of equal lines at the end of A and B. */
static size_t equal_end(struct merge_text a, struct merge_text b)
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
	/* The header before it may lack a line end. */
	if (out->len && out->p[out->len - 1] != '\n')
		buf_addc(out, '\n');
	buf_adds(out, "<<<<<<< ours\n");
	add_side(out, ours);
	buf_adds(out, "=======\n");
	add_side(out, theirs);
	buf_adds(out, ">>>>>>> theirs\n");
}

/* Append a conflict without its equal first and last lines, or the lines of the
 * side FAVOUR. Returns true if it could be merged as bullets. */
static bool add_conflict(struct buf *out, struct merge_text base,
			 struct merge_text ours, struct merge_text theirs,
			 enum merge_favour favour)
{
	const struct merge_text rest = ours;
	bool settled = bullets_merge(base, ours, theirs, out);
	size_t end;

	if (settled)
		return true;
	while (move_equal_line(&ours, &theirs, out))
		;
	end = equal_end(ours, theirs);
	ours.len -= end;
	theirs.len -= end;
	settled = !base.len && bullets_merge(base, ours, theirs, out);
	if (!settled && favour == MERGE_MARK)
		body_both(ours, theirs, out);
	else if (!settled)
		add_side(out, favour == MERGE_OURS ? ours : theirs);
	buf_add(out, rest.p + rest.len - end, end);
	return settled;
}

/* Append the output of git, merging conflicts if possible. Returns 1 if a
 * conflict is left, else 0. */
static int print_merged(struct output *w, struct buf *out)
{
	struct merge_text plain, ours, base, theirs;
	int r = 0;

	while (read_to_marker(w, '<', &plain)) {
		buf_add(out, plain.p, plain.len);
		read_to_marker(w, '|', &ours);
		read_to_marker(w, '=', &base);
		read_to_marker(w, '>', &theirs);
		if (!add_conflict(out, base, ours, theirs, w->favour))
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
static void join_bullets(struct buf *out, struct merge_text text)
{
	bool bullet = false;

	for (size_t at = 0; at < text.len;) {
		const char *p = text.p + at;
		const size_t len = ascii_line(p, text.len - at);

		if (!bullets_continues(p, len))
			bullet = bullets_begins(p, len);
		else if (bullet)
			out->p[out->len - 1] = JOINT;
		buf_add(out, p, len);
		at += len;
	}
}

/* Split the joined lines of TEXT from offset START on. */
static void split_bullets(struct buf *text, size_t start)
{
	for (size_t i = start; i < text->len; i++) {
		if (text->p[i] == JOINT)
			text->p[i] = '\n';
	}
}

/* Merge TEXTS, in the order of NAMES. Returns 0, 1 if there were conflicts, or
 * -1. */
static int merge_lines(const struct merge_text *texts, enum merge_favour favour,
		       struct buf *out, struct err *e)
{
	const size_t mark = max_size(
		longest_mark(texts[0]),
		max_size(longest_mark(texts[1]), longest_mark(texts[2])));
	const size_t size = max_size(MARKER_LEAST, mark + 1);
	struct buf merged = {0};
	int r = merge_files(texts, size, &merged, e);

	if (!r) {
		struct output w = {
			{buf_str(&merged), merged.len}, 0, size, favour};

		r = print_merged(&w, out);
	}
	buf_release(&merged);
	return r;
}

/* Merge TEXTS with the lines of each bullet joined. Changes TEXTS. */
static int merge_joined(struct merge_text *texts, enum merge_favour favour,
			struct buf *out, struct err *e)
{
	struct buf joined[ARRAY_LEN(names)] = {{0}};
	const size_t start = out->len;
	int r;

	for (size_t i = 0; i < ARRAY_LEN(joined); i++) {
		join_bullets(&joined[i], texts[i]);
		texts[i] =
			(struct merge_text){buf_str(&joined[i]), joined[i].len};
	}
	r = merge_lines(texts, favour, out, e);
	split_bullets(out, start);
	for (size_t i = 0; i < ARRAY_LEN(joined); i++)
		buf_release(&joined[i]);
	return r;
}

int body_merge(struct merge_text base, struct merge_text ours,
	       struct merge_text theirs, enum merge_favour favour,
	       struct buf *out, struct err *e)
{
	const struct merge_text *whole =
		merge_version_whole(&base, &ours, &theirs);
	struct merge_text texts[] = {ours, base, theirs};
	const size_t start = out->len;
	struct merge_text one;
	bool settled;
	int r;

	if (whole) {
		buf_add(out, whole->p, whole->len);
		return 0;
	}
	settled = order_pick(base, ours, theirs, &one);
	if (settled && order_same(ours, theirs) && !order_same(base, ours)) {
		buf_add(out, one.p, one.len);
		return 0;
	}
	if (has_joint(ours) || has_joint(base) || has_joint(theirs))
		r = merge_lines(texts, favour, out, e);
	else
		r = merge_joined(texts, favour, out, e);
	if (r == 1 && settled) {
		buf_cut(out, start);
		buf_add(out, one.p, one.len);
		r = 0;
	}
	return r == 1 && favour != MERGE_MARK ? 0 : r;
}
