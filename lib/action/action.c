/* action.c: the names of the fields are those of Claude Code, Codex, Gemini CLI,
 * opencode, Qwen Code and Copilot CLI.
 */
#include "action/action.h"

#include "base/buf.h"
#include "base/strings.h"
#include "base/utf8.h"

#define PATH_MAX_BYTES ((size_t)4096)
#define PATCH "*** Begin Patch"

/* Return the string of MAP at the first of the keys NAMES, which are separated by |;
 * NULL if there is none. */
static const char *first_text(const struct value *map, const char *names)
{
	char name[32];

	for (const char *p = names; *p; p += *p == '|') {
		const size_t n = strcspn(p, "|");
		const char *text;

		snprintf(name, sizeof(name), "%.*s", (int)n, p);
		text = value_text(map, name);
		if (text)
			return text;
		p += n;
	}
	return NULL;
}

/* Return the last string of the list or the string V. */
static const char *last_text(const struct value *v)
{
	if (v && v->kind == VALUE_LIST && v->u.list.n)
		v = &v->u.list.items[v->u.list.n - 1];
	return v && v->kind == VALUE_STR && strlen(v->u.s.p) == v->u.s.len
		       ? v->u.s.p
		       : NULL;
}

/* Return P cut to MAX bytes, borrowed or in ARENA. */
static const char *shorten(const char *p, size_t max, struct arena *arena)
{
	const size_t len = strnlen(p, max + 1);

	return len <= max ? p : arena_copy(arena, p, utf8_cut(p, len, max));
}

static struct action_file *add_file(struct action *a, const char *path)
{
	struct action_file *f;

	if (a->nfiles == ACTION_FILES || !*path ||
	    strnlen(path, PATH_MAX_BYTES) == PATH_MAX_BYTES)
		return NULL;
	f = &a->files[a->nfiles++];
	f->path = path;
	return f;
}

static void add_edit(struct action_file *f, const char *before,
		     const char *after, struct arena *arena)
{
	if (!f || f->nedits == ACTION_EDITS)
		return;
	f->edits[f->nedits++] = (struct action_edit){
		before ? shorten(before, ACTION_TEXT_MAX, arena) : NULL,
		after ? shorten(after, ACTION_TEXT_MAX, arena) : NULL};
}

/* The hunk of a patch that is being read. */
struct hunk {
	struct buf before, after;
	struct arena *arena;
};

static void end_hunk(struct hunk *h, struct action_file *f)
{
	if (h->before.len || h->after.len)
		add_edit(f,
			 arena_copy(h->arena, buf_str(&h->before),
				    h->before.len),
			 arena_copy(h->arena, buf_str(&h->after), h->after.len),
			 h->arena);
	buf_cut(&h->before, 0);
	buf_cut(&h->after, 0);
}

/* Return the file that the LEN bytes of the line P begin, or F. */
static struct action_file *begin_file(struct action *a, struct action_file *f,
				      struct hunk *h, const char *p, size_t len)
{
	static const char *const heads[] = {
		"*** Update File: ", "*** Add File: ", "*** Delete File: "};

	for (size_t i = 0; i < ARRAY_LEN(heads); i++) {
		const size_t n = strlen(heads[i]);

		if (len <= n || memcmp(p, heads[i], n) != 0)
			continue;
		end_hunk(h, f);
		f = add_file(a, arena_copy(h->arena, p + n, len - n));
		if (f)
			f->whole = i > 0;
		return f;
	}
	return f;
}

static void add_line(struct buf *out, const char *p, size_t len)
{
	buf_add(out, p, len);
	buf_addc(out, '\n');
}

/* Read the PATCH, in the form of apply_patch. */
static void read_patch(struct action *a, const char *patch, struct arena *arena)
{
	struct hunk h = {.arena = arena};
	struct action_file *f = NULL;
	size_t len;

	for (const char *p = patch; *p; p += len + (p[len] == '\n')) {
		len = strcspn(p, "\n");
		if (len > 4 && !memcmp(p, "*** ", 4)) {
			f = begin_file(a, f, &h, p, len - (p[len - 1] == '\r'));
		} else if (*p == '@') {
			end_hunk(&h, f);
		} else if (*p == ' ' || *p == '-' || *p == '+') {
			if (*p != '+')
				add_line(&h.before, p + 1, len - 1);
			if (*p != '-')
				add_line(&h.after, p + 1, len - 1);
		}
		if (h.before.len + h.after.len > ACTION_TEXT_MAX)
			end_hunk(&h, f);
	}
	end_hunk(&h, f);
	buf_release(&h.before);
	buf_release(&h.after);
}

static void read_edits(struct action_file *f, const struct value *input,
		       struct arena *arena)
{
	const struct value *list = value_get(input, "edits");
	const char *before = first_text(input, "old_string|oldString|old_str");
	const char *after = first_text(input, "new_string|newString|new_str");
	const char *text =
		first_text(input, "content|file_text|new_source|insert_text");

	if (before || after)
		add_edit(f, before, after, arena);
	if (text) {
		add_edit(f, NULL, text, arena);
		f->whole = !value_get(input, "insert_line");
	}
	if (!list || list->kind != VALUE_LIST)
		return;
	for (size_t i = 0; i < list->u.list.n; i++) {
		const struct value *one = &list->u.list.items[i];

		add_edit(f, first_text(one, "old_string|oldString"),
			 first_text(one, "new_string|newString"), arena);
	}
}

/* Return true if INPUT, with a path, has a text to write there. */
static bool has_edit(const struct value *input)
{
	static const char keys[] =
		"old_string new_string oldString newString old_str new_str "
		"content file_text new_source edits insert_text";

	for (size_t i = 0; i < input->u.map.n; i++) {
		const struct value *key = &input->u.map.pairs[i].key;

		if (strings_word_is_in(keys, key->u.s.p, key->u.s.len))
			return true;
	}
	return false;
}

bool action_read(struct action *a, const struct value *input,
		 struct arena *arena)
{
	static const char *const keys[] = {
		"command", "cmd", "input", "patch", "patchText", "patch_text"};
	const char *path, *text = NULL;
	struct action_file *f;

	*a = (struct action){.nfiles = 0};
	if (!input || input->kind != VALUE_MAP)
		return false;
	path = first_text(input, "file_path|filePath|notebook_path|path|"
				 "absolute_path");
	if (path) {
		f = has_edit(input) ? add_file(a, path) : NULL;
		if (f)
			read_edits(f, input, arena);
		return f;
	}
	for (size_t i = 0; i < ARRAY_LEN(keys) && !text; i++) {
		text = last_text(value_get(input, keys[i]));
		if (text && i > 1 && !strstr(text, PATCH))
			text = NULL;
	}
	if (!text)
		return false;
	if (strstr(text, PATCH))
		read_patch(a, strstr(text, PATCH), arena);
	else
		a->command = shorten(text, ACTION_COMMAND_MAX, arena);
	return a->nfiles || a->command;
}
