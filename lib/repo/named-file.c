/* named-file.c: see named-file.h. */
#include "repo/named-file.h"

#include "repo/layout.h"
#include "sys/dirs.h"
#include "text/conflict.h"

#include <fcntl.h>

/* Return the scope of the file at PATH. The path of the user's root may have links,
 * so it is resolved too. */
static enum scope scope_of(struct named_file *n, const char *path)
{
	size_t len;

	if (!n->global) {
		char *config = NULL;

		dirs_config(&config, NULL);
		n->global = config ? realpath(config, NULL) : NULL;
		if (!n->global)
			n->global = mem_strdup("");
		free(config);
	}
	len = strlen(n->global);
	return len && !strncmp(path, n->global, len) && path[len] == '/'
		       ? SCOPE_GLOBAL
		       : SCOPE_PROJECT;
}

/* Return true if NAME, at the end of PATH, is directly below FOLDER. */
static bool is_below(const char *path, const char *name, const char *folder)
{
	const size_t before = (size_t)(name - path), len = strlen(folder);

	return before >= len && !memcmp(name - len, folder, len);
}

/* Return true if the absolute PATH is that of an article (*ARTICLE) or of a category
 * file of a store. */
static bool is_document(const char *path, bool *article)
{
	const char *name = strrchr(path, '/') + 1;

	*article = (is_below(path, name, "/knowledge/articles/") ||
		    (is_below(path, name, "/" LAYOUT_ARTICLES "/") &&
		     strstr(path, "/knowledge/" LAYOUT_TRASH "/"))) &&
		   layout_is_memory(name);
	if (*article || !is_below(path, name, "/knowledge/"))
		return *article;
	for (size_t i = 0; i < LAYOUT_CATEGORIES; i++) {
		if (!strcmp(name, layout_categories[i]))
			return true;
	}
	return false;
}

static int read_text(struct named_file *n, const char *path, const char *whole,
		     struct arena *a, struct record *r, struct err *e)
{
	const char *text = buf_str(&n->text);
	bool article;

	return is_document(whole, &article)
		       ? record_read_document(r, text, n->text.len, path,
					      article, a, e)
		       : record_read(r, text, n->text.len, path, SCOPE_PROJECT,
				     a, e);
}

int named_file_read(struct named_file *n, const char *path, struct arena *a,
		    struct record *r, struct err *e)
{
	const char *whole;
	struct err why;

	buf_cut(&n->text, 0);
	if (file_read_path(path, LAYOUT_FILE_MAX, &n->text, e) < 0)
		return file_is_gone(AT_FDCWD, path, true) ? 0 : -1;
	whole = file_absolute(path, a, e);
	if (!whole || read_text(n, path, whole, a, r, e) < 0)
		return -1;
	r->path = whole;
	r->scope = scope_of(n, whole);
	if (r->conflict) {
		conflict_err(&why, path, r->conflict,
			     record_scope_option(r->scope));
		err_report(n->report, &why);
	}
	return 1;
}

void named_file_release(struct named_file *n)
{
	buf_release(&n->text);
	free(n->global);
	*n = (struct named_file){0};
}
