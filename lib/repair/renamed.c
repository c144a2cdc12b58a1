/* renamed.c: the commit that removed a file is compared with its parent as a whole: with
 * the path of the file as a limit, git would see no rename.
 */
#include "repair/renamed.h"

#include "sys/git.h"

#define CHAIN_MAX 10 /* renames of one file */

/* Without git, or without a commit, nothing is known. */
#define GIT_SAYS(dir, out, ...) (GIT_ASK(dir, out, NULL, __VA_ARGS__) == 0)

/* Return BEFORE and the first line of B, allocated in A, or NULL if that line is
 * empty. */
static const char *only_line(const struct buf *b, const char *before,
			     struct arena *a)
{
	const char *text = buf_str(b);
	const size_t len = strcspn(text, "\n");

	return len ? arena_printf(a, "%s%.*s", before, (int)len, text) : NULL;
}

/* Return what PATH became by the RENAMES, as git prints them with --name-status -z, or
 * NULL. Allocated in A. */
static const char *find_rename(const struct buf *renames, const char *path,
			       struct arena *a)
{
	const char *p = buf_str(renames), *const end = p + renames->len;

	while (p < end) {
		const char *from = p + strlen(p) + 1;
		const char *to = from < end ? from + strlen(from) + 1 : end;

		if (to >= end)
			return NULL;
		if (*p == 'R' && !strcmp(from, path))
			return arena_strdup(a, to);
		p = to + strlen(to) + 1;
	}
	return NULL;
}

static void read_repository(struct renamed *r, const char *dir)
{
	struct buf out = {0};

	if (r->begun)
		return;
	r->begun = true;
	if (GIT_SAYS(dir, &out, "rev-list", "-n", "1",
		     "--skip=" RENAMED_COMMITS, "HEAD"))
		r->oldest = only_line(&out, "^", &r->arena);
	if (!GIT_SAYS(dir, &r->staged, "diff-index", "--cached", "-M", "-l400",
		      "-z", "--name-status", "--diff-filter=R", "--relative",
		      "HEAD"))
		buf_cut(&r->staged, 0);
	buf_release(&out);
}

static const char *ask_git(struct renamed *r, const char *path)
{
	char *dir = root_folder(&r->store->repo.root);
	const char *commit = NULL, *to;
	struct buf out = {0};

	read_repository(r, dir);
	to = find_rename(&r->staged, path, &r->arena);
	if (!to && GIT_SAYS(dir, &out, "--literal-pathspecs", "log", "-n", "1",
			    "--format=%H", "--diff-filter=D", "--no-renames",
			    "HEAD", r->oldest ? r->oldest : "HEAD", "--", path))
		commit = only_line(&out, "", &r->arena);
	if (commit && GIT_SAYS(dir, &out, "diff-tree", "-r", "-M", "-l400",
			       "-z", "--no-commit-id", "--name-status",
			       "--diff-filter=R", "--relative", commit))
		to = find_rename(&out, path, &r->arena);
	buf_release(&out);
	free(dir);
	return to;
}

static const char *find_path(struct renamed *r, const char *path)
{
	struct renamed_file *file = r->files;

	while (file < r->files + r->n && strcmp(file->path, path) != 0)
		file++;
	if (file == r->files + RENAMED_FILES)
		return NULL;
	if (file == r->files + r->n) {
		r->n++;
		*file = (struct renamed_file){arena_strdup(&r->arena, path),
					      ask_git(r, path)};
	}
	return file->to;
}

/* Return true if a memory may cite C: its path is one of a citation. */
static bool is_citation(const struct citation *c, struct arena *a)
{
	struct buf text = {0};
	struct citation same;
	struct err e;
	bool is;

	citation_add(&text, c);
	is = citation_parse(&same, buf_str(&text), text.len, a, &e) == 0 &&
	     !same.url && !same.commit && !strcmp(same.path, c->path) &&
	     same.first == c->first;
	buf_release(&text);
	return is;
}

enum evidence_state renamed_find(struct renamed *r, struct evidence *ev,
				 const struct citation *c, struct citation *to)
{
	enum evidence_state state = EVIDENCE_GONE;
	size_t first;

	*to = *c;
	for (int i = 0; i < CHAIN_MAX && state == EVIDENCE_GONE && !c->url;
	     i++) {
		to->path = find_path(r, to->path);
		if (!to->path || !is_citation(to, &r->arena))
			return EVIDENCE_GONE;
		state = evidence_check(ev, to, &first);
	}
	if (state == EVIDENCE_MOVED) {
		to->last += first - to->first;
		to->first = first;
	}
	return state;
}

void renamed_release(struct renamed *r)
{
	buf_release(&r->staged);
	arena_release(&r->arena);
}
