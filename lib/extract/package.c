/* package.c: the only user of libarchive. It is empty if libarchive is
 * missing; then no program that needs it is linked. */
#if __has_include(<archive.h>)
#include "extract/package.h"

#include "base/buf.h"

#include <archive.h>
#include <archive_entry.h>
#include <strings.h>

static bool has_ending(const char *name, const char *const *endings)
{
	const size_t n = strlen(name);

	for (; *endings; endings++) {
		const size_t len = strlen(*endings);

		if (n >= len && !strcasecmp(name + n - len, *endings))
			return true;
	}
	return false;
}

/* Read the current file of AR into OUT, at most LEFT bytes. */
static int read_file(struct archive *ar, struct buf *out, size_t left,
		     struct err *e)
{
	for (;;) {
		la_ssize_t n;

		buf_grow(out, 65536);
		n = archive_read_data(ar, out->p + out->len, 65536);
		if (n == 0)
			return 0;
		if (n < 0)
			return err_set(e, ERR_DATA, "its archive is damaged");
		buf_cut(out, out->len + (size_t)n);
		if (out->len > left)
			return err_set(e, ERR_SYSTEM,
				       "its archive has more than the limit");
	}
}

/* Read the files of AR whose names end in one of ENDINGS, at most MOST bytes in
 * total. */
static int read_files(struct package *k, struct archive *ar, size_t most,
		      const char *const *endings, struct arena *a,
		      struct err *e)
{
	struct archive_entry *entry;
	struct buf text = {0};
	size_t cap = 0, all = 0;
	int r;

	while ((r = archive_read_next_header(ar, &entry)) == ARCHIVE_OK ||
	       r == ARCHIVE_WARN) {
		const char *name = archive_entry_pathname_utf8(entry);

		if (!name || archive_entry_filetype(entry) != AE_IFREG ||
		    !has_ending(name, endings))
			continue;
		name = arena_strdup(a, name);
		buf_cut(&text, 0);
		r = read_file(ar, &text, most - all, e);
		all += text.len;
		if (r == 0 && k->n == PACKAGE_FILES)
			r = err_set(e, ERR_SYSTEM,
				    "its archive has more than %d files",
				    PACKAGE_FILES);
		if (r < 0)
			break;
		*MEM_ADD(k->files, k->n, cap) = (struct package_file){
			name, arena_copy(a, buf_str(&text), text.len),
			text.len};
	}
	buf_release(&text);
	if (r == -1)
		return -1;
	return r == ARCHIVE_EOF
		       ? 0
		       : err_set(e, ERR_DATA, "its archive is damaged");
}

int package_read(struct package *k, const char *p, size_t len,
		 const char *const *endings, struct arena *a, struct err *e)
{
	struct archive *ar = archive_read_new();
	const size_t ratio = len * PACKAGE_RATIO;
	struct package_file *files;
	int r;

	*k = (struct package){NULL, 0};
	if (!ar)
		mem_none();
	archive_read_support_format_zip(ar);
	if (archive_read_open_memory(ar, p, len) != ARCHIVE_OK)
		r = err_set(e, ERR_DATA, "its archive is damaged");
	else
		r = read_files(k, ar, ratio < PACKAGE_MAX ? ratio : PACKAGE_MAX,
			       endings, a, e);
	archive_read_free(ar);
	files = arena_alloc(a, (k->n + 1) * sizeof(*files));
	if (k->n)
		memcpy(files, k->files, k->n * sizeof(*files));
	free(k->files);
	k->files = files;
	return r;
}

const struct package_file *package_find(const struct package *k,
					const char *name)
{
	for (size_t i = 0; i < k->n; i++) {
		if (!strcmp(k->files[i].name, name))
			return &k->files[i];
	}
	return NULL;
}
#endif
