/* project-files.c: the files that are read, and ADRs: of an accepted one, the section
 * "Decision" is taken. */
#include "mining/candidates.h"

#include "base/ascii.h"
#include "mining/adoc.h"
#include "mining/guides.h"
#include "mining/rst.h"
#include "mining/tracked.h"

#include <strings.h>

#define ADR_POINTS 300
#define DECISION_MIN ((size_t)30)

/* An ADR. */
struct adr {
	struct candidates *found;
	char title[SECTION_TITLE_MAX + 1];
	bool titled, rejected, done;
};

/* Return true if the section S is called NAME, except for a number before it and more
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

		if (is_end && at + 1 - s->start > SECTION_TEXT_MAX)
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
	sections_add_part(a->found, s,
			  &(struct part){s->start, end,
					 sections_line(s, s->start), s->first},
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
		char line[SECTION_TITLE_MAX + 1];
		const char *word;

		n = strcspn(p, "\n");
		sections_set_title(line, p, n);
		word = line + strspn(line, " \t#*_-");
		if (!*word)
			continue;
		if (!strncasecmp(word, "status", strlen("status"))) {
			a->rejected |= sections_has_word(word, no);
			near = true;
		} else if (near) {
			a->rejected |= sections_has_word(word, no);
			near = false;
		}
	}
}

static void read_adr(struct candidates *c, struct section *s,
		     const struct buf *text)
{
	struct adr a = {.found = c};

	judge_status(&a, text);
	sections_each(s, add_decision, &a);
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
	else if (has_suffix(path, ".adoc"))
		adoc_to_markdown(copy.p, copy.len);
	s.p = buf_str(&copy);
	s.len = copy.len;
	c->files++;
	if (adr)
		read_adr(c, &s, text);
	else
		guides_read(c, &s);
	buf_release(&copy);
}

/* Add what F has. Its texts and their lines are not known until its conflict, if it has
 * one, is resolved. */
static void add_file(struct candidates *c, const struct tracked_file *f,
		     bool adr)
{
	if (f->unmerged)
		err_warn(c->report, ERR_NONE,
			 "'%s/%s': an unresolved merge: its texts are left out",
			 c->dir, f->path);
	else
		candidates_add_file(c, f->path, f->text, adr);
}

static bool add_adr(void *ctx, const struct tracked_file *f)
{
	add_file(ctx, f, true);
	return true;
}

static bool add_docs(void *ctx, const struct tracked_file *f)
{
	/* Change logs, files about people, and those that agents read. */
	static const char *const no[] = {
		"change",  "history", "news",	"migrat", "upgrad",
		"conduct", "licen",   "agents", "claude", "gemini",
		"copilot", "sponsor", "third",	NULL};

	if ((has_suffix(f->path, ".md") || has_suffix(f->path, ".rst") ||
	     has_suffix(f->path, ".adoc")) &&
	    !sections_has_word(f->path, no))
		add_file(ctx, f, false);
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
	/* ".md", ".rst", ".adoc", and others that add_docs() passes over. */
	static const char *const docs[] = {
		":(icase,glob)*.[amr][ds]*",
		":(icase,glob).github/*.[amr][ds]*",
		":(icase,glob)*/README.[amr][ds]*",
		":(icase,glob)doc*/*/README.[amr][ds]*",
		":(icase,glob)doc*/**/CONTRIBUT*.[amr][ds]*",
		":(icase,glob)doc*/**/CONTRIBUT*/**/*.[amr][ds]*",
		":(icase,glob)doc*/**/DEVELOPMENT.[amr][ds]*",
		":(icase,glob)doc*/**/HACKING.[amr][ds]*",
		":(icase,glob)doc*/DEVELOP*.[amr][ds]*",
		":(icase,glob)doc*/DEV*/*.[amr][ds]*",
		":(icase,glob)doc*/ARCHITECTURE*.[amr][ds]*",
		":(icase,glob)doc*/BUILDING.[amr][ds]*",
		":(icase,glob)doc*/RELEAS*.[amr][ds]*",
		":(icase,glob)doc*/INTERNALS/*.[amr][ds]*",
		":(icase,glob)doc*/**/STYLE?GUIDE*.[amr][ds]*",
		":(icase,glob)doc*/**/COD*STYLE*.[amr][ds]*",
		NULL};

	if (tracked_each(c->dir, adrs, c->report, add_adr, c, e) < 0 ||
	    tracked_each(c->dir, docs, c->report, add_docs, c, e) < 0)
		return -1;
	return 0;
}
