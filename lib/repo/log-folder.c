/* log-folder.c: see log-folder.h.
 *
 * Known limit: older versions wrote no LOG_FOLDER_STORE. Their logs in a git directory
 * are identified by their path. Those in the state directory count only if the list of
 * known projects has the store.
 */
#include "repo/log-folder.h"

#include "base/hash.h"
#include "base/strings.h"
#include "format/json-read.h"
#include "repo/known-projects.h"
#include "repo/shared-drafts.h"
#include "sys/dirs.h"
#include "sys/file-write.h"

#include <fcntl.h>
#include <unistd.h>

#define STORE_MAX ((size_t)64 * 1024)
#define ASIDE "aside-"
#define ASIDE_MAX 1000

/* The owner of the log at log_folder_path(). */
enum { UNKNOWN, OURS, UNCLAIMED, OTHERS };

/* Set the log of R to its place in the git directory; for the main work tree, next
 * to the drafts. */
static void place_in_git(struct root *r)
{
	const char *place = r->shared + strlen(r->common);
	struct buf path = {0};

	buf_addf(&path, "%s%.*s/log", r->own,
		 (int)(strlen(place) - strlen("/drafts")), place);
	r->log = buf_take(&path);
	r->log_above = mem_strdup(r->common);
}

/* Return the path of the log of R in the state directory, and set *STATE to that
 * directory; the caller frees both. Return NULL if the state directory is unknown. */
static char *path_in_state(const struct root *r, char **state)
{
	struct buf path = {0};
	size_t len;

	if (dirs_state(state, NULL) < 0)
		return NULL;
	buf_addf(&path, "%s/log/", *state);
	len = path.len;
	if (!shared_add_name(&path, r->path)) {
		const size_t n = strlen(r->path);

		buf_cut(&path, len);
		buf_addf(&path, "%016llx%016llx",
			 (unsigned long long)hash_bytes(r->path, n, 0),
			 (unsigned long long)hash_bytes(r->path, n, 1));
	}
	return buf_take(&path);
}

const char *log_folder_path(struct root *r)
{
	const char *shared = r->log ? NULL : shared_path(r);

	if (!r->log && shared && r->own)
		place_in_git(r);
	else if (!r->log && !r->closed) {
		r->log = path_in_state(r, &r->log_above);
		r->log_in_state = true;
	}
	return r->log;
}

/* Read the owner of the log FD, at PATH, into I, in A. Return 1, 0 if the log does
 * not name one, or -1. */
static int read_store(int fd, const char *path, struct identity *i,
		      struct arena *a, struct err *e)
{
	struct buf text = {0};
	struct value v;
	int r = file_read(fd, LOG_FOLDER_STORE,
			  arena_printf(a, "%s/" LOG_FOLDER_STORE, path),
			  STORE_MAX, &text, e);

	if (r == 1)
		r = json_parse(arena_copy(a, buf_str(&text), text.len),
			       text.len, a, &v, NULL) == 0 &&
		    identity_parse(i, &v);
	buf_release(&text);
	return r;
}

static bool is_equal(const struct identity *a, const struct identity *b)
{
	return !strcmp(a->path, b->path) && !strcmp(a->id, b->id) &&
	       !strcmp(a->dir, b->dir) && !strcmp(a->git, b->git);
}

/* Return true if the log in the place of NOW, written by WAS, belongs to NOW. A log
 * in a git directory moves with it. */
static bool is_own(const struct root *r, const struct identity *now,
		   const struct identity *was)
{
	return identity_is_same(now, was) ||
	       (!r->log_in_state &&
		(!*now->id || !*was->id || !strcmp(now->id, was->id)));
}

/* Return true if the log FD has no operation. */
static bool is_empty(int fd)
{
	return faccessat(fd, "now", F_OK, AT_SYMLINK_NOFOLLOW) < 0 &&
	       faccessat(fd, "unfinished", F_OK, AT_SYMLINK_NOFOLLOW) < 0;
}

/* Set R->log_is from WAS, the owner of its log. Return 0, or -1 if the id of R decides
 * and cannot be read. */
static int compare_owner(struct root *r, const struct identity *was,
			 struct err *e)
{
	struct identity now;
	const bool known = identity_of(&now, r, e) == 0,
		   own = is_own(r, &now, was);

	if (!known && !own)
		return -1;
	/* If the id is unknown, log_folder_claim() must not write it. */
	r->log_is = !own			    ? OTHERS
		    : known && !is_equal(&now, was) ? UNCLAIMED
						    : OURS;
	return 0;
}

/* Set R->log_is to the owner of the log FD. Return 0, or -1. */
static int find_owner(struct root *r, int fd, struct err *e)
{
	struct identity was;
	struct arena a = {0};
	int found;

	if (r->log_is != UNKNOWN || r->scope != SCOPE_PROJECT) {
		r->log_is = r->log_is == UNKNOWN ? OURS : r->log_is;
		return 0;
	}
	found = read_store(fd, r->log, &was, &a, e);
	if (found == 1) {
		found = compare_owner(r, &was, e);
	} else if (found == 0) {
		r->log_is = !r->log_in_state || is_empty(fd) ||
					    known_projects_has(r)
				    ? UNCLAIMED
				    : OTHERS;
	}
	arena_release(&a);
	return found < 0 ? -1 : 0;
}

/* Return the sum of the name of the owner of the log FD. Each directory that was at
 * a path has another sum, so logs that are put aside never collide, however many
 * there are. */
static uint64_t owner_hash(const struct root *r, int fd)
{
	const uint64_t place = hash_bytes(r->path, strlen(r->path), 0);
	struct buf text = {0};
	uint64_t hash;

	file_read(fd, LOG_FOLDER_STORE, LOG_FOLDER_STORE, STORE_MAX, &text,
		  NULL);
	hash = hash_bytes(buf_str(&text), text.len, place);
	buf_release(&text);
	return hash;
}

/* Rename the log in the place of R, which belongs to the store whose name has HASH.
 * Return 0, or -1. */
static int set_aside(struct root *r, uint64_t hash, struct err *e)
{
	const char *name = strrchr(r->log, '/') + 1;
	char *above = mem_strdup(r->log);
	char aside[64];
	int dir, done = 0;

	above[name - r->log - 1] = '\0';
	if (file_open_dir(AT_FDCWD, above, above, &dir, e) != 1) {
		free(above);
		return -1;
	}
	for (int i = 1; i <= ASIDE_MAX && !done; i++) {
		snprintf(aside, sizeof(aside), ASIDE "%016llx-%d",
			 (unsigned long long)hash, i);
		done = file_rename(dir, name, dir, aside, r->log, e);
	}
	if (!done)
		done = err_set(e, ERR_SYSTEM, "'%s' is full of old logs",
			       above);
	close(dir);
	free(above);
	r->log_is = UNCLAIMED;
	return done < 0 ? -1 : 0;
}

/* Open the directory below which the log is opened without following links. */
static int open_above(const struct root *r, bool make, int *fd, struct err *e)
{
	if (make && r->log_in_state)
		return file_make_path(r->log_above, 0700, fd, e) < 0 ? -1 : 1;
	return file_open_dir(AT_FDCWD, r->log_above, r->log_above, fd, e);
}

/* Open the directory of the log, also if another store owns it. MAKE: create
 * it if it is absent. */
static int open_any(struct root *r, bool make, int *fd, struct err *e)
{
	int above, found = open_above(r, make, &above, e);

	if (found != 1)
		return found;
	found = file_open_below(above, r->log_above,
				r->log + strlen(r->log_above) + 1,
				make ? log_folder_dir_mode(r) : 0, fd, e);
	close(above);
	return found;
}

int log_folder_open(struct root *r, bool make, int *fd, struct err *e)
{
	uint64_t owner = 0;
	char *state;
	int found;

	*fd = -1;
	if (!log_folder_path(r)) {
		if (r->closed)
			return err_set(e, ERR_SYSTEM, "%s", r->closed);
		if (make && dirs_state(&state, e) == 0)
			free(state);
		return make ? -1 : 0;
	}
	found = open_any(r, make, fd, e);
	if (found != 1)
		return found;
	if (find_owner(r, *fd, e) < 0)
		found = -1;
	else if (r->log_is == OTHERS)
		found = 0;
	if (found == 1)
		return 1;
	make = make && found == 0;
	if (make)
		owner = owner_hash(r, *fd);
	close(*fd);
	*fd = -1;
	if (!make)
		return found;
	return set_aside(r, owner, e) < 0 ? -1 : open_any(r, true, fd, e);
}

int log_folder_add_store(struct buf *out, struct root *r, struct err *e)
{
	struct identity now;

	if (identity_of(&now, r, e) < 0)
		return -1;
	json_write_open(out, NULL, '{');
	identity_write(out, &now);
	json_write_end(out);
	return 0;
}

int log_folder_claim(struct root *r, int fd, struct err *e)
{
	struct buf text = {0}, path = {0};
	int done;

	if (r->log_is == OURS || r->scope != SCOPE_PROJECT)
		return 0;
	if (log_folder_add_store(&text, r, e) < 0)
		return -1;
	buf_addf(&path, "%s/" LOG_FOLDER_STORE, r->log);
	done = file_create_from(fd, fd, LOG_FOLDER_STORE, path.p,
				log_folder_file_mode(r), text.p, text.len, e);
	if (done == 0)
		done = file_replace_from(fd, fd, LOG_FOLDER_STORE, path.p, NULL,
					 text.p, text.len, NULL, e);
	if (done >= 0)
		r->log_is = OURS;
	buf_release(&text);
	buf_release(&path);
	return done < 0 ? -1 : 0;
}

unsigned log_folder_file_mode(struct root *r)
{
	log_folder_path(r);
	return r->log_in_state ? 0600 : root_file_mode(r);
}

unsigned log_folder_dir_mode(struct root *r)
{
	log_folder_path(r);
	return r->log_in_state ? 0700 : root_dir_mode(r);
}

/* The state of log_folder_each_other(). */
struct others {
	struct root *root;
	struct identity now;
	log_folder_fn *fn;
	void *ctx;
	struct err *e;
	struct arena a;
	struct strings seen;
	const char *expected; /* the path of the store whose places these are */
	const char *drafts;   /* the directory of drafts next to it, or NULL */
	bool in_git;
};

/* Call the callback with the log at PATH, if it may belong to the store. */
static int offer_log(struct others *o, const char *path)
{
	struct log_folder f = {.path = path, .drafts = o->drafts};
	const struct identity *now = &o->now;
	int fd, found, r = 0;

	if (!strcmp(path, o->root->log) || strings_has(&o->seen, path))
		return 0;
	strings_add(&o->seen, path);
	if (f.drafts && shared_path(o->root) &&
	    !strcmp(f.drafts, shared_path(o->root)))
		f.drafts = NULL;
	if (file_open_dir(AT_FDCWD, path, path, &fd, NULL) != 1)
		return 0;
	found = read_store(fd, path, &f.was, &o->a, NULL);
	close(fd);
	if (found == 1) {
		f.proven = identity_is_same(now, &f.was);
	} else if (found == 0 && o->expected) {
		f.was = (struct identity){.path = o->expected};
		f.proven = !strcmp(o->expected, now->path) &&
			   known_projects_has(o->root);
		if (f.proven)
			memcpy(f.was.id, now->id, sizeof(f.was.id));
	} else {
		return 0;
	}
	f.replaced = !f.proven && !strcmp(f.was.path, now->path);
	if (f.proven || f.replaced || (*now->id && !strcmp(f.was.id, now->id)))
		r = o->fn(o->ctx, &f, o->e);
	return r;
}

/* Set *NAMES to the directories in PATH, which need not exist. The caller frees the
 * array, also after -1. */
static int list_folders(struct others *o, const char *path,
			struct strings *names)
{
	struct file_list in = {0};
	int dir, r = 0;

	*names = (struct strings){0};
	if (file_open_dir(AT_FDCWD, path, path, &dir, NULL) == 1) {
		r = file_list(dir, path, &o->a, &in, o->e);
		close(dir);
	}
	for (size_t i = 0; i < in.n; i++) {
		if (in.items[i].kind == FILE_FOLDER)
			strings_add(names, in.items[i].name);
	}
	return r;
}

/* Offer the logs in the directory PATH, which need not exist. */
static int offer_logs(struct others *o, const char *path)
{
	struct strings names;
	int r = list_folders(o, path, &names);

	for (size_t i = 0; i < names.n && !r; i++) {
		const char *name = names.items[i];

		if (!o->in_git || !strcmp(name, "log") ||
		    !strncmp(name, ASIDE, strlen(ASIDE)))
			r = offer_log(o,
				      arena_printf(&o->a, "%s/%s", path, name));
	}
	free(names.items);
	return r;
}

/* Offer the logs of all places in the git directory. */
static int offer_places(struct others *o)
{
	const char *above = arena_printf(&o->a, "%s/co-cli", o->root->own);
	struct strings names;
	int r = list_folders(o, above, &names);

	o->in_git = true;
	for (size_t i = 0; i < names.n && !r; i++) {
		const char *path =
			arena_printf(&o->a, "%s/%s", above, names.items[i]);

		/* Linked work trees share their drafts with others. */
		if (!strcmp(o->root->own, o->root->common))
			o->drafts = arena_printf(&o->a, "%s/drafts", path);
		r = offer_logs(o, path);
	}
	o->drafts = NULL;
	o->in_git = false;
	free(names.items);
	return r;
}

/* Offer the logs in the state directory. */
static int offer_state(struct others *o)
{
	struct root here = {.scope = SCOPE_PROJECT, .path = o->root->path};
	char *state, *path = path_in_state(&here, &state);
	int r;

	if (!path)
		return 0;
	o->expected = o->now.path;
	r = offer_log(o, arena_strdup(&o->a, path));
	o->expected = NULL;
	if (!r)
		r = offer_logs(o, arena_printf(&o->a, "%s/log", state));
	free(path);
	free(state);
	return r;
}

/* Offer the logs of a store at PATH in the git directories around FOLDER. */
static int offer_around(struct others *o, const char *folder, const char *path)
{
	struct buf at = {0};
	int r = 0;

	buf_adds(&at, folder);
	while (!r && at.len) {
		struct root there = {.scope = SCOPE_PROJECT,
				     .fd = -1,
				     .path = mem_strdup(path)};

		if (!shared_find(&there, at.p, &at))
			buf_cut(&at, 0);
		if (there.shared && there.own) {
			place_in_git(&there);
			there.log[strlen(there.log) - strlen("/log")] = '\0';
			o->expected = path;
			if (!strcmp(there.own, there.common))
				o->drafts = arena_strdup(&o->a, there.shared);
			o->in_git = true;
			r = offer_logs(o, arena_strdup(&o->a, there.log));
			o->drafts = o->expected = NULL;
			o->in_git = false;
		}
		root_release(&there);
		while (at.len && at.p[at.len - 1] != '/')
			buf_cut(&at, at.len - 1);
		buf_cut(&at, at.len ? at.len - 1 : 0);
	}
	buf_release(&at);
	return r;
}

/* Offer the logs around the paths that the list of known projects has for the id. */
static int offer_known(struct others *o)
{
	struct known_projects all;
	int r = 0;

	if (!*o->now.id || known_projects_read(&all, &o->a, NULL) < 0)
		return 0;
	for (size_t i = 0; i < all.n && !r; i++) {
		const struct known_project *p = &all.items[i];

		if (!strcmp(p->id, o->now.id))
			r = offer_around(
				o, p->path,
				arena_printf(&o->a, "%s/.co-cli", p->path));
	}
	return r;
}

int log_folder_each_other(struct root *r, log_folder_fn *fn, void *ctx,
			  struct err *e)
{
	struct others o = {.root = r, .fn = fn, .ctx = ctx, .e = e};
	char *folder;
	int result = 0;

	if (r->scope != SCOPE_PROJECT || !log_folder_path(r))
		return 0;
	if (identity_of(&o.now, r, e) < 0)
		return -1;
	folder = root_folder(r);
	result = offer_state(&o);
	if (!result && r->own)
		result = offer_places(&o);
	if (!result)
		result = offer_around(&o, folder, r->path);
	if (!result)
		result = offer_known(&o);
	free(folder);
	free(o.seen.items);
	arena_release(&o.a);
	return result;
}
