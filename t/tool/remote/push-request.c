/* push-request PROJECT COMMIT [BASE DOCUMENTS] <LINES: print a request that
 * pushes the lines, which add and remove documents, to PROJECT. BASE is the
 * digest and DOCUMENTS the number of documents before it. COMMIT is one
 * digit. */
#include "format/json-read.h"
#include "format/json-write.h"
#include "remote/remote-document.h"

#include <stdio.h>

struct pushed {
	struct remote_digest digest;
	long n; /* documents */
	struct buf lines;
};

/* Read standard input. Return false if a line is not JSON. */
static bool read_lines(struct pushed *p)
{
	struct arena a = {0};
	char *line = NULL;
	size_t cap = 0;
	ssize_t len;
	struct value v;
	bool ok = true;

	while (ok && (len = getline(&line, &cap, stdin)) > 0) {
		ok = json_parse(line, (size_t)len, &a, &v, NULL) == 0;
		if (ok && value_text(&v, "remove")) {
			remote_digest_subtract(&p->digest,
					       value_text(&v, "remove"));
			p->n--;
		} else if (ok) {
			remote_digest_add(
				&p->digest,
				value_text(value_get(&v, "doc"), "hash"));
			p->n++;
		}
		buf_add(&p->lines, line, (size_t)len);
		arena_reset(&a);
	}
	arena_release(&a);
	free(line);
	return ok;
}

int main(int argc, char **argv)
{
	const char *base = argc > 4 ? argv[3] : "";
	struct pushed p = {.n = argc > 4 ? atol(argv[4]) : 0};
	char hex[SHA256_HEX], commit[41];
	struct buf out = {0};

	if (argc != 3 && argc != 5)
		return 2;
	remote_digest_add(&p.digest, base);
	if (!read_lines(&p))
		return 2;
	memset(commit, *argv[2], 40);
	commit[40] = '\0';
	json_write_open(&out, NULL, '{');
	json_write_text(&out, "verb", "push");
	json_write_text(&out, "project", argv[1]);
	json_write_text(&out, "commit", commit);
	json_write_text(&out, "at", "2026-02-09T14:30:00Z");
	json_write_text(&out, "digest", remote_digest_text(&p.digest, hex));
	json_write_int(&out, "documents", p.n);
	json_write_text(&out, "base", base);
	json_write_bool(&out, "create", true);
	json_write_close(&out, '}');
	printf("%s\n%s{\"end\":true}\n", out.p, buf_str(&p.lines));
	buf_release(&out);
	buf_release(&p.lines);
	return 0;
}
