/* purge-memory.c: the lines of the operation log that share a name or a sum are
 * about one file. Where a log is pruned or lost, the time decides.
 */
#include "forget/purge.h"

#include "base/sha256.h"
#include "base/strings.h"
#include "store/journal.h"

static bool list_has(const struct strings *list, const char *s)
{
	return s && strings_has(list, s);
}

static void add_new(struct strings *list, const char *s)
{
	if (s && !strings_has(list, s))
		strings_add(list, s);
}

/* Add what C says to NAMES and to the sums of M, if it is about the memory M.
 * Return true if that was new. */
static bool add_change(struct purge_memory *m, struct strings *names,
		       const struct oplog_change *c)
{
	const size_t had = names->n + m->sums.n;

	if (!list_has(names, c->path) && !list_has(names, c->from) &&
	    !list_has(names, c->trash) && !list_has(&m->sums, c->before) &&
	    !list_has(&m->sums, c->after))
		return false;
	add_new(names, c->path);
	add_new(names, c->from);
	add_new(names, c->trash);
	add_new(&m->sums, c->before);
	add_new(&m->sums, c->after);
	return names->n + m->sums.n > had;
}

/* Find the sums of all versions of M in the operation log of S. */
static int find_versions(struct purge_memory *m, struct store *s,
			 struct arena *a, struct err *e)
{
	struct strings names = {0};
	bool more = true;

	if (oplog_read(&s->repo, SIZE_MAX, a, &m->log, e) < 0)
		return -1;
	add_new(&names, operation_path(s, m->path, a));
	while (more) {
		more = false;
		for (size_t i = 0; i < m->log.n; i++) {
			const struct oplog_op *op = &m->log.ops[i];

			for (size_t j = 0; j < op->n; j++)
				more = add_change(m, &names, &op->changes[j]) ||
				       more;
		}
	}
	free(names.items);
	return 0;
}

/* Set M to the file at PATH of S, in A. */
static int load_memory(struct purge_memory *m, struct store *s,
		       const char *path, struct arena *a, struct err *e)
{
	struct record r;
	struct err why;
	const int found = store_read(s, path, a, &r, &why);
	char sum[SHA256_HEX];

	*m = (struct purge_memory){.path = path};
	if (found > 0) {
		m->created = r.created;
		strings_add(&m->sums,
			    arena_strdup(a, sha256_of(r.bytes, r.nbytes, sum)));
	}
	if (found < 0 && why.code == ERR_SYSTEM)
		return err_take(e, &why);
	return find_versions(m, s, a, e);
}

int purge_memory_find(struct purge_memory *m, struct store *s,
		      const char *operand, struct arena *a, struct err *e)
{
	static const enum area areas[] = {AREA_MEMORIES, AREA_ARCHIVE,
					  AREA_DRAFTS, AREA_TRASH};
	struct layout_place p;
	const char *path;
	int64_t id;
	int r;

	*m = (struct purge_memory){.path = NULL};
	if (s->repo.fd < 0)
		return 0;
	if (!store_is_id(operand, &id) && !store_is_global_id(operand, &id)) {
		r = layout_find(&s->repo, operand, a, &path, &p, NULL);
		return r == 1 ? load_memory(m, s, path, a, e) : 0;
	}
	for (size_t i = 0; i < ARRAY_LEN(areas); i++) {
		r = store_locate(s, areas[i], operand, a, &path, e);
		if (r)
			return r < 0 ? -1 : load_memory(m, s, path, a, e);
	}
	return 0;
}

/* Return true if the frontmatter in the LEN bytes of P has CREATED as `created`. */
static bool has_created(const char *p, size_t len, const char *created)
{
	struct arena a = {0};
	const bool has =
		value_is(frontmatter_get(p, len, "created", &a), created);

	arena_release(&a);
	return has;
}

/* Return true if a change in LOG has the sum SUM, before or after it. */
static bool is_logged(const struct operations *log, const char *sum)
{
	for (size_t i = 0; i < log->n; i++) {
		for (size_t j = 0; j < log->ops[i].n; j++) {
			const struct oplog_change *c = &log->ops[i].changes[j];

			if (strings_equal(c->before, sum) ||
			    strings_equal(c->after, sum))
				return true;
		}
	}
	return false;
}

bool purge_memory_has(const struct purge_memory *m, const char *p, size_t len)
{
	char sum[SHA256_HEX];

	if (!m->path)
		return true;
	if (!m->created || !has_created(p, len, m->created))
		return false;
	sha256_of(p, len, sum);
	return strings_has(&m->sums, sum) || !is_logged(&m->log, sum);
}

void purge_memory_release(struct purge_memory *m)
{
	free(m->sums.items);
	*m = (struct purge_memory){.path = NULL};
}
