/* sendable.c: the memories and articles are all read, since only the frontmatter says
 * whether they are sensitive. */
#include "setup/sendable.h"

#include "article/article.h"
#include "repo/marks.h"
#include "sys/file-write.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files of one machine, below the root of the user: settings may name programs, the rest
 * records the conversations of this machine. */
static const char local_files[] =
	"settings.json knowledge/ledger.json knowledge/digest.md";

static int add_open(void *ctx, const struct record *r)
{
	struct sendable *m = ctx;
	const bool sensitive = record_marks(r) & MARK_SENSITIVE;
	const char *file = r->frontmatter && layout_is_article(r->path)
				   ? value_text(r->frontmatter, "attachment")
				   : NULL;

	if (file)
		strings_add(sensitive ? &m->closed : &m->attached,
			    arena_strdup(&m->arena, file));
	if (sensitive)
		return 0;
	table_put(&m->by_path, r->path, strlen(r->path), 0, m->n);
	*MEM_ADD(m->paths, m->n, m->cap) = arena_strdup(&m->arena, r->path);
	return 0;
}

int sendable_load(struct sendable *m, struct store *s, const char *top,
		  const char *prefix, struct err *e)
{
	static const enum area areas[] = {AREA_MEMORIES, AREA_ARCHIVE,
					  AREA_ARTICLES};

	*m = (struct sendable){.user = s->repo.root.scope == SCOPE_GLOBAL,
			       .report = s->report,
			       .top = top,
			       .prefix = prefix};
	for (size_t i = 0; i < ARRAY_LEN(areas); i++) {
		if (store_each_strict(s, areas[i], add_open, m, e) == 0)
			continue;
		if (e->code != ERR_DATA)
			return -1;
		err_report(s->report, e);
		m->no_articles |= areas[i] == AREA_ARTICLES;
	}
	return 0;
}

void sendable_release(struct sendable *m)
{
	free(m->paths);
	free(m->attached.items);
	free(m->closed.items);
	table_release(&m->by_path);
	arena_release(&m->arena);
}

static bool is_open(const struct sendable *m, const char *path)
{
	struct table_look k = table_look(&m->by_path, path, strlen(path), 0);
	size_t i;

	while (table_next(&k, &i)) {
		if (!strcmp(m->paths[i], path))
			return true;
	}
	return false;
}

bool sendable_has_marks(const char *prefix, const char *path)
{
	const char *name = strrchr(path, '/');
	const struct layout_directory *d =
		layout_directory_of(path + strlen(prefix));

	return d && (d->ids ||
		     (d->area == AREA_ARTICLES && layout_is_memory(name + 1)));
}

/* Return true if PATH is attached to sensitive articles only. */
static bool is_closed(const struct sendable *m, const char *path)
{
	const char *file = layout_below_knowledge(path + strlen(m->prefix));

	if (m->no_articles &&
	    !strncmp(file, ATTACHMENTS "/", strlen(ATTACHMENTS "/")))
		return true;
	return strings_has(&m->closed, file) &&
	       !strings_has(&m->attached, file);
}

/* Return true if FILE, which is PATH, is a repository, or it or a directory of the store
 * above it is a link. Report that. */
static bool is_refused(struct sendable *m, const char *path, const char *file)
{
	const size_t top = strlen(file) - strlen(path) + strlen(m->prefix);
	char *part = arena_strdup(&m->arena, file);
	const char *what = NULL;
	struct stat st;

	for (char *p = part + top; !what; p++) {
		const char was = *p;

		if (was && was != '/')
			continue;
		*p = '\0';
		if (lstat(part, &st) == 0 && S_ISLNK(st.st_mode))
			what = "a link";
		else if (was && !p[1])
			what = "a repository"; /* git prints "DIR/" */
		else if (!was)
			return false;
		else
			*p = was;
	}
	err_warn(m->report, ERR_DATA, "refusing '%s': it is %s", part, what);
	return true;
}

bool sendable_is_local(const char *path)
{
	return strings_word_is_in(local_files, path, strlen(path));
}

bool sendable_allows(struct sendable *m, const char *line)
{
	const char *path = line + 3, *file;

	if ((m->user && sendable_is_local(path)) ||
	    !strncmp(file_name_of(path), FILE_TEMP, strlen(FILE_TEMP)))
		return false;
	file = arena_printf(&m->arena, "%s/%s", m->top, path);
	if (is_refused(m, path, file))
		return false;
	/* git rm --cached leaves the file, and git commit would add it again. */
	if ((line[0] == 'D' || line[1] == 'D') && access(file, F_OK) < 0 &&
	    errno == ENOENT)
		return true;
	return sendable_has_marks(m->prefix, path) ? is_open(m, file)
						   : !is_closed(m, path);
}
