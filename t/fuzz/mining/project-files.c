/* project-files.c: a candidate from any guide or ADR is plain text and cites
 * lines of the file. */
#include "../fuzz.h"

#include "base/utf8.h"
#include "mining/candidates.h"
#include "text/sanitize.h"

#include <stdio.h>

static size_t count_lines(const uint8_t *data, size_t size)
{
	size_t n = size && data[size - 1] != '\n';

	for (size_t i = 0; i < size; i++)
		n += data[i] == '\n';
	return n;
}

static void check(const struct candidate *c, size_t lines)
{
	size_t first = 0, last = 0;

	must(c->len && strlen(c->text) == c->len, "a text has no NUL");
	must(c->len < 2000, "the length of a text is limited");
	must(utf8_check(c->text, c->len) == c->len, "a text is UTF-8");
	must(!c->commit && sscanf(c->cite, "%*[a-z]/a.%*[a-z]:%zu-%zu", &first,
				  &last) == 2,
	     "a candidate cites the file");
	must(first && first <= last && last <= lines, "the cited lines exist");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct candidates found = {0};
	struct buf text = {0};

	buf_add(&text, data, size);
	candidates_add_file(&found, "develop/a.md", &text, false);
	candidates_add_file(&found, "develop/a.rst", &text, false);
	candidates_add_file(&found, "develop/a.adoc", &text, false);
	candidates_add_file(&found, "doc/a.md", &text, true);
	candidates_sort(&found);
	for (size_t i = 0; i < found.n; i++)
		check(&found.items[i], count_lines(data, size));
	buf_release(&text);
	candidates_release(&found);
	return 0;
}
