/* yaml-fast.c: the scanner for plain forms against libyaml.
 *
 * Pieces of frontmatter, plain and not, are joined, then bytes of them are
 * changed, doubled, dropped and moved, always by the same dice.  What the
 * scanner accepts libyaml must accept too, with the same values at the same
 * places.  An argument sets how many inputs are tried.
 */
#include "../expect.h"

#include "base/utf8.h"
#include "format/yaml-fast.h"
#include "format/yaml.h"

#define DEPTH 8
#define BASE 1000

static const char *const pieces[] = {
	"id: 1\n",
	"id: 042\n",
	"created: 2026-02-09T14:30:00Z\n",
	"tags: [python, style]\n",
	"tags: []\n",
	"tags: [ a , 'b c', \"d\" ] # note\n",
	"tags:\n  - python\n  - \"to do\" # why\n\n  # more\n  - 'x'\n",
	"tags:\n- a\n- b\n",
	"source: user-told\n",
	"source:\n",
	"source: # nothing\n",
	"title: \"asyncio \xE2\x80\x94 Asynchronous I/O\"\n",
	"url: https://docs.python.org/3/library/asyncio.html#x\n",
	"# a comment\n",
	"   # another: [\n",
	"\n",
	"   \n",
	"crlf: yes\r\n",
	"crlf2: [a, b]\r\nlist:\r\n  - c\r\n",
	"n: -5\n",
	"f: 1.5e+3\n",
	"g: .inf\n",
	"big: 123456789012345678901234567890\n",
	"hex: 0x1F\n",
	"null1: ~\n",
	"bool: true\n",
	"text: it's 100% \"fine\" & so on! (a*b) @home\n",
	"persian: \xD9\x85\xDB\x8C\xE2\x80\x8C\xD8\xAE\n",
	"key.with-dots_1: x\n",
	"map: {a: 1}\n",
	"map:\n  a: 1\n  b: [c]\n",
	"multi: one\n  two\n",
	"lit: |\n  a\n  b\n",
	"fold: >-\n  a\n",
	"q: 'it''s'\n",
	"q: \"a\\tb\"\n",
	"anchor: &a x\nalias: *a\n",
	"tag: !!str 1\n",
	"? complex\n: x\n",
	"tab:\tx\n",
	"nel: a\xC2\x85"
	"b\n",
	"ls: a\xE2\x80\xA8"
	"b\n",
	"bom: \xEF\xBB\xBFx\n",
	"list:\n  - - a\n  - b: c\n",
	"deep: [[a], b]\n",
	"x: a: b\n",
	"x: a #b\n",
	"x: a#b:c\n",
	"x: [a b, c d]#e\n",
	"...\n",
	"--- \n",
	"- a\n",
	"%YAML 1.2\n",
	"\x07: x\n",
	"x: \x7F\n",
	"long: [a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a]\n",
};

static const char *const splices[] = {
	" ",
	"\n",
	":",
	": ",
	"#",
	" #",
	"-",
	"- ",
	",",
	"[",
	"]",
	"{",
	"}",
	"'",
	"\"",
	"\\",
	"\t",
	"\r",
	"\r\n",
	"\n\n",
	"\n ",
	"\n  - ",
	"?",
	"? ",
	"|",
	">",
	"&",
	"*",
	"!",
	"%",
	"@",
	"`",
	"~",
	".",
	"0",
	"x",
	"\xC3\xA9",
	"\xC2\x85",
	"\xC2\x80",
	"\xE2\x80\xA9",
	"\xEF\xBB\xBF",
	"\xEF\xBF\xBF",
	"\x01",
	"\x1B",
	"=",
	"<<",
	"---",
	"...",
	"''",
};

static uint64_t dice = 20260209;
static long tries = 100000;

static size_t roll(size_t n)
{
	dice ^= dice << 13;
	dice ^= dice >> 7;
	dice ^= dice << 17;
	return (size_t)(dice % n);
}

/* Replace OUT's bytes [at, at + drop) by ADD. */
static void replace_bytes(struct buf *out, size_t at, size_t drop,
			  const char *add)
{
	struct buf tail = {0};

	buf_add(&tail, out->p + at + drop, out->len - at - drop);
	buf_cut(out, at);
	buf_adds(out, add);
	buf_add(out, buf_str(&tail), tail.len);
	buf_release(&tail);
}

static void mutate(struct buf *out)
{
	size_t at = roll(out->len + 1), left = out->len - at;

	switch (roll(4)) {
	case 0:
		replace_bytes(out, at, 0, splices[roll(ARRAY_LEN(splices))]);
		break;
	case 1:
		replace_bytes(out, at, left ? 1 : 0, "");
		break;
	case 2:
		replace_bytes(out, at, left ? 1 : 0,
			      splices[roll(ARRAY_LEN(splices))]);
		break;
	default:
		replace_bytes(out, at, left < 4 ? left : roll(4), "");
		break;
	}
}

static void make_input(struct buf *out)
{
	size_t n = roll(5), plain_only = roll(2);

	buf_cut(out, 0);
	buf_grow(out, 0);
	for (size_t i = 0; i <= n; i++)
		buf_adds(out,
			 pieces[roll(plain_only ? 29 : ARRAY_LEN(pieces))]);
	for (n = roll(4); n > 0; n--)
		mutate(out);
	if (roll(8) && (!out->len || out->p[out->len - 1] != '\n'))
		buf_addc(out, '\n');
}

/* Equal, places and all. */
static bool same(const struct value *a, const struct value *b)
{
	if (a->start != b->start || a->end != b->end || !value_equal(a, b))
		return false;
	for (size_t i = 0; a->kind == VALUE_LIST && i < a->u.list.n; i++) {
		if (!same(&a->u.list.items[i], &b->u.list.items[i]))
			return false;
	}
	for (size_t i = 0; a->kind == VALUE_MAP && i < a->u.map.n; i++) {
		if (!same(&a->u.map.pairs[i].key, &b->u.map.pairs[i].key) ||
		    !same(&a->u.map.pairs[i].val, &b->u.map.pairs[i].val))
			return false;
	}
	return true;
}

static void show(const char *what, const struct buf *in)
{
	struct buf text = {0};

	for (size_t i = 0; i < in->len; i++) {
		const unsigned char c = (unsigned char)in->p[i];

		if (c == '\n')
			buf_adds(&text, "\\n");
		else if (c < 0x20 || c > 0x7E)
			buf_addf(&text, "\\x%02x", c);
		else
			buf_addc(&text, (char)c);
	}
	expect_failed("failed: %s: %s", what, buf_str(&text));
	buf_release(&text);
}

/* Compare the readers on a copy of IN that ends where it ends, so that a
 * sanitizer sees a read beyond; libyaml reads what is not plain, too.  1 if it
 * was plain, -1 if they disagree. */
static int compare(const struct buf *in, struct arena *a)
{
	char *text = mem_alloc(in->len);
	struct value plain, yaml;
	struct err e = {.text = "different"};
	bool ok, is_plain;
	size_t fault = 0;

	memcpy(text, in->p, in->len);
	is_plain = yaml_fast_parse(text, in->len, BASE, a, &plain);
	ok = yaml_parse(text, in->len, BASE, DEPTH, a, &yaml, &fault, &e) == 0;
	free(text);
	if (fault > in->len) {
		show("a fault beyond the end", in);
		return -1;
	}
	if (is_plain && !(ok && same(&plain, &yaml))) {
		show(e.text, in);
		return -1;
	}
	return is_plain;
}

static void test_all(void)
{
	struct arena a = {0};
	struct buf in = {0};
	long plain = 0;

	for (long i = 0; i < tries && failures < 10; i++) {
		make_input(&in);
		if (utf8_check(in.p, in.len) < in.len)
			continue;
		plain += compare(&in, &a) != 0;
		arena_reset(&a);
	}
	if (plain < tries / 20)
		expect_failed("failed: only %ld of %ld inputs were plain",
			      plain, tries);
	arena_release(&a);
	buf_release(&in);
}

/* Only speed depends on it: a form that the scanner rejects is libyaml's. */
static void test_plain(void)
{
	static const char *const plain[] = {
		"id: 1\ncreated: 2026-02-09T14:30:00Z\ntags: [a, 'b c', "
		"\"d\"]\n",
		"tags:\n  - a\n  # why\n\n  - b # note\nsource:\n",
		"a: \xC2\xA0\xDF\xBF \xE2\x80\xA7\xE2\x80\xAA \xE3\x80\xA8 "
		"\xE2\x81\xA8\n",
		"a: \xEF\xBC\x9A\xEF\xBB\xBE \xEF\xBF\xBD \xEE\xBB\xBF "
		"\xEE\xBF\xBF\n",
		"a: \xF0\x9F\x98\x80 # \xF0\x9F\x98\x80\r\nb: "
		"'\xE2\x80\x94'\r\n",
	};
	struct arena a = {0};
	struct value v;

	for (size_t i = 0; i < ARRAY_LEN(plain); i++)
		expect(yaml_fast_parse(plain[i], strlen(plain[i]), BASE, &a,
				       &v),
		       plain[i]);
	arena_release(&a);
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		{"the usual forms are plain, in letters of every script",
		 test_plain},
		{"the plain scanner agrees with libyaml on all that it accepts",
		 test_all},
	};

	if (argc > 1)
		tries = strtol(argv[1], NULL, 10);
	return unit_run(tests, ARRAY_LEN(tests));
}
