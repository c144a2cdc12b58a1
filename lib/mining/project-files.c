/* project-files.c: a section is a heading and the text below it. Of an ADR, an accepted
 * one, the section "Decision" is taken; of other files each section that gives commands
 * of the project's own, as for its build and its tests, and each paragraph that states a
 * rule. A README is for users, so only its commands are taken. */
#include "mining/candidates.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "mining/commands.h"
#include "mining/rst.h"
#include "mining/tracked.h"
#include "mining/worth.h"
#include "sys/file.h"
#include "text/markdown.h"

#include <strings.h>

#define ADR_POINTS 300
#define CONTRIBUTING_POINTS 150
#define README_POINTS 140
#define RULE_LEAST (-60)       /* words against a rule about style */
#define TEXT_MAX ((size_t)900) /* bytes of a draft */
#define RULE_MIN ((size_t)40)
#define RULE_MAX ((size_t)600)
#define TITLE_MAX ((size_t)120)
#define LEVELS 6 /* of headings */
#define DECISION_MIN ((size_t)30)

/* A section of a file. */
struct section {
	const char *path, *p; /* of the file, and its text */
	size_t len;
	char title[TITLE_MAX + 1]; /* of its heading, on one line */
	/* The headings above, by level; "" where a level has none. */
	char above[LEVELS + 1][TITLE_MAX + 1];
	int level;
	size_t heading;		/* where its heading begins */
	size_t start, end;	/* its bytes in P, the heading excluded */
	size_t first;		/* its first line, from 1, with the heading */
	size_t body, body_line; /* where the text after frontmatter begins */
	size_t block;		/* where the last block begins */
	size_t lead;		/* where the text about the commands begins */
	size_t code, code_end;	/* of the commands in it */
	bool has_code;
	bool step; /* the first of them is in a list */
};

typedef void section_fn(void *ctx, const struct section *s);

/* Set TITLE to the LEN bytes of P on one line. */
static void set_title(char title[TITLE_MAX + 1], const char *p, size_t len)
{
	len = utf8_cut(p, len, TITLE_MAX);
	memcpy(title, p, len);
	title[len] = '\0';
	for (size_t i = 0; i < len; i++)
		title[i] = title[i] == '\n' ? ' ' : title[i];
}

/* Return the number of line ends in the LEN bytes of P. */
static size_t count_lines(const char *p, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += p[i] == '\n';
	return n;
}

/* Return the number of the line that has the byte AT of the section S. */
static size_t line_of(const struct section *s, size_t at)
{
	return s->first + count_lines(s->p + s->heading, at - s->heading);
}

/* Find where the text of the file in S begins. */
static void skip_frontmatter(struct section *s)
{
	const char *end;

	if (s->len < 4 || strncmp(s->p, "---\n", 4) != 0)
		return;
	end = strstr(s->p + 3, "\n---\n");
	if (!end)
		return;
	s->body = (size_t)(end - s->p) + strlen("\n---\n");
	s->body_line = count_lines(s->p, s->body);
}

/* Set the title of S from the heading B, and the ones above it. */
static void enter_heading(struct section *s, const struct block *b)
{
	s->level = b->level;
	set_title(s->title, b->text, b->text_len);
	memcpy(s->above[b->level], s->title, sizeof(s->title));
	for (int i = b->level + 1; i <= LEVELS; i++)
		s->above[i][0] = '\0';
}

/* Append the title of S, after the heading above it, except for that of the file. */
static void add_title(struct buf *out, const struct section *s)
{
	int level = s->level - 1;

	while (level > 1 && !s->above[level][0])
		level--;
	if (level > 1)
		buf_addf(out, "%s: ", s->above[level]);
	buf_adds(out, s->title);
}

/* Add the block B to the section S. */
static void add_block(struct section *s, const struct block *b)
{
	const bool fits = b->start + b->len - s->start <= TEXT_MAX;

	s->end = b->start + b->len;
	if ((fits || !s->has_code) && commands_in(b, s->p)) {
		if (!s->has_code) {
			s->code = b->start;
			s->step = b->listed;
			s->lead = b->kind == BLOCK_TEXT ? b->start : s->block;
		}
		s->code_end = s->end;
		s->has_code = true;
	}
	s->block = b->start;
}

/* Call FN for each section of the file in S. */
static void each_section(struct section *s, section_fn *fn, void *ctx)
{
	struct markdown m;
	struct block b;
	bool open = false;

	skip_frontmatter(s);
	markdown_start(&m, s->p + s->body, s->len - s->body);
	while (markdown_next(&m, &b)) {
		if (b.kind == BLOCK_HEADING && !b.depth) {
			if (open)
				fn(ctx, s);
			open = true;
			enter_heading(s, &b);
			s->heading = s->body + b.start;
			s->start = s->end = s->heading + b.len;
			s->first = s->body_line + b.line + 1;
			s->block = s->start;
			s->has_code = false;
			continue;
		}
		if (!open)
			continue;
		b.start += s->body;
		add_block(s, &b);
	}
	if (open)
		fn(ctx, s);
}

/* Return true if TEXT has one of WORDS, which NULL ends, in any case. */
static bool has_word(const char *text, const char *const *words)
{
	for (; *words; words++) {
		for (const char *p = text; *p; p++) {
			if (!strncasecmp(p, *words, strlen(*words)) &&
			    (p == text || !ascii_is_letter(p[-1])))
				return true;
		}
	}
	return false;
}

static const char *const about_code[] = {
	"test",	  "build", "compil",	"develop", "contribut",	  "lint",
	"format", "debug", "benchmark", "hacking", "from source", "coverage",
	"style",  "local", "checks",	NULL};

/* Append the LEN bytes of P, with one blank line where there are several, and no blanks at
 * the ends of lines. */
static void add_lines(struct buf *out, const char *p, size_t len)
{
	const char *end = p + len;
	bool blank = true;

	while (p < end) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		size_t n = (size_t)((stop ? stop : end) - p);

		while (n && strchr(" \t\r", p[n - 1]))
			n--;
		buf_add(out, p, n);
		if (stop && (n || !blank))
			buf_adds(out, "\n");
		blank = !n;
		p = stop ? stop + 1 : end;
	}
}

/* A part of a section. */
struct part {
	size_t start, end; /* its bytes in P */
	size_t line;	   /* the line of START, from 1 */
	size_t first;	   /* the first line to cite */
};

/* Add PART of the section S, below TITLE. */
static void add_part(struct candidates *c, const struct section *s,
		     const struct part *part, const char *title,
		     enum candidate_kind kind, int points)
{
	const char *p = s->p + part->start;
	size_t len = part->end - part->start;
	struct buf text = {0}, cite = {0};
	const size_t last = part->line + count_lines(p, len);

	while (len && p[0] == '\n') {
		p++;
		len--;
	}
	while (len && strchr(" \t\r\n", p[len - 1]))
		len--;
	buf_addf(&text, "%s\n\n", title);
	add_lines(&text, p, len);
	buf_addf(&cite, "%s:%zu-%zu", s->path, part->first, last);
	candidates_add(c, &(struct candidate){.kind = kind,
					      .text = text.p,
					      .len = text.len,
					      .cite = cite.p,
					      .points = points});
	buf_release(&text);
	buf_release(&cite);
}

/* Return true if the byte AT of S is within a sentence: a small letter follows. */
static bool is_in_sentence(const struct section *s, size_t at)
{
	while (at < s->end && strchr(" \t\n", s->p[at]))
		at++;
	return at < s->end && ascii_is_lower(s->p[at]);
}

/* Return true if the LEN bytes of P tell a reader to fork the repository: then they tell
 * how anybody sends a change. */
static bool tells_to_fork(const char *p, size_t len)
{
	static const char words[] = "fork the";
	const size_t n = strlen(words);

	for (; len >= n; p++, len--) {
		if (!strncasecmp(p, words, n))
			return true;
	}
	return false;
}

/* Return true if the LEN bytes of P need the text before them: they begin with a small
 * letter, a word such as "However", or a later step of a list ("2. "). */
static bool is_continued(const char *p, size_t len)
{
	const size_t markup = strspn(p, " \t\n*_>-");
	size_t n;

	p += markup;
	len -= markup < len ? markup : len;
	if (!len || ascii_is_lower(*p) || !worth_stands_alone(p, len))
		return true;
	n = strspn(p, "0123456789");
	return n && strchr(".)", p[n]) && !(n == 1 && *p < '2');
}

/* Set PART to the part of S with its commands that fits: all of it, or until the last
 * command, or only from the paragraph before the first one, or from the first one. Return
 * false if there is none, or if that paragraph needs the text before it. Nobody can follow
 * a single step of a list that does not fit. */
static bool find_commands(const struct section *s, struct part *part)
{
	const size_t starts[] = {s->start, s->lead, s->code};
	const bool fits = s->end - s->start <= TEXT_MAX;
	size_t i = 0;

	if (!s->has_code || (s->step && !fits))
		return false;
	part->end = fits ? s->end : s->code_end;
	if (is_in_sentence(s, part->end))
		return false;
	while (i < ARRAY_LEN(starts) && part->end - starts[i] > TEXT_MAX)
		i++;
	if (i == ARRAY_LEN(starts) ||
	    (i && is_continued(s->p + s->lead, s->end - s->lead)))
		return false;
	part->start = starts[i];
	if (tells_to_fork(s->p + part->start, part->end - part->start))
		return false;
	part->line = line_of(s, part->start);
	part->first = s->first;
	return true;
}

struct docs {
	struct candidates *found;
	bool readme;
	size_t n; /* texts so far: the first ones matter most */
};

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

/* Return true if a title of S or its file says that it is about how code is written. */
static bool is_about_style(const struct section *s, const char *titles)
{
	static const char *const words[] = {"style",	 "coding", "convention",
					    "naming",	 "format", "indent",
					    "comment",	 "error",  "commit",
					    "guideline", NULL};

	return has_word(titles, words) ||
	       has_word(file_name_of(s->path), words);
}

/* Add the paragraph or list item B of the section S, at LINE, if it states a rule by
 * itself. */
static void add_rule(struct docs *d, const struct section *s,
		     const struct block *b, size_t line, const char *title)
{
	const size_t marker = marker_length(s->p + b->start, b->len);
	const size_t start = b->start + marker, len = b->len - marker;
	struct buf words = {0};
	const char *p;
	size_t n;
	int points = 0;

	if (len < RULE_MIN || len > RULE_MAX)
		return;
	markdown_words(&words, s->p + start, len);
	p = buf_str(&words);
	n = words.len;
	utf8_strip(&p, &n);
	if (n && worth_stands_alone(p, n) && worth_is_guide_rule(p, n)) {
		points = worth_points(p, n);
		if (is_about_style(s, title) && points >= RULE_LEAST)
			points = WORTH_LEAST + (points > 0 ? points / 2 : 0);
	}
	buf_release(&words);
	if (points >= WORTH_LEAST)
		add_part(d->found, s,
			 &(struct part){start, start + len, line, line}, title,
			 CANDIDATE_DOCS, points - (int)d->n++);
}

/* Add the rules of S, except those in COMMANDS, the part that is drafted, or NULL. */
static void add_rules(struct docs *d, const struct section *s,
		      const struct part *commands, const char *title)
{
	struct markdown m;
	struct block b;
	const size_t line = line_of(s, s->start);

	markdown_start(&m, s->p + s->start, s->end - s->start);
	while (markdown_next(&m, &b)) {
		b.start += s->start;
		if (b.kind == BLOCK_TEXT &&
		    !(commands && b.start >= commands->start &&
		      b.start < commands->end))
			add_rule(d, s, &b, line + b.line, title);
	}
}

/* Return true if the titles of S and above it say that it is about the people who make the
 * code, or about their machines. */
static bool is_about_people(const struct section *s, const char *titles)
{
	static const char *const words[] = {
		"communit",  "conduct",	 "governance", "licen",	     "member",
		"sponsor",   "security", "trademark",  "triage",     "issue",
		"bug",	     "report",	 "support",    "releas",     "publish",
		"pull req",  "cherry",	 "push",       "fork",	     "submi",
		"propos",    "accept",	 "merg",       "policy",     "request",
		"etiquette", "help",	 "history",    "collaborat", "patches",
		"prereq",    "tip",	 "visual st",  NULL};

	/* Code is what "Pull requests: Tests" is about. */
	return has_word(has_word(s->title, about_code) ? s->title : titles,
			words) ||
	       has_word(file_name_of(s->path), words);
}

/* A section_fn that adds the commands and the rules of a section. */
static void add_docs_section(void *ctx, const struct section *s)
{
	static const char *const not_about[] = {
		"install",   "quick",	 "usage",   "example", "vcpkg",
		"uninstall", "upgrad",	 "feature", "conda",   "homebrew",
		"prereq",    "configur", "contain", NULL};
	struct docs *d = ctx;
	struct buf title = {0};
	struct part part;
	bool commands;

	add_title(&title, s);
	if (!d->readme && is_about_people(s, title.p)) {
		buf_release(&title);
		return;
	}
	commands = find_commands(s, &part);
	if (commands && (!d->readme || (has_word(title.p, about_code) &&
					!has_word(s->title, not_about))))
		add_part(d->found, s, &part, title.p, CANDIDATE_DOCS,
			 (d->readme ? README_POINTS : CONTRIBUTING_POINTS) -
				 (int)d->n++);
	if (!d->readme)
		add_rules(d, s, commands ? &part : NULL, title.p);
	buf_release(&title);
}

static void read_docs(struct candidates *c, struct section *s)
{
	struct docs d = {.found = c};

	d.readme = !strncasecmp(file_name_of(s->path), "readme", 6);
	each_section(s, add_docs_section, &d);
}

/* An ADR. */
struct adr {
	struct candidates *found;
	char title[TITLE_MAX + 1];
	bool titled, rejected, done;
};

/* Return true if the section S is called NAME, but for a number before it and more
 * words after it. */
static bool is_called(const struct section *s, const char *name)
{
	const char *p = s->title + strspn(s->title, "0123456789. ");

	return !strncasecmp(p, name, strlen(name));
}

/* Return the title of an ADR without its number: "ADR-0012: ". */
static const char *skip_number(const char *title)
{
	const char *p = title;

	if (!strncasecmp(p, "adr", 3))
		p += 3 + strspn(p + 3, "- #");
	if (!ascii_is_digit(*p))
		return title;
	p += strspn(p, "0123456789");
	p += strspn(p, ".:)- ");
	return *p ? p : title;
}

/* Return the end of the first paragraphs of S that fit. */
static size_t end_of_decision(const struct section *s)
{
	size_t end = s->start;

	for (size_t at = s->start; at < s->end; at++) {
		const bool is_end = at + 1 == s->end ||
				    (s->p[at] == '\n' && s->p[at + 1] == '\n');

		if (is_end && at + 1 - s->start > TEXT_MAX)
			break;
		if (is_end)
			end = at + 1;
	}
	return end;
}

/* A section_fn. */
static void add_decision(void *ctx, const struct section *s)
{
	struct adr *a = ctx;
	size_t end;

	if (!a->titled) {
		a->titled = true;
		snprintf(a->title, sizeof(a->title), "%s",
			 skip_number(s->title));
	}
	if (a->done || a->rejected || !is_called(s, "decision"))
		return;
	/* Not the lists of drivers and options of a template. */
	if (is_called(s, "decision driver") || is_called(s, "decision maker"))
		return;
	end = end_of_decision(s);
	if (end < s->start + DECISION_MIN)
		return;
	a->done = true;
	add_part(a->found, s,
		 &(struct part){s->start, end, line_of(s, s->start), s->first},
		 a->title, CANDIDATE_ADR, ADR_POINTS);
}

/* Set A->rejected if the ADR TEXT says that it is not in force. */
static void judge_status(struct adr *a, const struct buf *text)
{
	static const char *const no[] = {"superseded", "deprecated", "rejected",
					 "proposed",   "draft",	     "obsolete",
					 "withdrawn",  "on hold",    NULL};
	const char *p = buf_str(text);
	bool near = false; /* the line before named the status */

	for (size_t n; *p; p += n + (p[n] == '\n')) {
		char line[TITLE_MAX + 1];
		const char *word;

		n = strcspn(p, "\n");
		set_title(line, p, n);
		word = line + strspn(line, " \t#*_-");
		if (!*word)
			continue;
		if (!strncasecmp(word, "status", strlen("status"))) {
			a->rejected |= has_word(word, no);
			near = true;
		} else if (near) {
			a->rejected |= has_word(word, no);
			near = false;
		}
	}
}

static void read_adr(struct candidates *c, struct section *s,
		     const struct buf *text)
{
	struct adr a = {.found = c};

	judge_status(&a, text);
	each_section(s, add_decision, &a);
}

/* Return true if the name of the file PATH ends in SUFFIX, in any case. */
static bool has_suffix(const char *path, const char *suffix)
{
	const char *dot = strrchr(path, '.');

	return dot && !strcasecmp(dot, suffix);
}

void candidates_add_file(struct candidates *c, const char *path,
			 const struct buf *text, bool adr)
{
	struct buf copy = {0};
	struct section s = {.path = path};

	buf_add(&copy, buf_str(text), text->len);
	if (has_suffix(path, ".rst"))
		rst_to_markdown(copy.p, copy.len);
	s.p = buf_str(&copy);
	s.len = copy.len;
	c->files++;
	if (adr)
		read_adr(c, &s, text);
	else
		read_docs(c, &s);
	buf_release(&copy);
}

static bool add_adr(void *ctx, const char *path, const struct buf *text)
{
	candidates_add_file(ctx, path, text, true);
	return true;
}

static bool add_docs(void *ctx, const char *path, const struct buf *text)
{
	if (has_suffix(path, ".md") || has_suffix(path, ".rst"))
		candidates_add_file(ctx, path, text, false);
	return true;
}

int candidates_read_files(struct candidates *c, struct err *e)
{
	static const char *const adrs[] = {
		":(icase,glob)**/adr/**/[0-9]*.md",
		":(icase,glob)**/adr/**/adr*[0-9]*.md",
		":(icase,glob)**/adrs/**/[0-9]*.md",
		":(icase,glob)**/adrs/**/adr*[0-9]*.md",
		":(icase,glob)**/decisions/**/[0-9]*.md",
		":(icase,glob)**/decisions/**/adr*[0-9]*.md",
		":(icase,glob)**/architecture-decisions/**/*[0-9]*.md",
		NULL};
	/* ".md", ".rst", and others that add_docs() passes over. */
	static const char *const docs[] = {
		":(icase,glob)README.[mr][ds]*",
		":(icase,glob)CONTRIBUT*.[mr][ds]*",
		":(icase,glob)HACKING.[mr][ds]*",
		":(icase,glob)DEVELOPMENT.[mr][ds]*",
		":(icase,glob)ARCHITECTURE.[mr][ds]*",
		":(icase,glob)BUILDING.[mr][ds]*",
		":(icase,glob)TESTING.[mr][ds]*",
		":(icase,glob).github/CONTRIBUTING.[mr][ds]*",
		":(icase,glob)doc*/**/CONTRIBUT*.[mr][ds]*",
		":(icase,glob)doc*/**/CONTRIBUT*/**/*.[mr][ds]*",
		":(icase,glob)doc*/DEVELOP*.[mr][ds]*",
		":(icase,glob)doc*/DEVELOP*/*.[mr][ds]*",
		":(icase,glob)doc*/ARCHITECTURE*.[mr][ds]*",
		":(icase,glob)doc*/BUILDING.[mr][ds]*",
		":(icase,glob)doc*/TESTING*.[mr][ds]*",
		":(icase,glob)doc*/INTERNALS/*.[mr][ds]*",
		":(icase,glob)*STYLE*.[mr][ds]*",
		":(icase,glob)CODING*.[mr][ds]*",
		":(icase,glob)doc*/**/STYLE?GUIDE*.[mr][ds]*",
		":(icase,glob)doc*/**/COD*STYLE*.[mr][ds]*",
		NULL};

	if (tracked_each(c->dir, adrs, c->report, add_adr, c, e) < 0 ||
	    tracked_each(c->dir, docs, c->report, add_docs, c, e) < 0)
		return -1;
	return 0;
}
