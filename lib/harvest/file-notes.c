/* file-notes.c: all changes of names are made under the lock of the store. */
#include "harvest/file-notes.h"

#include <fcntl.h>
#include <unistd.h>

#define HEADING "# /"
#define HEADING_MAX 4200 /* bytes read to find the heading */

bool file_notes_is_name(const char *name)
{
	return layout_is_memory(name) && !strchr(name, '/');
}

int file_notes_list(struct store *s, struct strings *names, struct arena *a,
		    struct err *e)
{
	struct file_list files;
	const int r = layout_list(&s->repo, FILE_NOTES_FOLDER, a, &files, e);

	for (size_t i = 0; i < files.n; i++) {
		if (files.items[i].kind == FILE_REGULAR &&
		    file_notes_is_name(files.items[i].name))
			strings_add(names, files.items[i].name);
	}
	return r;
}

const char *file_notes_about(const char *text, size_t len, struct arena *a)
{
	const char *end = memchr(text, '\n', len);
	size_t n = end ? (size_t)(end - text) : len;

	while (n && (text[n - 1] == '\r' || text[n - 1] == ' '))
		n--;
	if (n < strlen(HEADING) ||
	    memcmp(text, HEADING, strlen(HEADING)) != 0 ||
	    memchr(text, '\0', n))
		return NULL;
	return arena_copy(a, text + 2, n - 2);
}

/* Set *NAME to the file name of notes about the regular file at PATH, allocated
 * in A. Returns 1, 0 if there is no such file, or -1 if that is unknown. */
static int notes_name(const char *path, struct arena *a, const char **name)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return file_is_gone(AT_FDCWD, path, true) ? 0 : -1;
	if (!S_ISREG(st.st_mode))
		return 0;
	*name = arena_printf(a, "%ju:%ju.md", (uintmax_t)st.st_dev,
			     (uintmax_t)st.st_ino);
	return 1;
}

void file_notes_label(struct buf *out, const struct buf *text,
		      const char *about, struct arena *a)
{
	const char *is = file_notes_about(buf_str(text), text->len, a), *name;

	if (!text->len) {
		buf_addf(out, "# %s\n\n", about);
	} else if (is && notes_name(is, a, &name) == 0) {
		buf_addf(out, "# %s", about);
		buf_add(out, text->p + 2 + strlen(is),
			text->len - 2 - strlen(is));
	} else {
		buf_add(out, text->p, text->len);
	}
}

/* A search for notes by their heading. */
struct heading_search {
	int dir;
	const char *about;
	struct arena *a;
	const char *name; /* the first match in order of names */
};

/* Return the path in the heading of the notes NAME in DIR, allocated in A, or
 * NULL. */
static const char *read_heading(int dir, const char *name, enum file_kind kind,
				struct arena *a)
{
	struct buf text = {0};
	const char *about = NULL;

	if (file_peek_walked(dir, name, name, kind, HEADING_MAX, &text, NULL) ==
	    1)
		about = file_notes_about(buf_str(&text), text.len, a);
	buf_release(&text);
	return about;
}

static int match_heading(void *ctx, const char *name, enum file_kind kind)
{
	struct heading_search *b = ctx;
	const char *about;

	if (kind != FILE_REGULAR || !file_notes_is_name(name))
		return 0;
	about = read_heading(b->dir, name, kind, b->a);
	if (about && !strcmp(about, b->about) &&
	    (!b->name || strcmp(name, b->name) < 0))
		b->name = arena_strdup(b->a, name);
	return 0;
}

/* Rename the notes OLD of DIR to NAME durably. Returns 1, 0 if NAME exists, or
 * -1. */
static int rename_notes(int dir, const char *old, const char *name,
			struct err *e)
{
	int r = file_rename(dir, old, dir, name, old, e);

	return r == 1 && file_sync_dir(dir, FILE_NOTES_FOLDER, e) < 0 ? -1 : r;
}

/* Ensure that NAME in DIR holds the notes about ABOUT, or does not exist.
 * Notes with another number are renamed. Returns as file_notes_locate(). */
static int claim_name(int dir, const char *name, const char *about,
		      struct arena *a, struct err *e)
{
	struct heading_search b = {dir, about, a, NULL};
	const char *is, *other;
	int r;

	if (faccessat(dir, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
		is = read_heading(dir, name, FILE_REGULAR, a);
		if (!is || !strcmp(is, about))
			return 1;
		r = notes_name(is, a, &other);
		/* The owner of these notes is unknown: do not mix in other
		 * notes. */
		if (r < 0)
			return 0;
		if (!r || !strcmp(other, name))
			return 1;
		/* These notes are about a file with a new number. */
		r = rename_notes(dir, name, other, e);
		if (r != 1)
			return r;
	}
	if (file_walk(dir, FILE_NOTES_FOLDER, match_heading, &b, e) < 0)
		return -1;
	if (b.name && rename_notes(dir, b.name, name, e) < 0)
		return -1;
	return 1;
}

int file_notes_locate(struct store *s, const char *path, struct arena *a,
		      const char **name, const char **about, struct err *e)
{
	const char *root = s->repo.root.path, *slash = strrchr(root, '/');
	int dir, r;

	if (*path != '/' && s->repo.root.scope != SCOPE_PROJECT)
		return 0;
	if (*path != '/')
		path = arena_printf(a, "%.*s/%s", (int)(slash - root), root,
				    path);
	if (notes_name(path, a, name) != 1)
		return 0;
	*about = file_absolute(path, a, NULL);
	if (!*about || strchr(*about, '\n') || notes_name(*about, a, name) != 1)
		return 0;
	r = layout_open(&s->repo, FILE_NOTES_FOLDER, &dir, e);
	if (r != 1)
		return r < 0 ? -1 : 1;
	r = claim_name(dir, *name, *about, a, e);
	close(dir);
	return r;
}
