/* recipes.c: collect the calls of all texts first, then read the files that may have
 * them, so that memory depends on the texts only. In doubt a call is taken as valid. */
#include "mining/recipes.h"

#include "base/ascii.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "mining/tracked.h"
#include "sys/file.h"
#include "text/markdown.h"

#include <fcntl.h>
#include <strings.h>

enum recipe {
	RECIPE_TARGET, /* of make */
	RECIPE_SCRIPT, /* of package.json */
	RECIPE_FILE    /* a script that an interpreter runs */
};

/* A command of the text with the number TEXT that calls NAME. */
struct call {
	enum recipe recipe;
	const char *name; /* borrowed from the text */
	size_t len, text;
	bool found;
};

struct calls {
	struct candidates *of;
	struct call *items;
	size_t n, cap;
	size_t text; /* being read */
};

/* A word of a command. */
struct word {
	const char *p;
	size_t len;
};

static bool is_word(const struct word *w, const char *words)
{
	return w->len && strings_word_is_in(words, w->p, w->len);
}

/* Return true if W ends one command, so that another one follows. */
static bool is_end(const struct word *w)
{
	return is_word(w, "&& || | ;");
}

/* Return true if W is a plain name, not an option, a variable or a placeholder such as
 * "<name>", "test-*" or "issue-XXXX". */
static bool is_plain(const struct word *w)
{
	for (size_t i = 0; i < w->len; i++) {
		if (!(ascii_is_alnum(w->p[i]) || strchr("_./:-", w->p[i])))
			return false;
	}
	return w->len > 1 && ascii_is_alnum(w->p[w->len - 1]) &&
	       (ascii_is_lower(*w->p) || *w->p == '.') &&
	       !memmem(w->p, w->len, "XX", 2) &&
	       !memmem(w->p, w->len, "..", 2) && !memmem(w->p, w->len, "//", 2);
}

/* Return true if W is a script in a directory, or at least the one of an old package. */
static bool is_script_file(const struct word *w)
{
	static const char *const suffixes[] = {
		".py",	".sh",	 ".rb",	  ".js",    ".ts", ".pl",
		".mjs", ".cjs",	 ".go",	  ".rs",    ".c",  ".h",
		".cc",	".cpp",	 ".java", ".proto", ".md", ".toml",
		".yml", ".yaml", ".json", ".rst",   NULL};

	for (size_t i = 0; suffixes[i] && is_plain(w); i++) {
		const size_t n = strlen(suffixes[i]);

		if (w->len > n && !memcmp(w->p + w->len - n, suffixes[i], n))
			return (memchr(w->p + 2, '/', w->len - 2) &&
				!memmem(w->p, w->len, "path/", 5)) ||
			       is_word(w, "setup.py");
	}
	return false;
}

static void add_call(struct calls *all, enum recipe recipe,
		     const struct word *w)
{
	*MEM_ADD(all->items, all->n, all->cap) =
		(struct call){.recipe = recipe,
			      .name = w->p,
			      .len = w->len,
			      .text = all->text};
}

/* Add what the command of the N words W, the first one a program, calls. */
static void read_command(struct calls *all, const struct word *w, size_t n)
{
	const bool make = is_word(w, "make gmake");

	if (is_script_file(w))
		add_call(all, RECIPE_FILE, w);
	if (n > 1 &&
	    is_word(w, "python python3 node bash sh ruby perl source") &&
	    is_script_file(&w[1]))
		add_call(all, RECIPE_FILE, &w[1]);
	if (is_word(w, "npm yarn pnpm bun") && n > 2 && is_word(&w[1], "run") &&
	    is_plain(&w[2]))
		add_call(all, RECIPE_SCRIPT, &w[2]);
	if (is_word(w, "yarn pnpm nr") && n > 1 && is_plain(&w[1]) &&
	    (memchr(w[1].p, ':', w[1].len) || w->len == 2))
		add_call(all, RECIPE_SCRIPT, &w[1]);
	for (size_t i = 1; make && i < n && *w[i].p != '#'; i++) {
		/* Another directory or file. */
		if (*w[i].p == '-' && memchr("Cf", w[i].p[1], 2))
			break;
		/* One with a slash is a file that make builds. */
		if (is_plain(&w[i]) && !memchr(w[i].p, '/', w[i].len))
			add_call(all, RECIPE_TARGET, &w[i]);
	}
}

#define WORDS_MAX 32 /* of a command line; later ones are not read */

/* Add what the LEN bytes of P, a line of commands, calls. */
static void read_line(struct calls *all, const char *p, size_t len)
{
	struct word w[WORDS_MAX];
	size_t n = 0, first = 0;

	while (len && n < WORDS_MAX) {
		utf8_strip(&p, &len);
		w[n].p = p;
		for (w[n].len = 0; w[n].len < len && !ascii_is_blank(*p);
		     w[n].len++)
			p++;
		len -= w[n].len;
		if (!w[n].len)
			break;
		if (n == first && (is_word(&w[n], "$ % > sudo time") ||
				   memchr(w[n].p, '=', w[n].len)))
			continue; /* a prompt, or a variable */
		if (is_end(&w[n])) {
			if (n > first)
				read_command(all, w + first, n - first);
			first = n + 1;
		}
		n++;
	}
	if (n > first)
		read_command(all, w + first, n - first);
}

/* Add what the text P of LEN bytes tells readers to call: in lines of code, and between
 * backquotes. */
static void read_text(struct calls *all, const char *p, size_t len)
{
	struct markdown m;
	struct block b;

	markdown_start(&m, p, len);
	while (markdown_next(&m, &b)) {
		const bool code =
			b.kind == BLOCK_FENCED || b.kind == BLOCK_INDENTED;
		const char *at = p + b.start, *end = at + b.len, *stop;
		bool in = code;

		for (; at < end; in = code || !in) {
			stop = memchr(at, code ? '\n' : '`',
				      (size_t)(end - at));
			stop = stop ? stop : end;
			if (in)
				read_line(all, at, (size_t)(stop - at));
			for (at = stop; at < end && *at == *stop;)
				at++;
		}
	}
}

/* Return true if PATH may have what ONE calls. A README is about its directory, so PATH
 * must be there, above it, or in a directory that the text names. */
static bool is_near(const struct candidate *one, const char *path)
{
	const char *name = file_name_of(path);
	const size_t len = (size_t)(name - path);
	const char *last = path;

	if (strncasecmp(file_name_of(one->cite), "readme", 6) != 0 ||
	    !strncmp(one->cite, path, len))
		return true;
	for (const char *p = path; p + 1 < name; p++)
		last = *p == '/' ? p + 1 : last;
	return memmem(one->text, one->len, last, (size_t)(name - 1 - last)) !=
	       NULL;
}

/* Return true if CALL is the target P of LEN bytes, or begins and ends as it does around
 * a pattern or a variable: "test_$(1)". */
static bool is_target(const char *p, size_t len, const struct call *call)
{
	size_t before = 0, after = 0;

	while (before < len && !strchr("%$", p[before]))
		before++;
	if (before == len)
		return len == call->len && !memcmp(p, call->name, len);
	while (after + before < len && !strchr("%)}", p[len - 1 - after]))
		after++;
	return before + after <= call->len && !memcmp(p, call->name, before) &&
	       !memcmp(p + len - after, call->name + call->len - after, after);
}

/* Return true if CALL is a target of the Makefile TEXT. */
static bool has_target(const struct buf *text, const struct call *call)
{
	const char *p = buf_str(text);

	for (size_t n; *p; p += n + (p[n] == '\n')) {
		const char *end;
		size_t at = 0;

		n = strcspn(p, "\n");
		end = memchr(p, ':', n);
		if (!end || *p == '\t' || *p == '#')
			continue;
		/* .PHONY has names of targets after its colon. */
		if (!strncmp(p, ".PHONY", strlen(".PHONY")))
			end = p + n;
		while (p + at < end) {
			const size_t len = strcspn(p + at, " \t\n:");

			if (is_target(p + at, len, call))
				return true;
			at += len + 1;
		}
	}
	return false;
}

/* Return true if the JSON of TEXT has a string that is the name of CALL. */
static bool has_string(const struct buf *text, const struct call *call)
{
	struct buf string = {0};
	bool found;

	buf_addf(&string, "\"%.*s\"", (int)call->len, call->name);
	found = memmem(buf_str(text), text->len, string.p, string.len) != NULL;
	buf_release(&string);
	return found;
}

/* A tracked_fn that marks the calls of what the file F has. */
static bool mark_calls(void *ctx, const struct tracked_file *f)
{
	struct calls *all = ctx;
	const char *name = file_name_of(f->path), *dot = strrchr(name, '.');
	const bool scripts = !strcasecmp(name, "package.json"),
		   included = dot && !strcasecmp(dot, ".mk"),
		   made = included || !strcasecmp(name, "Makefile") ||
			  !strcasecmp(name, "GNUmakefile");

	for (size_t i = 0; i < all->n; i++) {
		struct call *call = &all->items[i];

		if (call->found ||
		    call->recipe != (scripts ? RECIPE_SCRIPT : RECIPE_TARGET))
			continue;
		if (!included && !is_near(&all->of->items[call->text], f->path))
			continue;
		/* Other files generate Makefiles. */
		call->found = scripts ? has_string(f->text, call)
				      : !made || has_target(f->text, call);
	}
	return true;
}

/* Return true if NAME below the first LEN bytes of PATH, a file in the work tree of C,
 * exists. */
static bool exists(const struct candidates *c, const char *path, size_t len,
		   const char *name, size_t name_len)
{
	struct buf full = {0};
	bool found;

	buf_addf(&full, "%s/%.*s%.*s", c->dir, (int)len, path, (int)name_len,
		 name);
	found = !file_is_gone(AT_FDCWD, full.p, true);
	buf_release(&full);
	return found;
}

/* Mark the calls of files that exist, or whose directory does not: a program makes it.
 * The text may change the directory first. */
static void mark_files(struct calls *all)
{
	for (size_t i = 0; i < all->n; i++) {
		struct call *call = &all->items[i];
		const struct candidate *one = &all->of->items[call->text];
		size_t len = strcspn(one->cite, ":"), folder = call->len;
		bool made; /* by a program */

		if (call->recipe != RECIPE_FILE)
			continue;
		while (folder && call->name[folder - 1] != '/')
			folder--;
		made = folder > 0;
		call->found = memmem(one->text, one->len, "cd ", 3) != NULL;
		while (!call->found) {
			while (len && one->cite[len - 1] != '/')
				len--;
			call->found = exists(all->of, one->cite, len,
					     call->name, call->len);
			made &= !exists(all->of, one->cite, len, call->name,
					folder);
			if (!len--)
				break;
		}
		call->found |= made;
	}
}

/* Remove the texts with a call that was not found. */
static void drop_texts(struct candidates *c, const struct calls *all)
{
	size_t n = 0, at = 0;

	for (size_t i = 0; i < c->n; i++) {
		bool gone = false;

		for (; at < all->n && all->items[at].text == i; at++)
			gone |= !all->items[at].found;
		if (gone)
			c->left[LEFT_GONE]++;
		else
			c->items[n++] = c->items[i];
	}
	c->n = n;
}

int recipes_drop_gone(struct candidates *c, struct err *e)
{
	static const char *const paths[] = {
		":(icase,glob)**/makefile", ":(icase,glob)**/gnumakefile",
		":(icase,glob)**/*.mk",	    ":(icase,glob)**/makefile.*",
		":(glob)**/configure*",	    ":(glob)**/CMakeLists.txt",
		":(glob)**/package.json",   NULL};
	struct calls all = {.of = c};
	int r = 0;

	for (all.text = 0; all.text < c->n; all.text++) {
		const struct candidate *one = &c->items[all.text];

		if (one->kind == CANDIDATE_DOCS)
			read_text(&all, one->text, one->len);
	}
	if (all.n)
		r = tracked_each(c->dir, paths, c->report, mark_calls, &all, e);
	mark_files(&all);
	/* A file that was not read may have the others. */
	if (!r)
		drop_texts(c, &all);
	free(all.items);
	return r < 0 ? -1 : 0;
}
