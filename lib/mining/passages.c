/* passages.c: one pass through the lines. A line either continues the passage or ends
 * it; the kinds of lines that end it are in two tables. */
#include "mining/passages.h"

#include "base/ascii.h"
#include "base/utf8.h"

#include <strings.h>

/* Keys after whose colon a text for people follows. */
static const struct {
	const char *word, *key;
	enum passage_kind kind;
} keys[] = {
	{"Learned:", "Learned", PASSAGE_TRAILER},
	{"Decision:", "Decision", PASSAGE_TRAILER},
	{"Because:", "Because", PASSAGE_TRAILER},
	{"BREAKING CHANGE:", NULL, PASSAGE_BREAKING},
	{"BREAKING-CHANGE:", NULL, PASSAGE_BREAKING},
	{"BREAKING CHANGES:", NULL, PASSAGE_BREAKING},
	{"BREAKING:", NULL, PASSAGE_BREAKING},
};

/* Beginnings of lines that are for programs and trackers, in lower case. */
static const char *const marks[] = {
	"this reverts",	 "reverts #",	   "closes",	    "close #",
	"fixes",	 "fix #",	   "fixed #",	    "resolves",
	"refs",		 "ref:",	   "ref #",	    "see #",
	"see also",	 "bug:",	   "issue:",	    "issue #",
	"pr:",		 "pr-url:",	   "pr-close",	    "link:",
	"cc:",		 "change-id:",	   "follow-up to",  "followup to",
	"cherry-picked", "(cherry picked", "cherry picked", "backport",
	"related",	 "co-authored",	   "conflicts:",    "ticket:",
	"upstream",	 "discussion:",	   "reported",	    "suggested-by",
	"http://",	 "https://",	   "failed ci",	    "also:",
	"[ci skip]",	 "[skip ci]",	   "thanks",	    "credit",
	"/cc",		 "ping",	   "part of #",	    "url:",
	"merge ",	 "found by",	   "gitlab",	    "jira",
};

struct splitter {
	passage_fn *fn;
	void *ctx;
	struct buf text;
	struct passage now;
	bool open;
	size_t indent; /* of the text of an item */
	char fence;    /* '`' or '~' inside fenced code, else 0 */
	bool skips;    /* up to the next blank line */
};

static void end_passage(struct splitter *s)
{
	if (s->open && s->text.len) {
		s->now.p = buf_str(&s->text);
		s->now.len = s->text.len;
		s->fn(s->ctx, &s->now);
		s->now.number++;
	}
	s->open = false;
	buf_cut(&s->text, 0);
}

static void begin_passage(struct splitter *s, enum passage_kind kind,
			  const char *key)
{
	end_passage(s);
	s->open = true;
	s->now.kind = kind;
	s->now.key = key;
}

/* Append the words of LEN bytes at P with one blank between them. */
static void add_words(struct splitter *s, const char *p, size_t len)
{
	utf8_strip(&p, &len);
	for (size_t i = 0; i < len; i++) {
		const bool blank = ascii_is_blank(p[i]);

		if (blank && i && ascii_is_blank(p[i - 1]))
			continue;
		if (!i && s->text.len)
			buf_addc(&s->text, ' ');
		buf_addc(&s->text, blank ? ' ' : p[i]);
	}
}

/* Return true if the line P of LEN bytes is "Some-key: value" as git's trailers
 * are. */
static bool is_trailer(const char *p, size_t len)
{
	size_t n = 0, dashes = 0;

	while (n < len && (ascii_is_letter(p[n]) || p[n] == '-'))
		dashes += p[n++] == '-';
	return n && n + 1 < len && p[n] == ':' && dashes;
}

static bool is_mark(const char *p, size_t len)
{
	for (size_t i = 0; i < ARRAY_LEN(marks); i++) {
		const size_t n = strlen(marks[i]);

		if (len >= n && !strncasecmp(p, marks[i], n))
			return true;
	}
	return false;
}

/* Return the length of the bullet at P: "- ", "* ", "1. ", "(1) "; else 0. */
static size_t bullet_length(const char *p, size_t len)
{
	size_t n = 0;

	if (len > 2 && strchr("-*+", p[0]) && ascii_is_blank(p[1]))
		return 2;
	if (n < len && p[n] == '(')
		n++;
	while (n < len && n < 4 && ascii_is_digit(p[n]))
		n++;
	if (!n || n + 1 >= len || !strchr(".)", p[n]) ||
	    !ascii_is_blank(p[n + 1]))
		return 0;
	return n + 2;
}

/* Return true if the line is a heading or a rule, or has nothing but a bold text. */
static bool is_heading(const char *p, size_t len)
{
	size_t n = 0;

	if (p[0] == '#' && len > 1 && (p[1] == ' ' || p[1] == '#'))
		return true;
	if (p[0] == '|' || p[0] == '>')
		return true; /* a table or a quote */
	while (n < len && strchr("-=*_~", p[n]))
		n++;
	if (n == len && len >= 3)
		return true;
	return len > 4 && !strncmp(p, "**", 2) &&
	       (!strncmp(p + len - 2, "**", 2) ||
		(len > 5 && !strncmp(p + len - 3, "**:", 3)));
}

/* Begin a passage if the line P begins with one of the keys. */
static bool begin_key(struct splitter *s, const char *p, size_t len)
{
	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		const size_t n = strlen(keys[i].word);

		if (len < n || strncmp(p, keys[i].word, n) != 0)
			continue;
		begin_passage(s, keys[i].kind, keys[i].key);
		add_words(s, p + n, len - n);
		return true;
	}
	return false;
}

/* Handle the line P of LEN bytes, which is not blank, after INDENT columns. */
static void add_line(struct splitter *s, const char *p, size_t len,
		     size_t indent)
{
	const size_t bullet = bullet_length(p, len);

	if (indent >= 4 && !(s->open && s->indent && indent >= s->indent) &&
	    !(s->open && s->now.key)) {
		end_passage(s); /* code */
		return;
	}
	if (bullet) {
		const bool key = begin_key(s, p + bullet, len - bullet);

		if (!key)
			begin_passage(s, PASSAGE_ITEM, NULL);
		s->indent = indent + bullet;
		if (!key)
			add_words(s, p + bullet, len - bullet);
		return;
	}
	if (begin_key(s, p, len)) {
		s->indent = 0;
		return;
	}
	if (is_heading(p, len) || is_mark(p, len) || is_trailer(p, len)) {
		end_passage(s);
		/* The next lines may continue a quote, or "Fixes #12 by ...". */
		s->skips = p[0] == '>' || is_mark(p, len);
		return;
	}
	if (!s->open) {
		begin_passage(s, PASSAGE_TEXT, NULL);
		s->indent = 0;
	}
	add_words(s, p, len);
}

void passages_each(const char *body, passage_fn *fn, void *ctx)
{
	struct splitter s = {.fn = fn, .ctx = ctx};

	for (size_t len; *body; body += len + (body[len] == '\n')) {
		size_t indent = 0, n = 0;
		const char *p = body, *line;

		len = strcspn(body, "\n");
		for (; n < len && ascii_is_blank(p[n]); n++)
			indent += p[n] == '\t' ? 4 : 1;
		line = p + n;
		n = len - n;
		utf8_strip(&line, &n);
		if (n >= 3 &&
		    (!strncmp(line, "```", 3) || !strncmp(line, "~~~", 3))) {
			end_passage(&s);
			s.fence = s.fence ? 0 : line[0];
		} else if (s.fence || !n) {
			end_passage(&s);
			s.skips = false;
		} else if (!s.skips || bullet_length(line, n)) {
			add_line(&s, line, n, indent);
		}
	}
	end_passage(&s);
	buf_release(&s.text);
}

/* Return true if the dot at AT of P ends an abbreviation, such as "e.g.". */
static bool is_abbreviation(const char *p, size_t at)
{
	static const char *const words[] = {"e.g", "i.e",    "etc", "vs",
					    "cf",  "approx", "resp"};

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		const size_t n = strlen(words[i]);

		if (at >= n && !strncasecmp(p + at - n, words[i], n) &&
		    (at == n || !ascii_is_alnum(p[at - n - 1])))
			return true;
	}
	return at && ascii_is_letter(p[at - 1]) &&
	       (at == 1 || !ascii_is_alnum(p[at - 2]));
}

size_t passages_sentence(const char *p, size_t len)
{
	for (size_t i = 0; i + 2 < len; i++) {
		size_t end = i + 1;

		if (!strchr(".!?", p[i]) ||
		    (p[i] == '.' && is_abbreviation(p, i)))
			continue;
		while (end < len && strchr(")\"'`*", p[end]))
			end++;
		if (end >= len || p[end] != ' ')
			continue;
		/* A small letter continues the sentence. */
		if (ascii_is_lower(p[end + 1]) && p[i] == '.')
			continue;
		return end;
	}
	return len;
}

/* Return the number of hexadecimal digits at P. */
static size_t count_digits(const char *p)
{
	size_t n = 0;

	while (ascii_is_hex(p[n]))
		n++;
	return ascii_is_alnum(p[n]) ? 0 : n;
}

size_t passages_reverted(const char *body, const char **name)
{
	const char *p = strstr(body, "This reverts commit ");
	size_t n;

	if (!p)
		return 0;
	p += strlen("This reverts commit ");
	n = count_digits(p);
	*name = p;
	return n >= PASSAGES_NAME_MIN ? n : 0;
}

bool passages_corrects(const char *body)
{
	static const char *const before[] = {
		"Fixes: ",	  "Fixes ",	    "Follow-up to ",
		"Follow up to ",  "Followup to ",   "Followup-to: ",
		"Amends ",	  "regression in ", "regression from ",
		"introduced in ", "introduced by ", "broken by ",
		"broken in ",	  "Regression in ", "Regression of ",
		"caused by ",	  "Fixup of ",	    "fixup of ",
	};

	for (size_t i = 0; i < ARRAY_LEN(before); i++) {
		const size_t n = strlen(before[i]);

		for (const char *p = body; (p = strstr(p, before[i])); p += n) {
			const char *at = p + n;

			if (!strncmp(at, "commit ", strlen("commit ")))
				at += strlen("commit ");
			if (count_digits(at) >= PASSAGES_NAME_MIN)
				return true;
		}
	}
	return false;
}
