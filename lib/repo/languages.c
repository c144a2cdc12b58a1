/* languages.c: each ending of a file name is stored once. A language is looked up in
 * the table and among the endings themselves, so one that is not in the table is found
 * by the ending of its files.
 */
#include "repo/marks.h"

#include "base/strings.h"
#include "format/json-read.h"
#include "repo/root.h"
#include "sys/file.h"

#include <fcntl.h>
#include <pthread.h>
#include <strings.h>
#include <unistd.h>

#define END_MAX 15   /* bytes of an ending; longer ones are ignored */
#define ENDS_MAX 256 /* different endings */

static const struct {
	const char *end, *name;
} table[] = {
	{"py", "python"},
	{"pyi", "python"},
	{"ipynb", "python"},
	{"js", "javascript"},
	{"mjs", "javascript"},
	{"cjs", "javascript"},
	{"jsx", "javascript"},
	{"ts", "typescript"},
	{"mts", "typescript"},
	{"tsx", "typescript"},
	{"c", "c"},
	{"h", "c"},
	{"cc", "c++"},
	{"cpp", "c++"},
	{"cxx", "c++"},
	{"hh", "c++"},
	{"hpp", "c++"},
	{"hxx", "c++"},
	{"cc", "cpp"},
	{"cxx", "cpp"},
	{"hpp", "cpp"},
	{"rs", "rust"},
	{"go", "golang"},
	{"kt", "kotlin"},
	{"kts", "kotlin"},
	{"rb", "ruby"},
	{"sh", "shell"},
	{"bash", "shell"},
	{"zsh", "shell"},
	{"bats", "shell"},
	{"sh", "bash"},
	{"bats", "bash"},
	{"cs", "c#"},
	{"cs", "csharp"},
	{"fs", "f#"},
	{"m", "objective-c"},
	{"pl", "perl"},
	{"pm", "perl"},
	{"ex", "elixir"},
	{"exs", "elixir"},
	{"erl", "erlang"},
	{"hs", "haskell"},
	{"ml", "ocaml"},
	{"mli", "ocaml"},
	{"clj", "clojure"},
	{"cljs", "clojure"},
	{"jl", "julia"},
	{"tf", "terraform"},
	{"el", "lisp"},
	{"lisp", "lisp"},
	{"md", "markdown"},
	{"htm", "html"},
	{"yml", "yaml"},
	{"tex", "latex"},
	{"f90", "fortran"},
	{"ps1", "powershell"},
	{"mk", "make"},
	{"makefile", "make"},
	{"s", "assembly"},
	{"asm", "assembly"},
	{"dockerfile", "docker"},
};

static const char passed_over[] =
	"__pycache__ build dist node_modules target third_party vendor venv";

struct languages {
	pthread_mutex_t lock;
	bool read, known;
	char ends[ENDS_MAX][END_MAX + 1];
	size_t n;
};

struct languages *marks_languages_new(void)
{
	struct languages *l = mem_alloc(sizeof(*l));

	*l = (struct languages){.read = false};
	pthread_mutex_init(&l->lock, NULL);
	return l;
}

void marks_languages_free(struct languages *l)
{
	if (l)
		pthread_mutex_destroy(&l->lock);
	free(l);
}

static bool has_end(const struct languages *l, const char *end)
{
	for (size_t i = 0; i < l->n; i++) {
		if (!strcasecmp(l->ends[i], end))
			return true;
	}
	return false;
}

/* The directories to read. */
struct walk {
	struct languages *l;
	struct strings folders; /* their paths */
	struct arena a;
	const char *at; /* the current one */
	size_t left;	/* entries of it that may still be read */
};

static bool is_passed_over(const char *name)
{
	return *name == '.' ||
	       strings_word_is_in(passed_over, name, strlen(name));
}

static void add_ending(struct languages *l, const char *name)
{
	const char *dot = strrchr(name, '.');
	const char *end = dot ? dot + 1 : name;

	if (*name == '.' || !*end || strlen(end) > END_MAX ||
	    l->n == ENDS_MAX || has_end(l, end))
		return;
	memcpy(l->ends[l->n++], end, strlen(end) + 1);
}

static int read_entry(void *ctx, const char *name, enum file_kind kind)
{
	struct walk *w = ctx;

	if (kind == FILE_REGULAR)
		add_ending(w->l, name);
	else if (kind == FILE_FOLDER && w->folders.n < MARKS_FOLDERS &&
		 !is_passed_over(name))
		strings_add(&w->folders,
			    arena_printf(&w->a, "%s/%s", w->at, name));
	return !--w->left;
}

/* Read the current directory. */
static void read_directory(struct walk *w)
{
	int dir;

	w->left = MARKS_ENTRIES;
	if (file_open_dir(AT_FDCWD, w->at, w->at, &dir, NULL) != 1)
		return;
	file_walk(dir, w->at, read_entry, w, NULL);
	close(dir);
}

static void read_names(struct languages *l)
{
	struct walk w = {.l = l};
	struct root root;
	char *top;

	l->read = true;
	if (root_find(&root, SCOPE_PROJECT, NULL) < 0)
		return;
	l->known = true;
	top = root_folder(&root);
	strings_add(&w.folders, top);
	for (size_t i = 0; i < w.folders.n; i++) {
		w.at = w.folders.items[i];
		read_directory(&w);
	}
	free(w.folders.items);
	free(top);
	arena_release(&w.a);
	root_release(&root);
}

/* Return true if there are files of the language NAME, or the project is unknown. */
static bool has_language(struct languages *l, const char *name)
{
	bool found;

	pthread_mutex_lock(&l->lock);
	if (!l->read)
		read_names(l);
	found = !l->known || has_end(l, name);
	for (size_t i = 0; i < ARRAY_LEN(table) && !found; i++)
		found = !strcasecmp(table[i].name, name) &&
			has_end(l, table[i].end);
	pthread_mutex_unlock(&l->lock);
	return found;
}

bool marks_languages_lack(struct languages *l, const struct record_keys *k)
{
	struct arena a = {0};
	struct value map;
	const struct value *v;
	const char *one = NULL;
	bool lacks = false;

	if (!k->json || !strstr(k->json, "\"language") ||
	    json_parse(k->json, strlen(k->json), &a, &map, NULL) < 0)
		goto out;
	v = value_get(&map, "languages");
	if (v && value_is_texts(v) && v->u.list.n) {
		lacks = true;
		for (size_t i = 0; i < v->u.list.n && lacks; i++)
			lacks = !has_language(l, v->u.list.items[i].u.s.p);
	}
	v = value_get(&map, "scope");
	if (v && value_is(v, "language"))
		one = value_text(&map, "language");
	if (one && *one)
		lacks = !has_language(l, one);
out:
	arena_release(&a);
	return lacks;
}
