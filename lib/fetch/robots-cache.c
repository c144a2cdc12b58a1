/* robots-cache.c: a file's name is the hash of its site; its first line has the
 * time and the site. */
#include "fetch/robots-cache.h"

#include "base/instant.h"
#include "base/sha256.h"
#include "fetch/robots.h"
#include "sys/dirs.h"
#include "sys/file-write.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define DAY (24 * 60 * 60)

/* Open the cache directory, creating it. Returns a descriptor, or -1. */
static int open_cache_dir(void)
{
	char *cache = NULL;
	struct buf path = {0};
	int fd = -1;

	if (dirs_cache(&cache, NULL) == 0) {
		buf_addf(&path, "%s/robots", cache);
		if (file_make_path(path.p, 0700, &fd, NULL) < 0)
			fd = -1;
	}
	free(cache);
	buf_release(&path);
	return fd;
}

static const char *file_name_of(const char *origin, char name[SHA256_HEX])
{
	return sha256_of(origin, strlen(origin), name);
}

/* Return true if the first line of TEXT has a time of the last 24 hours and
 * ORIGIN, and remove that line. */
static bool is_fresh(struct buf *text, const char *origin)
{
	const char *p = buf_str(text), *end = strchr(p, '\n');
	const size_t time = strcspn(p, " \n");
	const int64_t now = instant_now().sec;
	struct instant kept;

	if (!end || p[time] != ' ' || !instant_parse(p, time, &kept) ||
	    kept.sec > now || now - kept.sec >= DAY ||
	    (size_t)(end - p) != time + 1 + strlen(origin) ||
	    strncmp(p + time + 1, origin, strlen(origin)) != 0)
		return false;
	end++;
	memmove(text->p, end, text->len - (size_t)(end - p));
	buf_cut(text, text->len - (size_t)(end - p));
	return true;
}

bool robots_cache_get(const char *origin, struct buf *text)
{
	const int dir = open_cache_dir();
	char name[SHA256_HEX];
	bool found = false;

	if (dir < 0)
		return false;
	file_name_of(origin, name);
	found = file_read(dir, name, name, 2 * ROBOTS_MAX, text, NULL) == 1 &&
		is_fresh(text, origin);
	close(dir);
	return found;
}

static int remove_old(void *ctx, const char *name, enum file_kind kind)
{
	const int dir = *(int *)ctx;
	struct stat st;

	if (kind == FILE_REGULAR && *name != '.' &&
	    fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    time(NULL) - st.st_mtime >= DAY)
		unlinkat(dir, name, 0);
	return 0;
}

void robots_cache_put(const char *origin, const struct buf *text)
{
	int dir = open_cache_dir();
	char name[SHA256_HEX], now[INSTANT_TEXT];
	struct buf file = {0};

	if (dir < 0)
		return;
	file_tidy(dir);
	file_walk(dir, "robots", remove_old, &dir, NULL);
	file_name_of(origin, name);
	buf_addf(&file, "%s %s\n", instant_format(instant_now(), now), origin);
	buf_add(&file, buf_str(text), text->len);
	if (file_create(dir, name, name, 0600, file.p, file.len, NULL) == 0)
		file_replace(dir, name, name, file.p, file.len, NULL);
	buf_release(&file);
	close(dir);
}
