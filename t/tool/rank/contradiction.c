/* contradiction.c: for each line KIND<tab>EARLIER<tab>LATER, print
 * "contradicts", "alike" or "far" for the later text, then the line. */
#include "rank/alike.h"

int main(void)
{
	struct terms t = {0};
	struct arena texts = {0};
	struct alike a = {0}, b = {0};
	static char line[1 << 16];

	while (fgets(line, sizeof(line), stdin)) {
		char *earlier = strchr(line, '\t') + 1;
		char *later = strchr(earlier, '\t') + 1;
		struct alike_text *one, *two;
		const size_t x = strcspn(earlier, "\t"),
			     y = strcspn(later, "\n");

		one = alike_text_read(&t, earlier, x, &texts);
		two = alike_text_read(&t, later, y, &texts);
		alike_read(&a, &t, earlier, x);
		alike_read(&b, &t, later, y);
		printf("%s\t%s",
		       alike_compare(&a, &b) < ALIKE_LEAST ? "far"
		       : alike_text_contradicts(two, one)  ? "contradicts"
							   : "alike",
		       line);
		arena_reset(&texts);
	}
	arena_release(&texts);
	alike_release(&a);
	alike_release(&b);
	terms_release(&t);
	return 0;
}
