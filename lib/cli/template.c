/* template.c: a compiled template is a list of parts, each a text followed by a
 * field.
 */
#include "cli/template.h"

#include "base/sha256.h"
#include "base/utf8.h"
#include "repo/marks.h"
#include "sys/file.h"

enum how {
	HOW_PLAIN,
	HOW_WIDTH,
	HOW_NAME,
	HOW_DIR,
	HOW_SHORT,
	HOW_UTC,
	HOW_UNIX,
	HOW_JOIN,
	HOW_FIRST
};

struct part {
	struct part *next;
	const char *text; /* before the field */
	size_t len;
	enum record_field field; /* RECORD_NFIELDS: none; the last part */
	enum how how;
	size_t count;	 /* a width or a number of characters */
	const char *sep; /* for HOW_JOIN */
	size_t sep_len;
};

struct template
{
	struct part *parts;
};

/* Append the character that the escape at P means. Return the length of the
 * escape, or 0 if it is malformed. */
static size_t add_escape(struct buf *out, const char *p)
{
	static const char letters[] = "tn\\", bytes[] = "\t\n\\";
	const char *letter;
	uint32_t byte;

	if (*p++ == '\\') {
		letter = *p ? strchr(letters, *p) : NULL;
		if (letter)
			buf_addc(out, bytes[letter - letters]);
		return letter ? 2 : 0;
	}
	if (*p == '%') {
		buf_addc(out, '%');
		return 2;
	}
	if (!utf8_hex(p, 2, &byte))
		return 0;
	buf_addc(out, (char)byte);
	return 3;
}

static int template_error(const char *text, const char *at, const char *what,
			  struct err *e)
{
	return err_set(e, ERR_USAGE, "bad template '%s' at offset %td: %s",
		       text, at - text, what);
}

/* Parse the LEN digits at P into *N. At most 9 digits. */
static bool read_count(const char *p, size_t len, size_t *n)
{
	*n = 0;
	if (!len || len > 9)
		return false;
	for (; len; p++, len--) {
		if (*p < '0' || *p > '9')
			return false;
		*n = *n * 10 + (size_t)(*p - '0');
	}
	return true;
}

/* Modifiers that are words; others are numbers or separators. */
static const struct {
	enum record_field field;
	const char *name;
	enum how how;
} word_modifiers[] = {
	{RECORD_PATH, "name", HOW_NAME},      {RECORD_PATH, "dir", HOW_DIR},
	{RECORD_CREATED, "short", HOW_SHORT}, {RECORD_CREATED, "utc", HOW_UTC},
	{RECORD_CREATED, "unix", HOW_UNIX},
};

static const char *const expected[RECORD_NFIELDS] = {
	[RECORD_ID] = "a width, 01 to 09",
	[RECORD_PATH] = "name or dir",
	[RECORD_CREATED] = "short, utc or unix",
	[RECORD_SOURCE] = "a number of characters",
	[RECORD_SUMMARY] = "a number of characters",
	[RECORD_CONTENT] = "a number of characters",
	[RECORD_SNIPPET] = "a number of characters",
};

/* Set the separator of PART to the LEN bytes at P, in which escapes are
 * replaced. A malformed escape is kept as text. */
static void read_separator(struct part *part, const char *p, size_t len,
			   struct arena *a)
{
	struct buf sep = {0};
	size_t taken;

	for (const char *end = p + len; p < end;) {
		taken = *p == '%' || *p == '\\' ? add_escape(&sep, p) : 0;
		if (taken && p + taken <= end)
			p += taken;
		else
			buf_addc(&sep, *p++);
	}
	part->how = HOW_JOIN;
	part->sep = arena_copy(a, buf_str(&sep), sep.len);
	part->sep_len = sep.len;
	buf_release(&sep);
}

/* Parse the modifier of LEN bytes at P. Return false if the field of PART does
 * not have it. */
static bool read_modifier(struct part *part, const char *p, size_t len,
			  struct arena *a)
{
	for (size_t i = 0; i < ARRAY_LEN(word_modifiers); i++) {
		if (word_modifiers[i].field == part->field &&
		    strlen(word_modifiers[i].name) == len &&
		    !memcmp(word_modifiers[i].name, p, len)) {
			part->how = word_modifiers[i].how;
			return true;
		}
	}
	switch (part->field) {
	case RECORD_TAGS:
		read_separator(part, p, len, a);
		return true;
	case RECORD_ID:
		part->how = HOW_WIDTH;
		return len == 2 && *p == '0' && p[1] != '0' &&
		       read_count(p, len, &part->count);
	case RECORD_SOURCE:
	case RECORD_SUMMARY:
	case RECORD_CONTENT:
	case RECORD_SNIPPET:
		part->how = HOW_FIRST;
		return read_count(p, len, &part->count);
	default:
		return false;
	}
}

/* Parse the field at *P, which follows `%(`, and move *P past its `)`. */
static int read_field(struct part *part, const char *text, const char **p,
		      struct arena *a, struct err *e)
{
	const char *end = strchr(*p, ')');
	const size_t len = strcspn(*p, ":)");
	const char *colon = *p + len;
	char why[128];
	int field = 0;

	if (!end)
		return template_error(text, *p - 2,
				      "a field that is not closed by )", e);
	while (field < RECORD_NFIELDS &&
	       (strlen(record_fields[field].name) != len ||
		memcmp(record_fields[field].name, *p, len) != 0))
		field++;
	if (field == RECORD_NFIELDS) {
		struct buf names = {0};

		for (field = 0; field < RECORD_NFIELDS; field++)
			buf_addf(&names, "%s%s", field ? ", " : "",
				 record_fields[field].name);
		template_error(text, *p,
			       arena_printf(a, "expected one of %s", names.p),
			       e);
		buf_release(&names);
		return -1;
	}
	part->field = (enum record_field)field;
	if (colon < end &&
	    !read_modifier(part, colon + 1, (size_t)(end - colon) - 1, a)) {
		snprintf(why, sizeof(why), "expected %s",
			 expected[field] ? expected[field] : ")");
		return template_error(text, colon + 1, why, e);
	}
	*p = end + 1;
	return 0;
}

/* Parse text and the field that follows it, and move *P past both. */
static int read_part(struct part *part, const char *text, const char **p,
		     struct buf *plain, struct arena *a, struct err *e)
{
	size_t taken;

	buf_cut(plain, 0);
	part->field = RECORD_NFIELDS;
	while (**p && part->field == RECORD_NFIELDS) {
		if (**p != '%' && **p != '\\') {
			buf_addc(plain, *(*p)++);
		} else if (**p == '%' && (*p)[1] == '(') {
			*p += 2;
			if (read_field(part, text, p, a, e) < 0)
				return -1;
		} else {
			taken = add_escape(plain, *p);
			if (!taken)
				return template_error(
					text, *p,
					**p == '%'
						? "expected %(field), %% or "
						  "two hexadecimal digits"
						: "expected \\t, \\n or \\\\",
					e);
			*p += taken;
		}
	}
	part->text = arena_copy(a, buf_str(plain), plain->len);
	part->len = plain->len;
	return 0;
}

int template_new(struct template **out, const char *text, struct arena *a,
		 struct err *e)
{
	struct template *t = arena_alloc(a, sizeof(*t));
	struct part **next = &t->parts;
	struct buf plain = {0};
	const char *p = text;
	int r = 0;

	while (*p && r == 0) {
		*next = arena_alloc(a, sizeof(**next));
		r = read_part(*next, text, &p, &plain, a, e);
		next = &(*next)->next;
	}
	buf_release(&plain);
	*out = t;
	return r;
}

static void add_first(struct buf *out, const struct part *part, const char *p,
		      size_t len)
{
	if (part->how == HOW_FIRST)
		len = utf8_prefix(p, len, part->count);
	buf_add(out, p, len);
}

static void add_path(struct buf *out, const struct part *part, const char *path)
{
	const char *name = file_name_of(path);

	if (part->how == HOW_NAME)
		buf_adds(out, name);
	else if (part->how == HOW_DIR)
		buf_add(out, path, name > path ? (size_t)(name - path) - 1 : 0);
	else
		buf_adds(out, path);
}

static void add_created(struct buf *out, const struct part *part,
			const struct record *r)
{
	char text[INSTANT_TEXT];

	if (part->how == HOW_SHORT)
		buf_addf(out, "%.10s", r->created);
	else if (part->how == HOW_UTC)
		buf_adds(out, instant_format(r->at, text));
	else if (part->how == HOW_UNIX)
		buf_addf(out, "%lld", (long long)r->at.sec);
	else
		buf_adds(out, r->created);
}

static void add_tags(struct buf *out, const struct part *part,
		     const struct record *r)
{
	for (size_t i = 0; i < r->ntags; i++) {
		if (i && part->how == HOW_JOIN)
			buf_add(out, part->sep, part->sep_len);
		else if (i)
			buf_adds(out, ", ");
		buf_adds(out, r->tags[i]);
	}
}

static void add_summary(struct buf *out, const struct part *part,
			const struct record *r)
{
	struct buf summary = {0};

	record_summary(&summary, r);
	add_first(out, part, buf_str(&summary), summary.len);
	buf_release(&summary);
}

static void add_refs(struct buf *out, const struct record_refs *refs)
{
	for (size_t i = 0; i < refs->n; i++)
		buf_addf(out, "%s%lld", i ? ", " : "",
			 (long long)refs->items[i].id);
}

/* Append MARKS as a JSON list of its own: in OUT, marks_json() would separate it from
 * the text before it by a comma. */
static void add_marks(struct buf *out, unsigned marks)
{
	struct buf list = {0};

	if (marks)
		marks_json(&list, marks);
	buf_add(out, buf_str(&list), list.len);
	buf_release(&list);
}

static void add_field(struct buf *out, const struct part *part,
		      const struct record *r)
{
	char sum[SHA256_HEX];

	switch (part->field) {
	case RECORD_ID:
		if (!r->title)
			buf_addf(out, "%0*lld", (int)part->count,
				 (long long)r->id);
		break;
	case RECORD_PATH:
		add_path(out, part, r->path);
		break;
	case RECORD_SCOPE:
		buf_adds(out, record_scope_name(r->scope));
		break;
	case RECORD_CREATED:
		add_created(out, part, r);
		break;
	case RECORD_TAGS:
		add_tags(out, part, r);
		break;
	case RECORD_SOURCE:
		if (r->source)
			add_first(out, part, r->source, strlen(r->source));
		break;
	case RECORD_SUMMARY:
		add_summary(out, part, r);
		break;
	case RECORD_CONTENT:
		add_first(out, part, r->content, r->content_len);
		break;
	case RECORD_SCORE:
		if (r->ranked)
			buf_addf(out, "%.4f", r->score);
		break;
	case RECORD_COVERAGE:
		if (r->ranked)
			buf_addf(out, "%.4f", r->coverage);
		break;
	case RECORD_SNIPPET:
		if (r->snippet)
			add_first(out, part, r->snippet, strlen(r->snippet));
		break;
	case RECORD_PARTIAL:
		buf_adds(out, r->partial ? "partial" : "");
		break;
	case RECORD_KIND:
		buf_adds(out, record_kind_name(r->kind));
		break;
	case RECORD_TITLE:
		buf_adds(out, r->title ? r->title : "");
		break;
	case RECORD_MARKS:
		add_marks(out, record_marks(r));
		break;
	case RECORD_EVIDENCE:
		buf_adds(out, r->evidence ? r->evidence : "");
		break;
	case RECORD_CONTRADICTS:
		add_refs(out, &r->contradicts);
		break;
	case RECORD_CONTRADICTED_BY:
		add_refs(out, &r->contradicted_by);
		break;
	case RECORD_LIKE:
		add_refs(out, &r->like);
		break;
	case RECORD_FRONTMATTER:
		if (r->frontmatter)
			json_write_value(out, r->frontmatter, NULL);
		break;
	case RECORD_SHA256:
		if (r->bytes)
			buf_adds(out, sha256_of(r->bytes, r->nbytes, sum));
		break;
	case RECORD_PROJECT:
		buf_adds(out, r->project ? r->project : "");
		break;
	case RECORD_STORE:
		if (r->prefix && !r->commit)
			buf_add(out, r->prefix, strlen(r->prefix) - 1);
		break;
	case RECORD_COMMIT:
		buf_adds(out, r->commit ? r->commit : "");
		break;
	case RECORD_AS_OF:
		buf_adds(out, r->commit ? r->as_of : "");
		break;
	case RECORD_NFIELDS:
		break;
	}
}

void template_add(struct buf *out, const struct template *t,
		  const struct record *r)
{
	for (const struct part *part = t->parts; part; part = part->next) {
		buf_add(out, part->text, part->len);
		add_field(out, part, r);
	}
}

bool template_uses(const struct template *t, enum record_field f)
{
	for (const struct part *part = t->parts; part; part = part->next) {
		if (part->field == f)
			return true;
	}
	return false;
}
