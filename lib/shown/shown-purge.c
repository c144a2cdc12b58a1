/* shown-purge.c: all ledgers are searched, since memories of the user store and of
 * other projects are shown in every project.
 *
 * Known limit: a line that is appended while a file is replaced may be lost.
 */
#include "shown/shown.h"

#include "shown/shown-file.h"
#include "sys/file-write.h"

#include <fcntl.h>
#include <unistd.h>

/* The ledgers, while they are purged. */
struct purging {
	const struct shown_purge *p;
	struct buf own;	     /* the name of the project's ledger */
	const char *project; /* its name in others */
};

/* Return true if ITEM, in the ledger NAME, is to be removed. */
static bool is_purged(const struct purging *g, const char *name,
		      const struct value *item)
{
	const struct value *id = value_get(item, "id");
	const bool global = value_is(value_get(item, "scope"), "global");
	const struct value *project = value_get(item, "project");
	bool is_ours;

	if (global || g->p->root->scope == SCOPE_GLOBAL)
		is_ours = global && g->p->root->scope == SCOPE_GLOBAL;
	else if (project)
		is_ours = value_is(project, g->project);
	else
		is_ours = !strncmp(name, buf_str(&g->own), g->own.len);
	if (!is_ours || !id || id->kind != VALUE_INT)
		return false;
	for (size_t i = 0; i < g->p->n; i++) {
		if (g->p->ids[i] == id->u.i)
			return true;
	}
	return false;
}

/* Remove the purged memories from V, an event of the ledger NAME, and with them the
 * words that triggered the event. Return true if there was one. */
static bool strip(const struct purging *g, const char *name, struct value *v)
{
	const struct value *memories = value_get(v, "memories");
	size_t kept = 0, n = memories->u.list.n;

	for (size_t i = 0; i < n; i++) {
		if (!is_purged(g, name, &memories->u.list.items[i]))
			memories->u.list.items[kept++] =
				memories->u.list.items[i];
	}
	for (size_t i = 0; i < v->u.map.n && kept < n; i++) {
		struct value_pair *pair = &v->u.map.pairs[i];

		if (value_is(&pair->key, "memories"))
			pair->val.u.list.n = kept;
		else if (value_is(&pair->key, "trigger") &&
			 pair->val.kind == VALUE_MAP)
			pair->val.u.map.n = 0;
	}
	return kept < n;
}

/* Append to OUT the lines of L, the ledger NAME, without the purged memories; lines that
 * cannot be read go, too. Return whether anything went. */
static bool strip_all(const struct purging *g, const char *name,
		      struct shown_list *l, struct buf *out)
{
	const char *line;
	bool changed = false;
	struct value v;
	size_t len;

	while (shown_list_line(l, &line, &len)) {
		arena_reset(&l->arena);
		if (!shown_list_parse(line, len, &l->arena, &v)) {
			changed = true;
			continue;
		}
		if (!strip(g, name, &v)) {
			buf_add(out, line, len);
		} else {
			changed = true;
			json_write_value(out, &v, NULL);
		}
		buf_addc(out, '\n');
	}
	return changed;
}

/* Purge the ledger ENTRY of the directory DIR, whose path is FOLDER. */
static int purge_file(struct purging *g, int dir, const char *folder,
		      const struct file_entry *entry, struct err *e)
{
	const char *name = entry->name;
	struct shown_list l = {0};
	struct buf out = {0}, path = {0};
	int r = 0;

	buf_addf(&path, "%s/%s", folder, name);
	if (strstr(name, ".jsonl"))
		r = file_read_walked(dir, name, path.p, entry->kind,
				     2 * SHOWN_FILE_MAX, &l.text, e);
	if (r == 1 && strip_all(g, name, &l, &out)) {
		g->p->gone(g->p->ctx, path.p);
		if (!g->p->dry)
			r = file_replace(dir, name, path.p, buf_str(&out),
					 out.len, e);
	}
	shown_list_close(&l);
	buf_release(&out);
	buf_release(&path);
	return r < 0 ? -1 : 0;
}

int shown_purge(const struct shown_purge *p, struct err *e)
{
	const struct log_file file = {SHOWN_FILE_FOLDER, "", SHOWN_FILE_MAX};
	struct purging g = {.p = p};
	struct buf path = {0};
	char *folder = root_folder(p->root);
	struct file_list ledgers;
	struct arena a = {0};
	int dir, r;

	g.project = strrchr(folder, '/') ? strrchr(folder, '/') + 1 : folder;
	shown_file_add(&g.own, p->root);
	r = log_add_path(&path, &file, NULL) < 0
		    ? 0
		    : file_open_dir(AT_FDCWD, path.p, path.p, &dir, e);
	if (r == 1) {
		r = file_list(dir, path.p, &a, &ledgers, e);
		for (size_t i = 0; i < ledgers.n && !r; i++)
			r = purge_file(&g, dir, path.p, &ledgers.items[i], e);
		close(dir);
	}
	arena_release(&a);
	free(folder);
	buf_release(&g.own);
	buf_release(&path);
	return r < 0 ? -1 : 0;
}
