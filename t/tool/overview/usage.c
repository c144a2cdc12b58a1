/* usage.c: read cases of t/usage, one JSON object per line. Before each line,
 * print whether its memory was used, and whether it is guessed to be. */
#include "base/arena.h"
#include "format/json-read.h"
#include "overview/usage.h"

static const char *judge(const struct value *v)
{
	struct usage *u = usage_new();
	const char *memory = value_text(v, "memory");
	const struct value *turns = value_get(v, "turns");
	const struct instant given = {.sec = value_get(v, "given")->u.i};
	enum usage_guess guess;

	usage_add_memory(u, memory, strlen(memory));
	for (size_t i = 0; i < turns->u.list.n; i++) {
		const struct value *turn = &turns->u.list.items[i];
		const char *text = value_text(turn, "text");

		usage_add_turn(u,
			       value_is(value_get(turn, "role"), "assistant"),
			       (struct instant){.sec = (int64_t)i}, text,
			       strlen(text));
	}
	guess = usage_of(u, 0, given);
	usage_free(u);
	return guess == USAGE_USED ? "used" : "unused";
}

int main(void)
{
	struct arena a = {0};
	static char line[1 << 16];

	while (fgets(line, sizeof(line), stdin)) {
		struct value v;

		if (json_parse(line, strlen(line), &a, &v, NULL) < 0)
			return 3;
		printf("%s\t%s\t%s",
		       value_get(&v, "used")->u.b ? "used" : "unused",
		       judge(&v), line);
		arena_reset(&a);
	}
	arena_release(&a);
	return 0;
}
