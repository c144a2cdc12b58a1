/* stores.c: every store is opened with the progress counter and with the name
 * of the command for the operation log.
 */
#include "cli/stores.h"

#include "cli/cli.h"
#include "sys/dirs.h"
#include "sys/file.h"

static int open_store(struct store *s, bool global, struct err *e)
{
	const int r = store_open(s, global ? SCOPE_GLOBAL : SCOPE_PROJECT,
				 cli_report(), e);

	if (r == 0) {
		s->progress = counter();
		s->command = cli_name();
	}
	return r;
}

void cli_open_store(struct store *s, bool global)
{
	struct err e;

	if (open_store(s, global, &e) < 0)
		cli_die(&e);
}

/* project, user */
static struct store stores[2];
static bool opened[2];

struct store *cli_store(bool user)
{
	if (!opened[user])
		cli_open_store(&stores[user], user);
	opened[user] = true;
	return &stores[user];
}

void cli_close_stores(void)
{
	for (int user = 0; user < 2; user++) {
		if (opened[user])
			store_close(&stores[user]);
		opened[user] = false;
	}
}

/* Return true if OPERAND is an id such as g7 in AREA, or an absolute path, of USER. */
static bool is_of_user(struct store *user, const char *operand, enum area area,
		       struct arena *a)
{
	struct layout_place place;
	const char *path;

	return *operand == '/'
		       ? layout_parse(&user->repo, operand, a, &place)
		       : store_locate(user, area, operand, a, &path, NULL) != 0;
}

bool cli_are_global(const char *const *operands, size_t n, enum area area)
{
	const char *named = NULL, *other = NULL;
	struct store user = {.repo.fd = -1};
	struct arena a = {0};
	bool open = false;
	int64_t id;

	for (size_t i = 0; i < n; i++) {
		if (*operands[i] != '/' &&
		    !store_is_global_id(operands[i], &id)) {
			other = operands[i];
			continue;
		}
		if (!open && store_open(&user, SCOPE_GLOBAL, NULL, NULL) < 0)
			return false;
		open = true;
		if (is_of_user(&user, operands[i], area, &a))
			named = operands[i];
		else
			other = operands[i];
	}
	if (open)
		store_close(&user);
	arena_release(&a);
	if (named && other)
		cli_usage("'%s' is in the user store and '%s' is not: name "
			  "those of one store at a time",
			  named, other);
	return named;
}

bool cli_is_global(const char *operand)
{
	struct strings all = {0};
	struct arena a = {0};
	bool is;

	if (!operand)
		return false;
	if (operand[strspn(operand, "g0123456789,")])
		return cli_are_global(&operand, 1, AREA_MEMORIES);
	for (size_t len; *operand; operand += len + !!operand[len]) {
		len = strcspn(operand, ",");
		strings_add(&all, arena_copy(&a, operand, len));
	}
	is = cli_are_global(all.items, all.n, AREA_MEMORIES);
	free(all.items);
	arena_release(&a);
	return is;
}

void cli_expect(struct store *s, const char *sum)
{
	static const char digits[] = "0123456789abcdefABCDEF";

	if (sum && (strlen(sum) != 64 || sum[strspn(sum, digits)]))
		cli_usage("'%s' is no SHA-256: 'co-memory-show "
			  "--format=%%(sha256) ID' prints that of a memory",
			  sum);
	store_expect(s, sum);
}

bool cli_open_store_if(struct store *s, bool global)
{
	struct err e;

	if (open_store(s, global, &e) == 0 || (global && !dirs_known()))
		return true;
	cli_complain(&e);
	return false;
}

void cli_hint_check(bool global)
{
	cli_hint("'co knowledge --check%s' says what is wrong, and how it is "
		 "mended",
		 global ? " --global" : "");
}

void cli_hint_renumber(bool global)
{
	cli_hint("'co knowledge --check --fix%s' renumbers one of two with an "
		 "id",
		 global ? " --global" : "");
}

void cli_hint_broken(struct store *s, const char *query)
{
	const bool user = s->repo.root.scope == SCOPE_GLOBAL;
	struct arena a = {0};
	struct record r;
	const char *path;
	struct err e;
	int64_t id;

	if ((user ? store_is_global_id(query, &id) : store_is_id(query, &id)) &&
	    store_locate(s, AREA_MEMORIES, query, &a, &path, NULL) == 1 &&
	    store_read(s, path, &a, &r, &e) < 0 && e.code == ERR_DATA)
		cli_hint_check(user);
	arena_release(&a);
}

void cli_note_partial(const struct history *h, const char *what)
{
	if (h->partial)
		cli_note("git has not all versions here: %s", what);
	if (h->remedy)
		cli_hint("'%s' fetches what a partial clone has not",
			 h->remedy);
}

/* Return true if the directory of R is the user's home directory. */
static bool is_at_home(const struct root *r)
{
	const char *home = dirs_home();
	char *top = root_folder(r);
	const bool same = home && file_is_same(top, home);

	free(top);
	return same;
}

void cli_make_store(struct store *s)
{
	struct err e;
	bool made;

	if (store_make(s, &made, &e) < 0)
		cli_die(&e);
	if (!made || cli_quiet)
		return;
	cli_note("made '%s'", s->repo.root.path);
	if (root_seen_by_git(&s->repo.root))
		cli_hint("git will see it; 'co init --private' hides it");
	if (is_at_home(&s->repo.root))
		cli_hint("no project finds it: 'co learn --global' saves for "
			 "every project");
}
