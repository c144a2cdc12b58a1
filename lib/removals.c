/* removals.c: see removals.h. */
#include "removals.h"

#include "instant.h"

#include <fcntl.h>
#include <unistd.h>

/* The number of a removal's folder, "TIMESTAMP-N"; 0 for another name. */
static int64_t number_of(const char *name)
{
	const char *dash = strrchr(name, '-');
	int64_t n = 0;

	if (!dash || !dash[1])
		return 0;
	for (const char *p = dash + 1; *p; p++) {
		if (*p < '0' || *p > '9' || n > 999999999999)
			return 0;
		n = n * 10 + (*p - '0');
	}
	return n;
}

static bool is_removal(const char *name)
{
	return *name && *name != '.' && strcmp(name, SHELF_PURGED) != 0;
}

bool removals_is_folder(const char *folder)
{
	const size_t len = strlen("trash/");

	return !strncmp(folder, "trash/", len) && !strchr(folder + len, '/') &&
	       is_removal(folder + len);
}

static int add_removal(void *ctx, const char *name, enum file_kind kind)
{
	struct removals *list = ctx;

	if (kind != FILE_FOLDER || !is_removal(name))
		return 0;
	list->names = mem_grow(list->names, list->n, &list->cap,
			       sizeof(*list->names));
	list->names[list->n++] = arena_strdup(list->a, name);
	return 0;
}

static int by_number(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;
	const int64_t m = number_of(*x), n = number_of(*y);

	return m != n ? (m < n ? 1 : -1) : -strcmp(*x, *y);
}

int removals_list(struct store *s, struct arena *a, struct removals *list,
		  struct err *e)
{
	int fd, r;

	*list = (struct removals){a, NULL, 0, 0};
	r = shelf_open(s, "trash", &fd, e);
	if (r != 1)
		return r;
	r = file_walk(fd, s->path, add_removal, list, e);
	close(fd);
	if (list->n)
		qsort(list->names, list->n, sizeof(*list->names), by_number);
	return r;
}

int removals_new(struct store *s, struct arena *a, const char **folder, int *fd,
		 struct err *e)
{
	struct removals list;
	char when[INSTANT_TEXT];
	int64_t n = 0;

	if (removals_list(s, a, &list, e) < 0) {
		free(list.names);
		return -1;
	}
	if (list.n)
		n = number_of(list.names[0]);
	free(list.names);
	*folder = arena_printf(a, "trash/%s-%lld",
			       instant_format_name(instant_now(), when),
			       (long long)n + 1);
	return shelf_make(s, *folder, fd, e);
}

/* Remove FOLDER, "trash/..." below knowledge/, if it is empty. */
static void remove_empty(struct store *s, const char *folder)
{
	int fd;

	if (shelf_open(s, "trash", &fd, NULL) != 1)
		return;
	/* Lost in a crash, it is removed by the next undo that meets it. */
	if (unlinkat(fd, folder + strlen("trash/"), AT_REMOVEDIR) == 0)
		file_sync_dir(fd, folder, NULL);
	close(fd);
}

void removals_drop_empty(struct store *s, struct arena *a, const char *folder)
{
	const char *slash = strchr(folder + strlen("trash/"), '/');

	if (slash)
		folder = arena_copy(a, folder, (size_t)(slash - folder));
	remove_empty(s, arena_printf(a, "%s/drafts", folder));
	remove_empty(s, folder);
}
