/* secrets.c FILE...: print the secrets in the files. With --list, print the
 * rules for the manual. */
#include "text/secrets.h"

#include "sys/file.h"

static void list(void)
{
	const struct secret_rule *rule;

	for (size_t n = 0; (rule = secrets_rule(n)); n++)
		printf("%s%s%s\n", rule->id, rule->what ? "\t" : "",
		       rule->what ? rule->what : "");
}

static void scan(struct secrets *gate, const char *path)
{
	struct buf text = {0};
	struct secret found;
	struct err e;
	size_t from = 0;

	if (file_read_path(path, (size_t)64 << 20, &text, &e) < 0) {
		printf("%s\n", e.text);
		return;
	}
	while (secrets_find(gate, buf_str(&text), text.len, from, &found, &e) ==
	       1) {
		printf("%s: %zu: %s: %.*s\n", path, found.start, found.rule,
		       (int)(found.end - found.start), text.p + found.start);
		from = found.end;
	}
	buf_release(&text);
}

int main(int argc, char **argv)
{
	struct secrets *gate = secrets_new();

	if (argc > 1 && !strcmp(argv[1], "--list"))
		list();
	else
		for (int i = 1; i < argc; i++)
			scan(gate, argv[i]);
	secrets_free(gate);
	return 0;
}
