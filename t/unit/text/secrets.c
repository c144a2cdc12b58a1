/* secrets.c: every rule finds its secrets, and harmless text passes. */
#include "text/secrets.h"

#include "../expect.h"
#include "honest.h"
#include "samples.h"

static struct secrets *gate;
static struct err e;
static uint64_t seed = 88172645463325252u;

static size_t draw(size_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (size_t)(seed >> 20) % n;
}

#define DIGITS "0123456789"
#define SMALL "abcdefghijklmnopqrstuvwxyz"
#define CAPITALS "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

static const char *alphabet(char kind)
{
	switch (kind) {
	case 'H':
		return DIGITS "abcdef";
	case 'U':
		return DIGITS CAPITALS;
	case 'L':
		return DIGITS SMALL;
	case 'D':
		return DIGITS;
	case 'W':
		return DIGITS SMALL CAPITALS "_-";
	case 'S':
		return DIGITS SMALL CAPITALS "+/";
	case 'A':
		return CAPITALS "234567";
	case 'C':
		return "123456789ABCDEFGHJKLMNPQRSTUVWXYZ"
		       "abcdefghijkmnopqrstuvwxyz";
	default:
		return DIGITS SMALL CAPITALS;
	}
}

static void add_random(struct buf *out, char kind, size_t n)
{
	const char *from = alphabet(kind);

	while (n--)
		buf_addc(out, from[draw(strlen(from))]);
}

/* Append the text of RECIPE, see samples.h. */
static void make(struct buf *out, const char *recipe)
{
	static const size_t uuid[] = {8, 4, 4, 4, 12};
	char *end;

	for (; *recipe; recipe++) {
		if (recipe[0] == '{' && recipe[1] == 'G') {
			for (size_t i = 0; i < ARRAY_LEN(uuid); i++) {
				buf_adds(out, i ? "-" : "");
				add_random(out, 'H', uuid[i]);
			}
			recipe += 2;
		} else if (recipe[0] == '{' && recipe[1] >= 'A' &&
			   recipe[1] <= 'Z') {
			add_random(out, recipe[1],
				   strtoul(recipe + 2, &end, 10));
			recipe = end;
		} else {
			buf_addc(out, *recipe);
		}
	}
}

/* Return the rule that finds a secret in TEXT, or "". */
static const char *rule_of(const char *text, size_t len)
{
	struct secret found;
	int r = secrets_find(gate, text, len, 0, &found, &e);

	return r > 0 ? found.rule : r < 0 ? e.text : "";
}

static void test_rules(void)
{
	const struct secret_rule *rule;
	struct buf text = {0};

	for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
		int found = 0;

		for (int round = 0; round < 50; round++) {
			buf_cut(&text, 0);
			make(&text, samples[i].recipe);
			found += !strcmp(rule_of(text.p, text.len),
					 samples[i].rule);
		}
		/* a random secret may look like a word and pass */
		if (found >= 40)
			continue;
		expect_failed("failed: %s: %d of 50 found, not '%s' but '%s'",
			      samples[i].rule, found, buf_str(&text),
			      rule_of(text.p, text.len));
	}
	for (size_t n = 0; (rule = secrets_rule(n)); n++) {
		bool tested = false;

		for (size_t i = 0; i < ARRAY_LEN(samples); i++)
			tested |= !strcmp(samples[i].rule, rule->id);
		expect(tested, rule->id);
	}
	buf_release(&text);
}

static void test_honest(void)
{
	struct buf text = {0};

	for (size_t i = 0; i < ARRAY_LEN(honest); i++) {
		for (int round = 0; round < 20; round++) {
			const char *rule;

			buf_cut(&text, 0);
			make(&text, honest[i]);
			rule = rule_of(buf_str(&text), text.len);
			if (!*rule)
				continue;
			expect_failed("failed: '%s' is taken for %s", text.p,
				      rule);
			break;
		}
	}
	buf_release(&text);
}

/* Repeat keywords and halves of patterns. No text may reach a limit or take
 * noticeable time. */
static void test_hostile(void)
{
	const struct secret_rule *rule;
	struct buf text = {0}, mixed = {0};

	for (size_t n = 0; (rule = secrets_rule(n)); n++) {
		const size_t word = strcspn(rule->keywords, "|");

		for (int space = 0; space < 2; space++) {
			buf_cut(&text, 0);
			while (text.len < 20000) {
				buf_adds(&text, space ? " " : "");
				buf_add(&text, rule->keywords, word);
			}
			expect(!*rule_of(text.p, text.len), rule->id);
		}
		buf_add(&mixed, rule->keywords, word);
		buf_adds(&mixed, n % 2 ? " = " : ": ");
	}
	while (mixed.len < 300000)
		buf_adds(&mixed, "\"kty\" kind: Secret\n curl -u a://b:c "
				 "Private-Lines: 1\n> # -----BEGIN PRIVATE "
				 "KEY-----\nAaa: +Aaa: +Aaa: +Aaa: +Aaa: +\n");
	expect(!*rule_of(mixed.p, mixed.len), rule_of(mixed.p, mixed.len));
	buf_release(&text);
	buf_release(&mixed);
}

static void refuse(const char *text, const char *was, const char *where,
		   const char *want)
{
	struct buf got = {0};

	e.text[0] = '\0';
	secrets_refuse(gate, text, strlen(text), was, was ? strlen(was) : 0,
		       where, &e);
	buf_adds(&got, e.text);
	expect_buf(&got, "a refusal", want);
	buf_release(&got);
}

static void test_refusal(void)
{
	struct buf text = {0}, more = {0};

	buf_adds(&text, "one\ntwo\n");
	make(&text, "token: ghp_{B36}\n");
	refuse(text.p, NULL, NULL,
	       "refusing to save what looks like a secret: github-token "
	       "(line 3)");
	refuse(text.p, NULL, "tag 2",
	       "refusing to save what looks like a secret: github-token "
	       "(tag 2)");
	refuse(text.p, text.p, NULL, "");
	buf_add(&more, text.p, text.len);
	make(&more, "\nAKIA{A16}");
	refuse(more.p, text.p, NULL,
	       "refusing to save what looks like a secret: aws-access-key "
	       "(line 5)");
	buf_release(&text);
	buf_release(&more);
}

static void open_gate(void)
{
	gate = secrets_new();
}

static void close_gate(void)
{
	secrets_free(gate);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{"every rule finds its secret", test_rules},
		{"text without a secret passes", test_honest},
		{"no rule reaches a search limit on hostile text",
		 test_hostile},
		{"a refusal names the rule and the line, in new text only",
		 test_refusal},
	};

	return unit_run_between(tests, ARRAY_LEN(tests), open_gate, close_gate);
}
