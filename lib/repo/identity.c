/* identity.c: see identity.h. */
#include "repo/identity.h"

#include "base/compat.h"
#include "repo/shared-drafts.h"
#include "sys/file.h"

#include <fcntl.h>

#define USER "user" /* DIR of the user store, which its path identifies */

/* Format inode number and birth time of the directory FD; "" if unknown. */
static void format_mark(char out[IDENTITY_MARK], int fd)
{
	struct timespec born;
	struct stat st;

	*out = '\0';
	if (fd < 0 || fstat(fd, &st) < 0)
		return;
	if (compat_born(fd, &born) == 0)
		snprintf(out, IDENTITY_MARK, "%llu-%lld.%09ld",
			 (unsigned long long)st.st_ino, (long long)born.tv_sec,
			 born.tv_nsec);
	else
		snprintf(out, IDENTITY_MARK, "%llu@%llu",
			 (unsigned long long)st.st_ino,
			 (unsigned long long)st.st_dev);
}

int identity_of(struct identity *i, struct root *r, struct err *e)
{
	struct project p;
	struct err why = {.code = ERR_NONE};
	int fd = -1, found;

	*i = (struct identity){.path = r->path};
	if (r->scope == SCOPE_GLOBAL) {
		memcpy(i->dir, USER, sizeof(USER));
		return 0;
	}
	found = project_look(&p, r->fd, r->path, &why);
	if (found == 1)
		memcpy(i->id, p.id, sizeof(i->id));
	format_mark(i->dir, r->fd);
	shared_path(r);
	if (r->common)
		fd = open(r->common, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	format_mark(i->git, fd);
	file_close(fd);
	if (found >= 0 || why.code != ERR_SYSTEM)
		return 0;
	return err_take(e, &why);
}

void identity_write(struct buf *out, const struct identity *i)
{
	json_write_text(out, "path", i->path);
	json_write_text(out, "id", *i->id ? i->id : NULL);
	json_write_text(out, "dir", *i->dir ? i->dir : NULL);
	json_write_text(out, "git", *i->git ? i->git : NULL);
}

/* Copy TEXT, unless it is NULL or too long. */
static void copy_fitting(char *to, size_t size, const char *text)
{
	if (text && strlen(text) < size)
		memcpy(to, text, strlen(text) + 1);
}

bool identity_parse(struct identity *i, const struct value *v)
{
	const char *id = value_text(v, "id");

	*i = (struct identity){.path = value_text(v, "path")};
	if (id && project_id_is(id))
		copy_fitting(i->id, sizeof(i->id), id);
	copy_fitting(i->dir, sizeof(i->dir), value_text(v, "dir"));
	copy_fitting(i->git, sizeof(i->git), value_text(v, "git"));
	return i->path && *i->path == '/';
}

bool identity_is_gone(const struct identity *noted)
{
	return file_is_gone(AT_FDCWD, noted->path, false);
}

bool identity_is_same(const struct identity *now, const struct identity *noted)
{
	const bool both = *now->id && *noted->id,
		   id = both && !strcmp(now->id, noted->id),
		   git = *now->git && !strcmp(now->git, noted->git);

	if (!strcmp(now->dir, USER))
		return !strcmp(noted->dir, USER) &&
		       !strcmp(now->path, noted->path);
	if (*now->dir && !strcmp(now->dir, noted->dir))
		return true;
	if (!strcmp(now->path, noted->path))
		return both ? id : git;
	return id && git && identity_is_gone(noted);
}
