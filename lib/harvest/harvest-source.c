#include "harvest/harvest-source.h"

#include "harvest/items.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* Open the regular file NAME of DIR. PATH is for messages. The caller closes
 * *FD. */
static int open_source(int dir, const char *name, const char *path, int *fd,
		       struct err *e)
{
	struct stat st;

	*fd = file_open(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
	if (*fd < 0)
		return err_sys(e, "cannot open '%s'", path);
	if (fstat(*fd, &st) == 0 && S_ISREG(st.st_mode))
		return 0;
	close(*fd);
	return err_set(e, ERR_DATA, "'%s' is not a regular file", path);
}

/* Set KEY to the SHA-256 of FD. */
static int hash_fd(int fd, const char *path, char key[SHA256_HEX],
		   struct err *e)
{
	struct sha256 sha;
	char block[65536];
	ssize_t n;

	sha256_begin(&sha);
	while ((n = read(fd, block, sizeof(block))) != 0) {
		if (n < 0 && errno != EINTR)
			return err_sys(e, "cannot read '%s'", path);
		if (n > 0)
			sha256_take(&sha, block, (size_t)n);
	}
	sha256_end(&sha, key);
	return 0;
}

int harvest_source_key(const char *path, char key[SHA256_HEX], struct err *e)
{
	int fd, r;

	if (open_source(AT_FDCWD, path, path, &fd, e) < 0)
		return -1;
	r = hash_fd(fd, path, key, e);
	close(fd);
	return r;
}

/* Delete NAME of DIR durably, if KEY is NULL or the key of its content.
 * Returns 0 also if another harvest has deleted it. */
static int delete_if_unchanged(int dir, const char *name, const char *path,
			       const char *key, struct err *e)
{
	char is[SHA256_HEX];
	int fd, r = 0;

	if (open_source(dir, name, path, &fd, e) < 0)
		return file_is_gone(dir, name, false) ? 0 : -1;
	if (key)
		r = hash_fd(fd, path, is, e);
	close(fd);
	if (r < 0)
		return -1;
	if (key && strcmp(is, key) != 0)
		return err_set(e, ERR_BUSY,
			       "'%s' has changed meanwhile, and is kept", path);
	if (unlinkat(dir, name, 0) < 0)
		return errno == ENOENT ? 0
				       : err_sys(e, "cannot remove '%s'", path);
	return file_sync_dir(dir, path, e);
}

/* Return 1 if L has an entry with the key and status of EN, 0 if not, or -1. */
static int has_status(struct ledger *l, const struct ledger_entry *en,
		      struct err *e)
{
	struct ledger_entry is;
	struct arena a = {0};
	int r = ledger_find(l, en->key, &a, &is, e);

	if (r == 1)
		r = is.status == en->status;
	arena_release(&a);
	return r;
}

int harvest_source_delete(struct ledger *l, const char *path,
			  const struct ledger_entry *en, const char *key,
			  struct err *e)
{
	const char *slash = strrchr(path, '/');
	struct arena a = {0};
	struct ledger_entry now = *en;
	int dir = -1, r = has_status(l, en, e);

	now.deleted = false;
	if (r == 0)
		r = ledger_put(l, &now, e);
	if (r >= 0)
		r = file_open_dir(
			AT_FDCWD,
			slash == path
				? "/"
				: arena_copy(&a, path, (size_t)(slash - path)),
			path, &dir, e);
	if (r == 1)
		r = delete_if_unchanged(dir, slash + 1, path, key, e);
	now.deleted = true;
	if (r >= 0)
		r = ledger_put(l, &now, e);
	file_close(dir);
	arena_release(&a);
	return r < 0 ? -1 : 0;
}

/* Add the items of R to S, and count them in EN. */
static int add_reply_items(struct store *s, const struct reply *r,
			   const char *from, const char *date,
			   struct ledger_entry *en, struct err *e)
{
	struct items_added added;
	size_t refused = 0;

	if (items_add(s, r, from, date, &added, e) < 0)
		return -1;
	for (enum reply_key k = 0; k < REPLY_KEYS; k++) {
		en->items[k] = added.added[k] + added.known[k];
		refused += added.refused[k];
	}
	if (refused)
		return err_set(e, ERR_DATA,
			       "%zu %s of '%s' looked like a secret: the "
			       "conversation is kept",
			       refused, refused == 1 ? "item" : "items",
			       en->path);
	return 0;
}

int harvest_source(struct ledger *l, const char *path, const char *key,
		   const struct reply *r, const char *from, const char *date,
		   bool delete, size_t *items, struct err *e)
{
	struct ledger_entry en = {0};
	struct arena a = {0};
	int result = ledger_find(l, key, &a, &en, e);

	if (result == 0 || (result == 1 && en.status != LEDGER_HARVESTED)) {
		en = (struct ledger_entry){.key = key, .path = path};
		result = add_reply_items(l->store, r, from, date, &en, e);
		if (!result)
			result = ledger_put(l, &en, e);
		for (enum reply_key k = 0; !result && items && k < REPLY_KEYS;
		     k++)
			items[k] += en.items[k];
	}
	en.at = NULL;
	if (result >= 0 && delete)
		result = harvest_source_delete(l, path, &en, key, e);
	arena_release(&a);
	return result < 0 ? -1 : 0;
}
