#include "cache/names.h"

void names_add(struct names *l, uint32_t folder, uint32_t group,
	       const char *name, size_t len)
{
	l->names = mem_grow(l->names, l->n, &l->cap, sizeof(*l->names));
	l->names[l->n++] = (struct names_entry){
		arena_copy(&l->arena, name, len), folder, group, false};
}

static void index_names(struct names *l)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct names_entry *at = &l->names[i];

		table_put(&l->table, at->name, strlen(at->name), at->folder, i);
	}
}

struct names_entry *names_find(struct names *l, uint32_t folder,
			       const char *name)
{
	struct table_look k;
	size_t i;

	if (!l->table.n)
		index_names(l);
	k = table_look(&l->table, name, strlen(name), folder);
	while (table_next(&k, &i)) {
		struct names_entry *found = &l->names[i];

		if (found->folder == folder && !strcmp(found->name, name))
			return found;
	}
	return NULL;
}

void names_forget(struct names *l, uint32_t folder)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (l->names[i].folder != folder)
			l->names[n++] = l->names[i];
	}
	l->n = n;
}

/* Compare the leading digits as numbers of any length. */
static int compare_digits(const char *a, const char *b)
{
	size_t m, n;

	a += strspn(a, "0");
	b += strspn(b, "0");
	m = strspn(a, "0123456789");
	n = strspn(b, "0123456789");
	if (m != n)
		return m < n ? -1 : 1;
	return strncmp(a, b, m);
}

static int compare_names(const void *a, const void *b)
{
	const struct names_entry *x = a, *y = b;
	int r;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	r = compare_digits(x->name, y->name);
	if (!r)
		r = strcmp(x->name, y->name);
	return r ? r : (x->folder > y->folder) - (x->folder < y->folder);
}

void names_sort_unseen(struct names *l)
{
	size_t n = 0;

	table_release(&l->table);
	for (size_t i = 0; i < l->n; i++) {
		if (!l->names[i].seen)
			l->names[n++] = l->names[i];
	}
	l->n = n;
	if (l->n)
		qsort(l->names, l->n, sizeof(*l->names), compare_names);
}

void names_release(struct names *l)
{
	free(l->names);
	table_release(&l->table);
	arena_release(&l->arena);
	*l = (struct names){0};
}
