/* guides.c: a section that fits in a draft is taken whole, so that its rules keep their
 * reasons and examples, if it has commands or consists mostly of rules. Of a longer one,
 * the commands are taken with the text before them, and each rule by itself. */
#include "mining/guides.h"

#include "base/ascii.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "mining/commands.h"
#include "mining/worth.h"
#include "sys/file.h"
#include "text/markdown.h"

#include <strings.h>

#define GUIDE_POINTS 150
#define README_POINTS 140
#define RULE_LEAST (-60) /* words against a rule about style */
#define NAMES_LEAST 2	 /* of code, in a text that explains it */
#define NAMES_POINTS 50
#define EXPLAINED_MAX 5	       /* of these in all files: they are the weakest */
#define STEPS_MAX 3	       /* of these likewise: few people release */
#define NAMES_MIN ((size_t)80) /* bytes */
#define RULE_MIN ((size_t)40)  /* bytes */
#define RULE_MAX ((size_t)600)
#define TEXTS_MAX 100		/* of a file */
#define PART_FULL ((size_t)450) /* bytes of commands that get no more of them */

/* A guide. */
struct guide {
	struct candidates *found;
	bool readme;   /* it is for users, except some sections */
	bool commands; /* it gives only these */
	size_t n;      /* texts so far: the first ones matter most */
	size_t steps;  /* those of a section with steps, such as a release */
};

static const char *const about_code[] = {"test",
					 "build",
					 "compil",
					 "develop",
					 "contribut",
					 "lint",
					 "formatt",
					 "debug",
					 "benchmark",
					 "hacking",
					 "from source",
					 "coverage",
					 "style",
					 "local",
					 "checks",
					 "document",
					 "from version control",
					 "from git",
					 NULL};

/* Return true if TITLES, of the section S, or the name of its file has one of WORDS. */
static bool is_about(const struct section *s, const char *titles,
		     const char *const *words)
{
	return sections_has_word(titles, words) ||
	       sections_has_word(file_name_of(s->path), words);
}

/* Return true if the titles of S and above it say that it is about the people who make
 * the code, or about their machines. */
static bool is_about_people(const struct section *s, const char *titles)
{
	static const char *const words[] = {
		"communit",  "conduct",	   "governance", "licen",    "member",
		"sponsor",   "security",   "trademark",	 "triage",   "issue",
		"bug",	     "report",	   "support",	 "questio",  "propos",
		"etiquette", "help",	   "history",	 "prereq",   "fork",
		"author",    "maintainer", "visual st",	 "editor",   "footnote",
		"further",   "credits",	   "label",	 "mileston", "review",
		"feedback",  "announc",	   "blog",	 NULL};
	static const char *const licence[] = {"licen", NULL};
	static const char *const users[] = {"configur", NULL};
	const bool code = sections_has_word(s->title, about_code);

	/* "Reporting bugs: Tests" is about code, "License: Tests" is not. */
	return is_about(s, code ? s->title : titles, words) ||
	       (!code && sections_has_word(s->title, users)) ||
	       sections_has_word(titles, licence);
}

/* Return true if a title of S or its file says that it is about how code is written. */
static bool is_about_style(const struct section *s, const char *titles)
{
	static const char *const words[] = {
		"style",  "coding",  "convention", "naming", "format",
		"indent", "comment", "error",	   "commit", NULL};

	return is_about(s, titles, words);
}

/* Return true if TITLES or the file of S say that it has steps, which make sense only
 * together. */
static bool is_about_steps(const struct section *s, const char *titles)
{
	static const char *const words[] = {"releas", "checklist", "step",
					    "workflow", NULL};

	return is_about(s, titles, words);
}

/* Return true if the section S of the README of G is for users. What a project calls its
 * features may be about code as well: "Formatting", "Local variables". So in the
 * project's own README, the titles must be about those who change it. */
static bool is_for_users(const struct guide *g, const struct section *s,
			 const char *titles)
{
	static const char *const makers[] = {"build",
					     "compil",
					     "develop",
					     "contribut",
					     "hacking",
					     "from source",
					     "from version control",
					     "from git",
					     "tests",
					     "testing",
					     "lint",
					     NULL};

	static const char *const words[] = {
		"install",   "quick",	 "usage",   "example", "vcpkg",
		"uninstall", "upgrad",	 "feature", "conda",   "homebrew",
		"prereq",    "configur", "contain", NULL};

	return !sections_has_word(titles, g->commands ? makers : about_code) ||
	       sections_has_word(s->title, words);
}

/* Return true if the LEN bytes of P tell how anybody sends a change, from a fork, or name
 * what is no longer in use. */
static bool is_usual_or_past(const char *p, size_t len)
{
	static const char *const words[] = {
		"fork the",	"travis",      "python 2", "python2.",
		"easy_install", "gopath/src/", "nosetest", NULL};

	for (; len; p++, len--) {
		for (size_t i = 0; words[i]; i++) {
			const size_t n = strlen(words[i]);

			if (len >= n && !strncasecmp(p, words[i], n))
				return true;
		}
	}
	return false;
}

/* Return the length of "Then " and the like, which begins P, before commands. */
static size_t skip_order(const char *p)
{
	static const char *const words[] = {"Also", "Here", NULL};

	for (size_t i = 0; words[i]; i++) {
		const size_t n = strlen(words[i]);

		if (!strncmp(p, words[i], n) && !ascii_is_letter(p[n]))
			return n + strspn(p + n, ", ");
	}
	return 0;
}

/* Return true if the LEN bytes of P need the text before them: they begin with a small
 * letter, a word such as "However", or a later step of a list ("2. "). */
static bool is_continued(const char *p, size_t len)
{
	const size_t markup = strspn(p, " \t\n*_>-"),
		     order = skip_order(p + markup);
	size_t n;

	if (order)
		return false;
	p += markup;
	len -= markup < len ? markup : len;
	if (!len || ascii_is_lower(*p) || !worth_stands_alone(p, len))
		return true;
	n = strspn(p, "0123456789");
	return n && strchr(".)", p[n]) && !(n == 1 && *p < '2');
}

/* Return the length of the blanks and of the markers of list items that begin the LEN
 * bytes of P. */
static size_t marker_length(const char *p, size_t len)
{
	size_t n = 0, marker;

	do {
		while (n < len && ascii_is_blank(p[n]))
			n++;
		marker = n;
		while (n < len && ascii_is_digit(p[n]))
			n++;
	} while (n + 1 < len && strchr(marker < n ? ".)" : "-*+", p[n]) &&
		 ascii_is_blank(p[++n]));
	return marker;
}

/* Return true if the backquote at P, in a text that begins at START, begins a link of
 * reStructuredText, which ends at CLOSE. */
static bool is_rst_link(const char *start, const char *p, const char *close)
{
	const size_t before = (size_t)(p - start);

	return memmem(p, (size_t)(close - p), "://", 3) ||
	       (before >= 5 &&
		(!memcmp(p - 5, ":ref:", 5) || !memcmp(p - 5, ":doc:", 5))) ||
	       (before >= 6 && !memcmp(p - 6, ":term:", 6));
}

/* Return true if the LEN bytes of P have code between backquotes, apart from links, the
 * name of the branch that every project has and commands of git. */
static bool has_code(const char *p, size_t len)
{
	const char *start = p, *end = p + len, *close;

	for (; (p = memchr(p, '`', (size_t)(end - p))); p = close + 1) {
		close = memchr(p + 1, '`', (size_t)(end - p - 1));
		if (!close)
			break;
		if (close > p + 1 && strncmp(p + 1, "git ", 4) != 0 &&
		    !is_rst_link(start, p, close) &&
		    !strings_word_is_in("main master", p + 1,
					(size_t)(close - p - 1)))
			return true;
	}
	return false;
}

/* Return true if the LEN bytes of P, on style, give a number or a word in quotes, such as
 * the width of lines: not only that code must be easy to read. */
static bool has_example(const char *p, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (ascii_is_digit(p[i]) || p[i] == '"')
			return true;
	}
	return false;
}

/* Return the length of the blanks that begin P. */
static size_t blank_length(const char *p)
{
	return strspn(p, " \t");
}

/* Return true if P begins a quote, which is a note on the text near it, or a table. */
static bool is_aside(const char *p)
{
	return *p == '>' || *p == '|';
}

/* Return the points of the paragraph or list item B of the section S if it states a rule,
 * else 0. *ALONE: it makes sense without the text before it. */
static int judge_rule(const struct guide *g, const struct section *s,
		      const struct block *b, const char *titles, bool *alone)
{
	static const char box[] = "[ ] "; /* of a template */
	const size_t marker = marker_length(s->p + b->start, b->len);
	const size_t len = b->len - marker;
	/* "[ ] I have read this" is no rule. */
	const bool boxed =
		len > strlen(box) &&
		!memcmp(s->p + b->start + marker, box, strlen(box)) &&
		s->p[b->start + marker + strlen(box)] != 'I';
	struct buf words = {0};
	const char *p;
	size_t n;
	int points = 0;

	if (g->commands || b->kind != BLOCK_TEXT || is_aside(s->p + b->start) ||
	    len < RULE_MIN || len > RULE_MAX)
		return 0;
	markdown_words(&words, s->p + b->start + marker, len);
	p = buf_str(&words);
	n = words.len;
	utf8_strip(&p, &n);
	for (; n && strchr("*_", *p); n--)
		p++;
	/* "- `id`: a number" and "- Error: what failed" need the list that they are in. */
	*alone = n && worth_stands_alone(p, n) && p[n - 1] != ':' && !boxed &&
		 !(b->listed && (*p == '`' || ascii_is_lower(*p) ||
				 p[strcspn(p, " :")] == ':' ||
				 marker == blank_length(s->p + b->start)));
	if (n && (boxed || worth_is_guide_rule(p, n)) &&
	    (boxed || worth_names_work(p, n) ||
	     (is_about_style(s, titles) && has_example(p, n)) ||
	     has_code(p, n))) {
		points = worth_guide_points(p, n);
		if (points < WORTH_LEAST && points >= RULE_LEAST)
			points = WORTH_LEAST;
	}
	buf_release(&words);
	return points >= WORTH_LEAST ? points : 0;
}

/* Add the bytes START to END of S to G, unless the file gave very many texts, or several
 * that only explain code. */
static void add_text(struct guide *g, const struct section *s, size_t start,
		     size_t end, const char *title, int points)
{
	struct part part = {.start = start, .end = end};

	if (g->n == TEXTS_MAX || worth_is_walk(s->p + start, end - start) ||
	    is_usual_or_past(s->p + start, end - start) ||
	    (points == NAMES_POINTS &&
	     g->found->explained++ >= EXPLAINED_MAX) ||
	    (is_about_steps(s, title) && g->steps++ >= STEPS_MAX))
		return;
	part.line = sections_line(s, start);
	part.first = start == s->start ? s->first : part.line;
	sections_add_part(g->found, s, &part, title, CANDIDATE_DOCS,
			  points - (int)g->n++);
}

/* What the blocks of a section are. */
struct content {
	bool commands;
	size_t words, rules; /* bytes of paragraphs, and of rules among them */
	size_t n;	     /* rules */
	int points;	     /* of the best rule */
	size_t names;	     /* of code */
	size_t end;	     /* without a last paragraph that leads to more */
	bool item;	     /* a rule is an item of a list */
	bool comment;	     /* as in a template */
};

/* Return how many times the paragraph or item B of P in G names code: `a_name`, `a/path`
 * or `a.file` between backquotes, but no `link <https://example.org>`. */
static size_t count_names(const struct guide *g, const char *p,
			  const struct block *b)
{
	const char *end;
	size_t n = 0;

	p += b->start;
	end = p + b->len;
	if (g->commands || b->kind != BLOCK_TEXT || is_aside(p))
		return 0;
	while (p < end && (p = memchr(p, '`', (size_t)(end - p)))) {
		const char *close;

		while (p < end && *p == '`')
			p++;
		close = memchr(p, '`', (size_t)(end - p));
		if (!close)
			break;
		if (!strncmp(p, "git ", 4))
			return 0; /* how anybody uses git */
		if (memmem(p, (size_t)(close - p), "://", 3))
			p = close;
		for (const char *at = p + 1; at + 1 < close; at++) {
			if (strchr("_/.:-", *at) ||
			    (ascii_is_lower(at[-1]) && ascii_is_upper(*at))) {
				n++;
				break;
			}
		}
		for (p = close; p < end && *p == '`';)
			p++;
	}
	return n;
}

/* Return true if the LEN bytes of P are a line such as <a id="x"></a>, which a link to
 * the next section needs, or begin with the address of a link: "[x]: ". */
static bool is_anchor(const char *p, size_t len)
{
	const char *close = *p == '[' ? memchr(p, ']', len) : NULL;

	if (close && close + 2 < p + len && !memcmp(close, "]: ", 3))
		return true;
	return len >= 3 && !memcmp(p, "<a ", 3) && !memchr(p, '\n', len);
}

static void judge_blocks(const struct guide *g, const struct section *s,
			 const char *title, struct content *content)
{
	struct markdown m;
	struct block b;
	bool alone;

	markdown_start(&m, s->p + s->start, s->end - s->start);
	while (markdown_next(&m, &b)) {
		int points;

		b.start += s->start;
		if (is_anchor(s->p + b.start, b.len))
			continue;
		if (b.kind != BLOCK_TEXT || s->p[b.start + b.len - 1] != ':')
			content->end = b.start + b.len;
		content->comment |= b.kind == BLOCK_COMMENT;
		content->commands |= commands_in(&b, s->p);
		points = judge_rule(g, s, &b, title, &alone);
		content->words += b.kind == BLOCK_TEXT ? b.len : 0;
		content->rules += points ? b.len : 0;
		content->n += points > 0;
		content->item |= points && alone && b.listed;
		content->names += count_names(g, s->p, &b);
		if (points > content->points)
			content->points = points;
	}
}

/* Return where the text of S begins after lines such as <a id="x"></a>. */
static size_t skip_anchors(const struct section *s)
{
	size_t at = s->start, next = at;

	do {
		at = next;
		while (next < s->end && strchr(" \t\n", s->p[next]))
			next++;
		if (s->end - next < 3 || memcmp(s->p + next, "<a ", 3) != 0)
			break;
		while (next < s->end && s->p[next] != '\n')
			next++;
	} while (next < s->end);
	return at;
}

/* Return true if S fits in a draft. */
static bool is_short(const struct section *s)
{
	return s->end - s->start <= SECTION_TEXT_MAX;
}

/* Add the section S as a whole if it has commands, or if half of its text states rules.
 * Return true if it was added. */
static bool add_whole(struct guide *g, const struct section *s,
		      const char *title)
{
	struct content content = {.commands = false};

	if (!is_short(s) ||
	    is_usual_or_past(s->p + s->start, s->end - s->start))
		return false;
	judge_blocks(g, s, title, &content);
	if (content.comment)
		return false;
	if (is_about_steps(s, title))
		content.n = content.item = 0;
	if (worth_is_order(s->title, strlen(s->title)) && content.names)
		content.n = 2;
	if (content.commands)
		content.points = g->readme ? README_POINTS : GUIDE_POINTS;
	else if (content.n < 2 && !content.item &&
		 (!content.n || content.rules * 2 < content.words))
		content.points =
			content.names >= NAMES_LEAST ? NAMES_POINTS : 0;
	if (content.n >= 2 && content.points < WORTH_LEAST)
		content.points = WORTH_LEAST;
	if (content.points > 0)
		add_text(g, s, skip_anchors(s), content.end, title,
			 content.points);
	return content.points > 0;
}

#define CHUNKS_MAX 16 /* of a section whose rules are not taken again */

/* The commands of a section that is too long. */
struct chunks {
	size_t start, end; /* of the last ones; 0: none */
	size_t lead;	   /* where the last paragraph began */
	bool has_lead, after_code;
	struct {
		size_t start, end;
	} added[CHUNKS_MAX];
	size_t n;
};

/* A paragraph, a code block, or a list. */
struct unit {
	size_t start, end;
	bool list, commands;
	enum block_kind kind;
	size_t rules, names; /* of a list: its rules; names of code */
	int points;	     /* of the best rule */
};

static void note_added(struct chunks *c, size_t start, size_t end)
{
	if (c->n < CHUNKS_MAX) {
		c->added[c->n].start = start;
		c->added[c->n++].end = end;
	}
}

/* Add the commands in C to G, unless the next text continues their sentence. */
static void add_chunk(struct guide *g, const struct section *s,
		      struct chunks *c, const char *title)
{
	size_t next = c->end;

	while (next < s->end && strchr(" \t\n", s->p[next]))
		next++;
	if (c->end && s->p[c->end - 1] != ':' &&
	    !(next < s->end && ascii_is_lower(s->p[next]))) {
		add_text(g, s, c->start, c->end, title,
			 g->readme ? README_POINTS : GUIDE_POINTS);
		note_added(c, c->start, c->end);
	}
	c->start = c->end = 0;
}

/* Return true if U has several rules, or explains code, and is complete from START on. */
static bool is_worth(const struct section *s, const struct chunks *c,
		     const struct unit *u, size_t start)
{
	return (u->kind == BLOCK_TEXT && !strchr(":,", s->p[u->end - 1]) &&
		u->end - start <= SECTION_TEXT_MAX &&
		/* A list after code tells of that code. */
		!(u->list && c->after_code && start == u->start) &&
		(u->list ||
		 !worth_refers(s->p + u->start, u->end - u->start)) &&
		!skip_order(s->p + start) && u->end - start >= NAMES_MIN &&
		(u->list ? u->rules > 1 || u->names > NAMES_LEAST
			 : u->names >= NAMES_LEAST) &&
		!is_continued(s->p + start, s->end - start));
}

/* Add the unit U, from START on, which has no commands. */
static void add_other(struct guide *g, const struct section *s,
		      struct chunks *c, const struct unit *u, size_t start,
		      const char *title)
{
	add_text(g, s, start, u->end, title,
		 u->points ? u->points : NAMES_POINTS);
	note_added(c, start, u->end);
}

/* Add the unit U to C, after the text before it, or begin another one. */
static void add_unit(struct guide *g, const struct section *s, struct chunks *c,
		     const struct unit *u, const char *title)
{
	const size_t start = c->has_lead && (u->list || u->kind != BLOCK_TEXT)
				     ? c->lead
				     : u->start;

	if (!u->commands) {
		if (is_worth(s, c, u, start)) {
			add_chunk(g, s, c, title);
			add_other(g, s, c, u, start, title);
		}
		c->lead = u->start;
		c->has_lead = !u->list && u->kind == BLOCK_TEXT;
		return;
	}
	if (c->end && u->end - c->start <= SECTION_TEXT_MAX &&
	    c->end - c->start < PART_FULL) {
		c->end = u->end;
	} else {
		add_chunk(g, s, c, title);
		/* A later paragraph of a step lacks what the step depends on. */
		if (u->end - start <= SECTION_TEXT_MAX &&
		    !(s->p[start] == ' ' && is_about_steps(s, title)) &&
		    !is_continued(s->p + start, s->end - start)) {
			c->start = start;
			c->end = u->end;
		}
	}
	c->has_lead = false;
}

/* Return true if the unit U is code. */
static bool is_code(const struct unit *u)
{
	return u->kind == BLOCK_FENCED || u->kind == BLOCK_INDENTED;
}

/* Add the unit WAS. The commands of a paragraph before code, the unit U, or of one that
 * ends in ":", only lead to the next unit. */
static void end_unit(struct guide *g, const struct section *s, struct chunks *c,
		     struct unit *was, const struct unit *u, const char *title)
{
	if (was->end && !was->list && was->kind == BLOCK_TEXT &&
	    (is_code(u) || s->p[was->end - 1] == ':')) {
		was->commands = false;
		was->names = 0;
	}
	if (was->end)
		add_unit(g, s, c, was, title);
	c->after_code = is_code(was);
	*was = *u;
}

/* Count the rules and the names of code in the block B of U. */
static void judge_unit(const struct guide *g, const struct section *s,
		       const struct block *b, struct unit *u, const char *title)
{
	bool alone;
	const int points = judge_rule(g, s, b, title, &alone);

	u->rules += points > 0;
	u->points = points > u->points ? points : u->points;
	u->names += count_names(g, s->p, b);
}

static void add_commands(struct guide *g, const struct section *s,
			 struct chunks *c, const char *title)
{
	struct markdown m;
	struct block b;
	struct unit was = {0}, u = {0};

	markdown_start(&m, s->p + s->start, s->end - s->start);
	while (markdown_next(&m, &b)) {
		b.start += s->start;
		if (!(u.list && b.listed)) {
			end_unit(g, s, c, &was, &u, title);
			u = (struct unit){.start = b.start,
					  .list = b.listed,
					  .kind = b.kind};
		}
		u.end = b.start + b.len;
		u.commands |= commands_in(&b, s->p);
		judge_unit(g, s, &b, &u, title);
	}
	end_unit(g, s, c, &was, &u, title);
	end_unit(g, s, c, &was, &(struct unit){.end = 0}, title);
	add_chunk(g, s, c, title);
}

/* Return true if the byte AT is in a text that was added. */
static bool is_added(const struct chunks *c, size_t at)
{
	for (size_t i = 0; i < c->n; i++) {
		if (at >= c->added[i].start && at < c->added[i].end)
			return true;
	}
	return false;
}

/* Add the rules of S that make sense on their own, except for those in C. An item of a
 * short list may contradict the others, so add_whole() adds all or none. */
static void add_rules(struct guide *g, const struct section *s,
		      const struct chunks *c, const char *title)
{
	struct markdown m;
	struct block b;
	bool told =
		false; /* items tell what "this" does, as the text before says */

	markdown_start(&m, s->p + s->start, s->end - s->start);
	while (markdown_next(&m, &b)) {
		bool alone = false;
		size_t marker;
		int points;

		b.start += s->start;
		if (!b.listed)
			told = s->p[b.start + b.len - 1] == ':' &&
			       (!strncmp(s->p + b.start, "This ", 5) ||
				!strncmp(s->p + b.start, "It ", 3));
		points = judge_rule(g, s, &b, title, &alone);
		marker = marker_length(s->p + b.start, b.len);
		if (points && alone && !(b.listed && (told || is_short(s))) &&
		    !is_added(c, b.start))
			add_text(g, s, b.start + marker, b.start + b.len, title,
				 points);
	}
}

/* Append the directory of the README at PATH, unless it is the project's. */
static void add_directory(struct buf *title, const char *path)
{
	const char *name = file_name_of(path);

	if (name > path && path[0] != '.' && !strncasecmp(name, "readme", 6))
		buf_addf(title, "%.*s: ", (int)(name - path - 1), path);
}

/* Return true if the LEN bytes of P are a table with more than a digit for two letters:
 * results that were measured once. */
static bool is_figures(const char *p, size_t len)
{
	size_t digits = 0, letters = 0;

	for (size_t i = 0; i < len; i++) {
		digits += ascii_is_digit(p[i]);
		letters += ascii_is_letter(p[i]);
	}
	return *p == '|' && 2 * digits > letters;
}

/* Return true if the block B of P is a picture or a table of figures. */
static bool is_picture(const struct block *b, const char *p)
{
	p += b->start;
	if (b->kind == BLOCK_TEXT && is_figures(p, b->len))
		return true;
	return b->kind == BLOCK_HTML
		       ? memmem(p, b->len, "<img", 4) != NULL
		       : b->kind == BLOCK_TEXT && !strncmp(p, "![", 2);
}

/* Return true if S has no commands in code, and has a picture, which a draft lacks, or is
 * about style and has code of a language, whose style a formatter knows better. */
static bool is_picture_or_sample(const struct section *s, const char *titles)
{
	static const char *const words[] = {"style", "coding", NULL};
	const bool style = is_about(s, titles, words);
	struct markdown m;
	struct block b;
	bool shows = false;

	markdown_start(&m, s->p + s->start, s->end - s->start);
	while (markdown_next(&m, &b)) {
		const char *p = s->p + s->start;

		if (b.kind != BLOCK_TEXT && commands_in(&b, p))
			return false;
		shows |= is_picture(&b, p) ||
			 (style && b.kind == BLOCK_FENCED && b.text_len);
	}
	return shows;
}

/* A section_fn that adds the commands and the rules of a section. */
static void add_section(void *ctx, const struct section *s)
{
	struct guide *g = ctx;
	const size_t before = g->n;
	enum candidates_left why = is_short(s) ? LEFT_RULE : LEFT_LONG;
	struct chunks chunks = {0};
	struct buf title = {0};

	add_directory(&title, s->path);
	sections_add_title(&title, s);
	if (is_about_people(s, title.p) ||
	    (g->readme && is_for_users(g, s, title.p))) {
		why = LEFT_PEOPLE;
	} else if (!is_picture_or_sample(s, title.p) &&
		   !add_whole(g, s, title.p)) {
		add_commands(g, s, &chunks, title.p);
		if (!is_about_steps(s, title.p))
			add_rules(g, s, &chunks, title.p);
	}
	if (g->n == before && s->end > s->start)
		g->found->left[why]++;
	buf_release(&title);
}

void guides_read(struct candidates *c, struct section *s)
{
	/* In the path of a guide for contributors. */
	static const char *const names[] = {
		"contribut",  "hack",	   "develop",	"dev",
		"build",      "test",	   "style",	"cod",
		"convention", "architect", "internal",	"setup",
		"maintenanc", "releas",	   "guideline", "debug",
		"benchmark",  "design",	   "port",	"pull",
		NULL};
	/* In the name of one for those who extend the project, or of one with examples
	 * that make sense only together. */
	static const char *const others[] = {"plugin", "theme",	  "extension",
					     "addon",  "example", NULL};
	const char *name = file_name_of(s->path);
	struct guide g = {.found = c};

	if (sections_has_word(name, others))
		return;
	g.readme = !strncasecmp(name, "readme", 6) ||
		   !sections_has_word(s->path, names);
	g.commands = g.readme && (name == s->path || s->path[0] == '.');
	sections_each(s, add_section, &g);
}
