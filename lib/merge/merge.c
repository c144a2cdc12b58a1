/* merge.c: all versions get the same line ends first. Then the frontmatter is
 * merged, then the body. */
#include "merge/merge.h"

#include "merge/body.h"
#include "merge/fields.h"

enum line_ends { LINES_LF, LINES_CRLF, LINES_MIXED };

static enum line_ends line_ends(struct merge_text text)
{
	bool lf = false, crlf = false;

	for (size_t i = 0; i < text.len; i++) {
		if (text.p[i] != '\n')
			continue;
		crlf = crlf || (i && text.p[i - 1] == '\r');
		lf = lf || !i || text.p[i - 1] != '\r';
	}
	return crlf && lf ? LINES_MIXED : crlf ? LINES_CRLF : LINES_LF;
}

/* Append TEXT with \n line ends, if all its lines end in \r\n. */
static void add_plain(struct buf *out, struct merge_text text)
{
	const bool crlf = line_ends(text) == LINES_CRLF;

	for (size_t i = 0; i < text.len; i++) {
		if (!(crlf && text.p[i] == '\r' && i + 1 < text.len &&
		      text.p[i + 1] == '\n'))
			buf_addc(out, text.p[i]);
	}
}

static void add_crlf(struct buf *out, const struct buf *text)
{
	for (size_t i = 0; i < text->len; i++) {
		if (text->p[i] == '\n')
			buf_addc(out, '\r');
		buf_addc(out, text->p[i]);
	}
}

/* The three versions with equal line ends, parsed. */
struct versions {
	struct buf texts[3];
	struct frontmatter fm[3];
	struct arena arena;
};

enum { BASE, OURS, THEIRS };

static int read_version(struct versions *v, int i, struct merge_text text,
			const char *name, struct err *e)
{
	add_plain(&v->texts[i], text);
	return frontmatter_parse(&v->fm[i], buf_str(&v->texts[i]),
				 v->texts[i].len, name, &v->arena, e);
}

static int read_versions(struct versions *v, const struct merge *m,
			 struct err *e)
{
	struct err unread;

	/* An unreadable base is treated as empty. */
	if (read_version(v, BASE, m->base, m->name, &unread) < 0)
		frontmatter_split(&v->fm[BASE], "", 0);
	if (read_version(v, OURS, m->ours, m->name, e) < 0)
		return -1;
	return read_version(v, THEIRS, m->theirs,
			    arena_printf(&v->arena, "%s (theirs)", m->name), e);
}

static const struct value *id_of(const struct versions *v, int i)
{
	return value_get(&v->fm[i].data, "id");
}

/* Return true if OURS and THEIRS are different memories. This happens if git mistakes a
 * file that replaces another for that file under a new name. */
static bool are_different(const struct versions *v)
{
	const struct value *ours = id_of(v, OURS), *theirs = id_of(v, THEIRS);

	return ours && theirs && ours->kind == VALUE_INT &&
	       theirs->kind == VALUE_INT && ours->u.i != theirs->u.i;
}

/* Append the memory that is not that of BASE, and report that the other is left out. */
static int append_newer(const struct versions *v, const char *name,
			struct buf *out, const struct report *r)
{
	const struct value *base = id_of(v, BASE), *ours = id_of(v, OURS);
	const struct value *theirs = id_of(v, THEIRS);
	const int taken = base && value_equal(base, ours) ? THEIRS : OURS;

	buf_add(out, v->fm[taken].text, v->fm[taken].len);
	err_warn(r, ERR_NO,
		 "'%s': git merged the memories %lld and %lld into one file: "
		 "only %s is kept",
		 name, (long long)ours->u.i, (long long)theirs->u.i,
		 taken == OURS ? "ours" : "theirs");
	return 1;
}

static struct merge_text body_of(const struct frontmatter *fm)
{
	return (struct merge_text){fm->text + fm->body, fm->len - fm->body};
}

/* Return everything before the body. */
static struct merge_text header_of(const struct frontmatter *fm)
{
	return (struct merge_text){fm->text, fm->body};
}

/* Append the merged headers. */
static int merge_headers(const struct versions *v, const struct merge *m,
			 struct buf *out, const struct report *r, struct err *e)
{
	const struct frontmatter *fm = v->fm;
	const struct merge_text base = header_of(&fm[BASE]);
	const struct merge_text ours = header_of(&fm[OURS]);
	const struct merge_text theirs = header_of(&fm[THEIRS]);
	const struct merge_text *whole =
		merge_version_whole(&base, &ours, &theirs);
	struct frontmatter merged;
	struct buf text = {0};
	int result;

	if (whole) {
		buf_add(out, whole->p, whole->len);
		return 0;
	}
	result = merge_fields(fm, m->name, m->favour, &text, r, e);
	frontmatter_split(&merged, buf_str(&text), text.len);
	buf_add(out, merged.text, merged.body);
	buf_release(&text);
	return result;
}

/* Add an empty header if the text would be read as having one. */
static void add_empty_header(struct buf *out)
{
	static const char header[] = "---\n---\n";
	struct frontmatter fm;
	struct buf text = {0};

	frontmatter_split(&fm, buf_str(out), out->len);
	if (!fm.present)
		return;
	buf_add(&text, out->p, out->len);
	buf_cut(out, 0);
	buf_adds(out, header);
	buf_add(out, text.p, text.len);
	buf_release(&text);
}

/* Append BODY, on a new line: the header of a version without a body may lack
 * its last line end. */
static void add_body(struct buf *out, const struct buf *body)
{
	if (body->len && out->len && out->p[out->len - 1] != '\n')
		buf_addc(out, '\n');
	buf_add(out, buf_str(body), body->len);
}

/* Append the merge of V. Returns 0, 1 if there are conflicts, or -1. */
static int merge_versions(const struct versions *v, const struct merge *m,
			  struct buf *out, const struct report *r,
			  struct err *e)
{
	const struct frontmatter *fm = v->fm;
	int first = merge_headers(v, m, out, r, e), second = -1;
	struct frontmatter merged;
	struct buf body = {0};

	frontmatter_split(&merged, buf_str(out), out->len);
	if (first >= 0)
		second = body_merge(body_of(&fm[BASE]), body_of(&fm[OURS]),
				    body_of(&fm[THEIRS]), m->favour, &body, e);
	add_body(out, &body);
	buf_release(&body);
	if (second >= 0 && !merged.present)
		add_empty_header(out);
	if (second > 0 && !m->quiet_lines)
		err_warn(r, ERR_NO, "'%s': both sides changed the same lines",
			 m->name);
	return first < 0 || second < 0 ? -1 : first || second;
}

int merge_documents(const struct merge *m, struct buf *out,
		    const struct report *r, struct err *e)
{
	const struct merge_text *whole =
		merge_version_whole(&m->base, &m->ours, &m->theirs);
	struct versions v = {0};
	struct buf plain = {0};
	struct err unmerged;
	int result;

	if (whole) {
		buf_add(out, whole->p, whole->len);
		return 0;
	}
	result = read_versions(&v, m, e);
	if (!result && are_different(&v))
		result = append_newer(&v, m->name, &plain, r);
	else if (!result)
		result = merge_versions(&v, m, &plain, r, e);
	if (result < 0 && body_merge(m->base, m->ours, m->theirs, MERGE_MARK,
				     out, &unmerged) < 0)
		body_both(m->ours, m->theirs, out);
	if (result < 0)
		; /* OUT has the plain text */
	else if (line_ends(m->ours) == LINES_CRLF)
		add_crlf(out, &plain);
	else
		buf_add(out, buf_str(&plain), plain.len);
	for (size_t i = 0; i < ARRAY_LEN(v.texts); i++)
		buf_release(&v.texts[i]);
	arena_release(&v.arena);
	buf_release(&plain);
	return result;
}
