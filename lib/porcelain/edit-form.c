/* edit-form.c: a line as git's scissors, since a # begins a heading in
 * Markdown. */
#include "porcelain/edit-form.h"

#include "base/utf8.h"

#define CUT "# ------------------------ >8 ------------------------\n"

void edit_form_add(struct buf *out, const struct strings *tags,
		   const char *source)
{
	buf_adds(out, "\n" CUT
		      "# Write above this line what is to be remembered: one "
		      "thing, its first line\n"
		      "# is what lists show.  Below it, commas between tags.\n"
		      "tags:");
	for (size_t i = 0; i < tags->n; i++)
		buf_addf(out, "%s%s", i ? ", " : " ", tags->items[i]);
	buf_addf(out, "\nsource: %s\n", source);
}

/* The value of NAME in the lines of P, in A; NULL where none has it. */
static const char *find_field(const char *p, const char *name, struct arena *a)
{
	const size_t n = strlen(name);

	for (; *p; p += strcspn(p, "\n"), p += *p == '\n') {
		const char *value = p + n;
		size_t len;

		if (strncmp(p, name, n) != 0)
			continue;
		len = strcspn(value, "\r\n");
		utf8_strip(&value, &len);
		return arena_copy(a, value, len);
	}
	return NULL;
}

/* Replace TAGS by those of LINE, with commas between. */
static void read_tags(struct strings *tags, const char *line, struct arena *a)
{
	tags->n = 0;
	while (*line) {
		const char *p = line;
		size_t len = strcspn(line, ",");

		line += len + (line[len] == ',');
		utf8_strip(&p, &len);
		if (len)
			strings_add(tags, arena_copy(a, p, len));
	}
}

void edit_form_read(struct buf *text, struct strings *tags, const char **source,
		    struct arena *a)
{
	char *cut = text->len ? strstr(text->p, CUT) : NULL;
	const char *value;

	if (!cut || (cut != text->p && cut[-1] != '\n'))
		return;
	value = find_field(cut, "tags:", a);
	if (value)
		read_tags(tags, value, a);
	value = find_field(cut, "source:", a);
	if (value && *value)
		*source = value;
	buf_cut(text, (size_t)(cut - text->p));
}
