/* commit-rules.c: a candidate from any commit message is plain text in
 * sentences, has a limited size, and cites the commit. */
#include "../fuzz.h"

#include "base/utf8.h"
#include "mining/commit-rules.h"
#include "mining/passages.h"
#include "text/sanitize.h"

#define NAME "0123456789abcdef0123456789abcdef01234567"

static void check_passage(void *ctx, const struct passage *p)
{
	size_t *next = ctx;

	must(p->len && !p->p[p->len], "a passage has a length and an end");
	must(!memchr(p->p, '\n', p->len), "a passage is one line");
	must(p->number == (*next)++, "passages are numbered");
	for (size_t at = 0; at < p->len;) {
		const size_t n = passages_sentence(p->p + at, p->len - at);

		must(n && n <= p->len - at, "a sentence has a length");
		at += n;
	}
}

static void check(const struct candidate *c)
{
	must(c->len && strlen(c->text) == c->len, "a text has no NUL");
	must(utf8_check(c->text, c->len) == c->len, "a text is UTF-8");
	for (const char *p = c->text; *p;
	     p += strcspn(p, "\n") + (strchr(p, '\n') != NULL))
		must(sanitize_find_hidden(p, strcspn(p, "\n"), NULL) ==
			     strcspn(p, "\n"),
		     "a text is plain");
	must(!strcmp(c->cite, NAME) && c->commit == c->cite,
	     "a candidate cites its commit");
}

/* The input is a message. Its first line is the subject. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct candidates found = {0};
	struct commit_rules rules = {.found = &found};
	struct buf text = {0};
	struct commit c = {.name = NAME, .author = "Ada <ada@example.org>"};
	size_t next = 0;
	char *body;

	for (size_t i = 0; i < size; i++)
		buf_addc(&text, data[i] ? (char)data[i] : ' ');
	body = mem_strdup(buf_str(&text));
	c.subject = body;
	body += strcspn(body, "\n");
	if (*body)
		*body++ = '\0';
	c.body = body;
	passages_each(body, check_passage, &next);
	commit_rules_apply(&rules, &c);
	commit_rules_finish(&rules);
	candidates_sort(&found);
	for (size_t i = 0; i < found.n; i++)
		check(&found.items[i]);
	free((char *)c.subject);
	buf_release(&text);
	commit_rules_release(&rules);
	candidates_release(&found);
	return 0;
}
