/* context-stamp.c: a stamp is bytes, since another process makes it: for each scope a
 * struct mark, then the paths of its rules, each with its NUL.
 */
#include "mcp/context-stamp.h"

#include "agent/context.h"
#include "base/hash.h"
#include "cache/filestat.h"

struct mark {
	uint64_t context; /* the stat of context.md */
	uint64_t rules;	  /* what they say */
	uint64_t places;  /* the stats of the folders of memories and of the
			   * rules' files; 0: one was changed just now */
	size_t len;	  /* of the paths of the rules, which follow */
};

/* What is being looked at. */
struct look {
	struct store store;
	uint64_t hash;
	int64_t sure;
	bool unsure; /* something was changed just now */
};

static void add_stat(struct look *l, const struct stat *st)
{
	const struct filestat f = filestat_of(st);

	l->hash = hash_bytes(&f, sizeof(f), l->hash);
	l->unsure = l->unsure || !filestat_is_sure(&f, l->sure);
}

static uint64_t hash_context(struct look *l)
{
	struct stat st;

	l->hash = 1;
	if (!fstatat(l->store.repo.fd, "context.md", &st, 0))
		add_stat(l, &st);
	return l->hash;
}

/* PATHS, of LEN bytes, are those of the rules. */
static uint64_t hash_places(struct look *l, const char *paths, size_t len)
{
	char folder[] = LAYOUT_MEMORIES "/00";
	struct stat st;

	l->hash = 1;
	l->unsure = false;
	if (layout_stat(&l->store.repo, LAYOUT_MEMORIES, &st) == 1)
		add_stat(l, &st);
	for (int n = 0; n < 100; n++) {
		folder[9] = (char)('0' + n / 10);
		folder[10] = (char)('0' + n % 10);
		if (layout_stat(&l->store.repo, folder, &st) == 1)
			add_stat(l, &st);
	}
	for (const char *p = paths; p < paths + len; p += strlen(p) + 1) {
		if (!stat(p, &st))
			add_stat(l, &st);
	}
	return l->unsure ? 0 : l->hash;
}

/* Read the rules into M, and append their paths to OUT. */
static void read_rules(struct look *l, struct mark *m, struct buf *out)
{
	const size_t start = out->len;
	struct rules rules;
	struct buf text = {0};
	struct err e;

	rules_find(&rules, &l->store, &e);
	rules_text(&text, &rules);
	for (size_t i = 0; i < rules.n; i++)
		buf_add(out, rules.items[i].path,
			strlen(rules.items[i].path) + 1);
	m->rules = hash_bytes(buf_str(&text), text.len, 1);
	m->len = out->len - start;
	m->places = hash_places(l, buf_str(out) + start, m->len);
	rules_release(&rules);
	buf_release(&text);
}

/* Bring M, with the paths of its rules at PATHS, up to what the open store of L
 * has, and append those that it has now to OUT. */
static void look(struct look *l, struct mark *m, const char *paths,
		 struct buf *out)
{
	/* What changes from here on is unsure, and looked at again. */
	l->sure = filestat_sure(l->store.repo.fd);
	m->context = hash_context(l);
	if (m->places && hash_places(l, paths, m->len) == m->places)
		buf_add(out, paths, m->len);
	else
		read_rules(l, m, out);
}

/* Append the mark of SCOPE, which was WAS with PATHS; true if it is another. */
static bool add_mark(struct buf *out, enum scope scope, const struct mark *was,
		     const char *paths)
{
	const size_t start = out->len;
	struct mark m = *was;
	struct look l = {.hash = 0};
	struct err e;

	buf_add(out, (const char *)&m, sizeof(m));
	if (store_open(&l.store, scope, NULL, &e) < 0) {
		buf_add(out, paths, m.len);
		return false;
	}
	if (l.store.repo.fd >= 0)
		look(&l, &m, paths, out);
	else
		m = (struct mark){.context = 0};
	store_close(&l.store);
	memcpy(out->p + start, &m, sizeof(m));
	return m.context != was->context || m.rules != was->rules;
}

bool context_stamp_look(struct buf *stamp)
{
	static const struct mark none;
	const char *p = stamp->p;
	struct buf now = {0};
	bool changed = false;

	for (enum scope scope = SCOPE_PROJECT; scope <= SCOPE_GLOBAL; scope++) {
		struct mark was = none;

		if (stamp->len)
			memcpy(&was, p, sizeof(was));
		p += stamp->len ? sizeof(was) : 0;
		changed = add_mark(&now, scope, &was, p) || changed;
		p += was.len;
	}
	buf_release(stamp);
	*stamp = now;
	return changed;
}
