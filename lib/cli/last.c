/* last.c: a note is one line of JSON, {"root","shown","answers"}. Its file is named by
 * a hash of the root's path; "root" guards against another path with that hash.
 *
 * The file is written in place: a reader that meets half a line finds no note.
 */
#include "cli/choose.h"

#include "base/hash.h"
#include "cli/cli.h"
#include "format/json-read.h"
#include "format/json-write.h"
#include "repo/root.h"
#include "store/store.h"
#include "sys/dirs.h"
#include "sys/file.h"
#include "sys/io.h"

#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#define NOTE_MAX ((size_t)64 * 1024)

/* A note, valid until the process ends. */
struct note {
	const char *shown;		   /* NULL: none */
	const char *answers[LAST_ANSWERS]; /* NULL: not a memory here */
	size_t n;
};

static struct arena arena;

/* Return the path of the project's root, NULL if it is unknown. */
static const char *root_path(void)
{
	struct root r;
	const char *path;

	if (root_find(&r, SCOPE_PROJECT, NULL) < 0)
		return NULL;
	path = arena_strdup(&arena, r.path);
	root_release(&r);
	return path;
}

/* Open the file of the note of ROOT with FLAGS. Return its descriptor, or -1. */
static int open_note(const char *root, int flags)
{
	struct buf path = {0};
	char name[32], *state;
	struct err none;
	int dir, fd = -1;

	if (dirs_state(&state, &none) < 0)
		return -1;
	buf_addf(&path, "%s/last", state);
	free(state);
	snprintf(name, sizeof(name), "%016" PRIx64,
		 hash_bytes(root, strlen(root), 0));
	if ((flags & O_CREAT ? file_make_path(path.p, 0700, &dir, &none) == 0
			     : file_open_dir(AT_FDCWD, path.p, path.p, &dir,
					     &none) == 1)) {
		fd = file_open(dir, name, flags | O_NOFOLLOW | O_NONBLOCK,
			       0600);
		close(dir);
	}
	buf_release(&path);
	return fd;
}

/* Return the id that V is, NULL if it is none. */
static const char *id_of(const struct value *v)
{
	int64_t id;

	return v && v->kind == VALUE_STR &&
			       (store_is_id(v->u.s.p, &id) ||
				store_is_global_id(v->u.s.p, &id) ||
				store_is_named_id(v->u.s.p, &id))
		       ? v->u.s.p
		       : NULL;
}

static void read_note(const char *root, struct note *note)
{
	struct buf text = {0};
	const struct value *answers;
	struct value v;
	struct err none;
	int fd = open_note(root, O_RDONLY);

	*note = (struct note){0};
	if (fd >= 0 && file_read_fd(fd, "-", NOTE_MAX, &text, &none) >= 0 &&
	    json_parse(buf_str(&text), text.len, &arena, &v, NULL) == 0 &&
	    value_is(value_get(&v, "root"), root)) {
		note->shown = id_of(value_get(&v, "shown"));
		answers = value_get(&v, "answers");
		for (size_t i = 0;
		     answers && answers->kind == VALUE_LIST &&
		     i < answers->u.list.n && note->n < LAST_ANSWERS;
		     i++)
			note->answers[note->n++] =
				id_of(&answers->u.list.items[i]);
	}
	file_close(fd);
	buf_release(&text);
}

static void write_note(const char *root, const struct note *note)
{
	struct buf line = {0};
	const int fd = open_note(root, O_WRONLY | O_CREAT | O_TRUNC);

	if (fd < 0)
		return;
	json_write_open(&line, NULL, '{');
	json_write_text(&line, "root", root);
	json_write_text(&line, "shown", note->shown);
	json_write_texts(&line, "answers", note->answers, note->n);
	json_write_end(&line);
	io_write(fd, line.p, line.len);
	close(fd);
	buf_release(&line);
}

void cli_note_answers(const char *const *ids, size_t n)
{
	const char *root = isatty(STDERR_FILENO) ? root_path() : NULL;
	struct note note = {0};
	bool found = false;

	if (!root)
		return;
	read_note(root, &note);
	note.n = n < LAST_ANSWERS ? n : LAST_ANSWERS;
	for (size_t i = 0; i < note.n; i++) {
		note.answers[i] = ids[i];
		if (ids[i] && !found)
			note.shown = ids[i];
		found = found || ids[i];
	}
	write_note(root, &note);
}

void cli_note_shown(const char *id)
{
	const char *root = isatty(STDERR_FILENO) ? root_path() : NULL;
	struct note note;

	if (!root)
		return;
	read_note(root, &note);
	note.shown = id;
	write_note(root, &note);
}

const char *cli_last_shown(void)
{
	const char *root = root_path();
	struct note note = {0};

	if (root)
		read_note(root, &note);
	return note.shown;
}

void cli_expand_last(char **operands)
{
	struct note note = {0};
	bool read = false;

	for (; *operands; operands++) {
		const char *p = *operands;
		const size_t i = (size_t)(p[0] == '@' ? p[1] - '1' : 0);
		const char *root;

		if (p[0] != '@' || p[1] < '1' || p[1] > '9' || p[2])
			continue;
		root = read ? NULL : root_path();
		if (root)
			read_note(root, &note);
		read = true;
		if (i >= note.n) {
			cli_note("there is no answer %s of the last search", p);
			cli_hint("'co recall WORDS' searches");
			cli_end(ERR_NO);
		}
		if (!note.answers[i]) {
			cli_note("answer %s is not a memory of this project",
				 p);
			cli_end(ERR_NO);
		}
		*operands = arena_strdup(&arena, note.answers[i]);
	}
}
