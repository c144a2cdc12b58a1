/* store.c: test what no program reaches directly: restoring a whole removal,
 * replacing a text, finding an equal memory, hiding a root from git, drawing
 * ids. */
#include "../expect.h"
#include "store/duplicates.h"
#include "store/ids.h"
#include "store/save.h"
#include "store/trash.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static struct store store;
static struct arena arena;
static struct err e;

static const char *save(const char *content, bool draft)
{
	struct store_new n = {.content = content, .draft = draft};
	struct record r;

	n.len = strlen(content);
	if (save_memory(&store, &n, &arena, &r, &e) == 0)
		return r.path;
	unit_stop("save", e.text);
}

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	expect(f && fputs(text, f) >= 0 && fclose(f) == 0, path);
}

static void expect_file(const char *path, const char *want)
{
	struct buf text = {0};

	if (file_read_path(path, 1 << 20, &text, &e) != 1)
		buf_adds(&text, e.text);
	expect_buf(&text, path, want);
	buf_release(&text);
}

static bool exists(const char *path)
{
	return access(path, F_OK) == 0;
}

static int undo(struct results *back)
{
	results_release(back);
	return trash_undo(&store, back, NULL, &e);
}

static void test_undo(void)
{
	const char *one = save("one", false), *two = save("two", false);
	const char *three = save("three", true);
	const char *both[] = {two, three}, *moved[2];
	struct results back = {0};

	expect(undo(&back) == 0, "an empty trash");
	expect(trash_remove(&store, &one, 1, false, &arena, NULL, &e) == 0,
	       "one is removed");
	expect(trash_remove(&store, both, 2, false, &arena, moved, &e) == 0,
	       "two are removed");
	expect(exists(moved[0]) && exists(moved[1]), "both are in the trash");

	expect(undo(&back) == 1 && back.n == 2,
	       "the newest removal is restored completely");
	expect(exists(two) && exists(three) && !exists(one),
	       "no other removal is restored");
	expect(undo(&back) == 1 && back.n == 1 && back.items[0].id == 1,
	       "the next undo restores the removal before");
	expect(exists(one), "the file is at its old path");
	expect(undo(&back) == 0, "no removal is left");
	expect(!exists(".co-cli/knowledge/trash/20260209T143000Z-1"),
	       "no directory is left in the trash");
	results_release(&back);
}

static void test_undo_taken(void)
{
	const char *paths[] = {save("one", false), save("two", false),
			       ".co-cli/knowledge/memories/broken.md"};
	struct results back = {0};

	paths[2] =
		arena_printf(&arena, "%s/memories/broken.md", store.repo.path);
	write_file(paths[2], "no frontmatter\n");
	mkdir(".co-cli/knowledge/trash", 0777);
	mkdir(".co-cli/knowledge/trash/20990101T000000Z-7", 0777);
	expect(trash_remove(&store, paths, 3, false, &arena, NULL, &e) == 0,
	       "removed");
	write_file(paths[0], "---\nid: 2\ncreated: 2026-01-01T00:00:00Z\n"
			     "---\nother\n");
	expect(undo(&back) == 1 && back.n == 3,
	       "all are restored, despite an empty directory");
	expect(back.items[0].id == 1 && back.items[1].id == 3 &&
		       back.items[2].id == 0,
	       "each gets a free id");
	expect(exists(".co-cli/knowledge/memories/001-one-2.md") &&
		       exists(".co-cli/knowledge/memories/003-two.md"),
	       "each gets a free name");
	expect_file(paths[2], "no frontmatter\n");
	results_release(&back);
}

static int replace(const char *path, const char *was, size_t was_len,
		   const char *text, size_t len)
{
	const struct buf before = {.p = (char *)was, .len = was_len},
			 after = {.p = (char *)text, .len = len};

	return save_edit(&store,
			 &(struct save_edit){
				 .path = path, .was = &before, .text = &after},
			 NULL, NULL, &e);
}

static void test_replace(void)
{
	static const char was[] = "---\nid: 1\ncreated: 2026-02-09T14:30:00Z\n"
				  "tags: []\nsource: user-told\n---\n\none\n";
	static const char good[] =
		"---\nid: 1\ncreated: 2026-02-09T14:30:00Z\n---\nnew\n";
	static const char other[] =
		"---\nid: 2\ncreated: 2026-02-09T14:30:00Z\n---\nnew\n";
	const char *path = save("one", false);
	struct stat st;

	chmod(path, 0640);
	expect(replace(path, was, strlen(was) - 1, good, strlen(good)) < 0 &&
		       e.code == ERR_BUSY,
	       "a changed file is not replaced");
	expect(replace(path, was, strlen(was), other, strlen(other)) < 0 &&
		       e.code == ERR_DATA,
	       "another id is refused");
	expect(replace(path, was, strlen(was), "no", 2) < 0 &&
		       e.code == ERR_DATA,
	       "an invalid memory is refused");
	expect(replace(path, was, strlen(was), "a\0b", 3) < 0 &&
		       e.code == ERR_DATA,
	       "a NUL is refused");
	expect_file(path, was);
	expect(replace(path, was, strlen(was), good, strlen(good)) == 1,
	       "a valid text is accepted");
	expect_file(path, good);
	expect(stat(path, &st) == 0 && (st.st_mode & 07777) == 0640,
	       "the mode stays");
	expect(replace("/etc/passwd", was, strlen(was), good, strlen(good)) <
			       0 &&
		       e.code == ERR_USAGE,
	       "paths outside are refused");
}

static void test_equal(void)
{
	struct record r;

	expect(duplicates_find_exact(&store, AREA_MEMORIES, "x", 1, &arena, &r,
				     &e) == 0,
	       "an empty store has no equal memory");
	save("one", false);
	save("two\n\nlines", false);
	save("two\n\nlines", false);
	expect(duplicates_find_exact(&store, AREA_MEMORIES, "\n two\n\nlines ",
				     13, &arena, &r, &e) == 1 &&
		       r.id == 2,
	       "the first equal memory is found without regard to blanks");
	expect(duplicates_find_exact(&store, AREA_MEMORIES, "on", 2, &arena, &r,
				     &e) == 0,
	       "a part is not equal");
}

static void test_exclude(void)
{
	struct root r;
	bool made;

	expect(root_find(&r, SCOPE_PROJECT, &e) == 0 && r.fd < 0 &&
		       root_make(&r, &made, &e) == 0 && made,
	       "a root is made");
	expect(!root_seen_by_git(&r) && root_exclude(&r, &e) < 0 &&
		       e.code == ERR_USAGE,
	       "outside of git there is nothing to exclude it from");
	mkdir(".git", 0777);
	expect(root_seen_by_git(&r) && root_exclude(&r, &e) == 0, "excluded");
	expect_file(".git/info/exclude", "/.co-cli/\n");
	expect(root_exclude(&r, &e) == 0, "twice");
	expect_file(".git/info/exclude", "/.co-cli/\n");
	root_release(&r);

	mkdir("a*b", 0777);
	write_file(".git/info/exclude", "*.o");
	expect(chdir("a*b") == 0, "chdir");
	mkdir(".co-cli", 0777);
	expect(root_find(&r, SCOPE_PROJECT, &e) == 0 && r.fd >= 0, "found");
	expect(root_exclude(&r, &e) == 0,
	       "a root in a subdirectory is excluded");
	expect_file("../.git/info/exclude", "*.o\n/a\\*b/.co-cli/\n");
	root_release(&r);

	mkdir("../tree", 0777);
	mkdir("../.git/worktrees", 0777);
	mkdir("../.git/worktrees/w", 0777);
	write_file("../.git/worktrees/w/commondir", "../..\n");
	write_file("../tree/.git", "gitdir: ../.git/worktrees/w\n");
	expect(chdir("../tree") == 0, "chdir");
	mkdir(".co-cli", 0777);
	expect(root_find(&r, SCOPE_PROJECT, &e) == 0 && r.fd >= 0 &&
		       root_exclude(&r, &e) < 0 && e.code == ERR_DATA,
	       "a directory that is not git's is not changed");
	root_release(&r);
	rmdir(".co-cli");
	write_file("../.git/HEAD", "ref: refs/heads/main\n");
	mkdir("../.git/objects", 0777);
	mkdir("../.git/refs", 0777);
	write_file("../.git/worktrees/w/HEAD", "ref: refs/heads/w\n");
	write_file("../.git/worktrees/w/gitdir", "../../../tree/.git\n");
	expect(root_find(&r, SCOPE_PROJECT, &e) == 0 &&
		       root_exclude(&r, &e) < 0 && e.code == ERR_USAGE,
	       "the private root is in the main work tree");
	root_release(&r);
	mkdir(".co-cli", 0777);
	expect(root_find(&r, SCOPE_PROJECT, &e) == 0 && r.fd >= 0 &&
		       root_exclude(&r, &e) == 0,
	       "a root in a linked work tree is excluded");
	expect_file("../.git/info/exclude",
		    "*.o\n/a\\*b/.co-cli/\n/.co-cli/\n");
	root_release(&r);
}

static void test_file(void)
{
	struct buf text = {0};
	int fd, dir = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	expect(file_create(dir, "a", "a", 0600, "12345", 5, &e) == 1, "made");
	expect(file_create(dir, "a", "a", 0600, "x", 1, &e) == 0, "taken");
	expect_file("a", "12345");
	expect(file_read(dir, "a", "a", 5, &text, &e) == 1 && text.len == 5,
	       "the limit may be reached");
	expect(file_read(dir, "a", "a", 4, &text, &e) < 0 && e.code == ERR_DATA,
	       "a file above the limit is refused");
	expect(file_read(dir, "b", "b", 4, &text, &e) == 0, "absent");
	expect(symlink("a", "l") == 0 &&
		       file_read(dir, "l", "l", 9, &text, &e) < 0 &&
		       !strcmp(e.text, "refusing 'l': it is a link"),
	       "a link is refused");
	expect(file_replace(dir, "l", "l", "x", 1, &e) < 0,
	       "a link is not replaced");
	expect(mkfifo("f", 0600) == 0 &&
		       file_read(dir, "f", "f", 9, &text, &e) < 0 &&
		       !strcmp(e.text, "refusing 'f': it is not a regular "
				       "file"),
	       "a FIFO is refused");
	expect(file_read(dir, ".", "d", 9, &text, &e) < 0,
	       "a directory is refused");
	expect(file_open_dir(dir, "a", "a", &fd, &e) < 0 && e.code == ERR_DATA,
	       "a file is not a directory");
	expect(file_rename(dir, "a", dir, "f", "a", &e) == 0,
	       "a rename replaces no file");
	expect(file_rename(dir, "a", dir, "c", "a", &e) == 1, "moved");
	expect(file_read_path("l", 9, &text, &e) < 0, "a dangling link");
	expect(unlink("l") == 0 && symlink("c", "l") == 0 &&
		       file_read_path("l", 9, &text, &e) == 1,
	       "a person may use links");
	expect(file_remove(dir, "c", "c", &e) == 0 &&
		       file_remove(dir, "c", "c", &e) < 0,
	       "removed once");
	buf_release(&text);
	close(dir);
}

/* Return the id drawn for the name "x". The numbers are always tried in the
 * same order. */
static int64_t draw_id(void)
{
	int64_t id = 0;

	ids_drop(&store);
	expect(ids_draw(&store, "x", &id, &e) == 0, "an id is drawn");
	return id;
}

static void test_draw(void)
{
	static const char *const folders[] = {"memories",
					      "memories/11",
					      "drafts",
					      "archive",
					      "trash/20260101T000000Z-1",
					      "trash/purged"};
	const char *paths[ARRAY_LEN(folders)];
	int64_t drawn[ARRAY_LEN(folders) + 1];
	size_t n;

	save("one", false);
	save("two", true);
	for (n = 0; n < ARRAY_LEN(folders); n++) {
		const bool purged = !strcmp(folders[n], "trash/purged");
		const char *folder = arena_printf(&arena, "%s/%s",
						  store.repo.path, folders[n]);

		drawn[n] = draw_id();
		expect(drawn[n] >= 100000 && drawn[n] <= 999999,
		       "an id has six digits");
		/* All these files except the marker have another number in
		 * their names. */
		paths[n] = arena_printf(&arena, purged ? "%s/%lld" : "%s/m.md",
					folder, (long long)drawn[n]);
		mkdir(arena_printf(&arena, "%s/trash", store.repo.path), 0777);
		mkdir(folder, 0777);
		write_file(
			paths[n],
			purged ? ""
			       : arena_printf(&arena,
					      "---\nid: %lld\ncreated: "
					      "2026-01-01T00:00:00Z\n---\nx\n",
					      (long long)drawn[n]));
	}
	drawn[n] = draw_id();
	for (size_t i = 0; i <= n; i++) {
		for (size_t k = 0; k < i; k++)
			expect(drawn[k] != drawn[i], folders[k]);
	}
	/* An id is free again once its file is gone. */
	while (n-- > 0) {
		expect(unlink(paths[n]) == 0, paths[n]);
		expect(draw_id() == drawn[n], folders[n]);
	}
}

static void begin(void)
{
	unit_enter_home();
	if (store_open(&store, SCOPE_PROJECT, NULL, &e) < 0)
		unit_stop("no store", e.text);
}

static void end(void)
{
	store_close(&store);
	arena_release(&arena);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{"undo restores the newest removal completely, with drafts",
		 test_undo},
		{"undo gives free ids and names if the old ones are taken",
		 test_undo_taken},
		{"a text is replaced only if unchanged, by a valid one",
		 test_replace},
		{"an equal memory is found despite blanks at the ends",
		 test_equal},
		{"a root is excluded from git once, also in linked work trees",
		 test_exclude},
		{"files are read within limits and never overwrite others",
		 test_file},
		{"an id of any file or purged memory is not drawn", test_draw},
	};

	return unit_run_between(tests, ARRAY_LEN(tests), begin, end);
}
