/* match.c: a pattern has two compiled forms, `plain` for ASCII subjects and
 * `full` for all others, which are folded first. Each is compiled when it is
 * first needed, and by the JIT once enough text was searched to pay for that.
 *
 * A folded literal is compared byte by byte. In a regular expression only
 * characters beyond ASCII are folded, so that \S does not become \s.
 *
 * Most patterns are plain text. In an ASCII subject they are searched without
 * PCRE2. Another subject is folded only if it may match: if it contains the
 * ASCII pattern, or one of the few characters that fold to ASCII. Chinese
 * characters have no case and are searched unfolded.
 *
 * PCRE2 counts steps anew for each starting point, so a search of a long text
 * could take hours within its limits. Patterns that can backtrack are therefore
 * compiled with callouts, which check the clock now and then. The time limit
 * covers all searches of one struct match; it only applies once the process has
 * used that much processor time, so that waiting for a processor does not
 * count.
 *
 * Known limits: a character that folds to several (ß) is treated as several, so
 * a quantifier applies to the last one and a class matches any of them. With
 * MATCH_WORD, a recursion of the whole pattern, (?R), also requires word
 * boundaries.
 */
#include "text/match.h"

#include "base/ascii.h"
#include "base/instant.h"
#include "base/mem.h"
#include "base/unicode.h"
#include "base/utf8.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdatomic.h>

#define STEPS_MAX 1000000
#define HEAP_MAX_KIB (16 * 1024)
#define TIME_MAX_NS UINT64_C(2000000000)
#define JIT_AFTER 32768	 /* searched bytes before JIT compilation */
#define CALLS_A_LOOK 128 /* callouts between two checks of the clock */

struct literal {
	const char *p;
	size_t len;
	size_t rare;	/* offset of its rarest byte */
	bool sensitive; /* case-sensitive */
};

struct form {
	pcre2_code *code;
	bool tried; /* compiled, or failed to compile */
	size_t searched;
};

struct match {
	char *pattern; /* as given, for messages */
	size_t len;
	unsigned flags;
	struct buf text; /* folded, and wrapped for MATCH_WORD */
	bool quoted;	 /* `text` is compiled as a literal */
	bool ascii;	 /* `text` is ASCII */
	bool may_backtrack;
	bool simple;		/* literal_holds() decides for ASCII subjects */
	struct literal literal; /* used if simple or ideographs */
	bool ideographs;	/* `text` consists of ideographs */
	struct form plain, full;
	pcre2_general_context *memory;
	pcre2_compile_context *how;
	pcre2_match_context *limits;
	pcre2_match_data *data;
	struct buf subject; /* the folded subject */
	uint64_t began_ns;
	atomic_uint_least64_t own_ns, *spent_ns; /* own, or the original's */
	unsigned calls;
};

static int check_time(pcre2_callout_block *unused, void *data)
{
	struct match *m = data;

	(void)unused;
	if (++m->calls % CALLS_A_LOOK ||
	    atomic_load(m->spent_ns) + (instant_monotonic_ns() - m->began_ns) <
		    TIME_MAX_NS ||
	    instant_processor_ns() < TIME_MAX_NS)
		return 0;
	return PCRE2_ERROR_CALLOUT;
}

static size_t non_ascii_prefix(const char *p, size_t len)
{
	size_t i = 0;

	while (i < len && (p[i] & 0x80))
		i++;
	return i;
}

/* Append the expression P with its characters beyond ASCII folded, together
 * with the letter before them, which a mark may combine with. */
static void fold_expression(struct buf *out, const char *p, size_t len,
			    bool caseless)
{
	size_t i = 0, run, start;

	while (i < len) {
		run = non_ascii_prefix(p + i + 1, len - i - 1);
		start = out->len;
		if (p[i] & 0x80) {
			unicode_fold(out, p + i, run + 1, caseless);
			i += run + 1;
		} else if (p[i] == '\\' && run) {
			i++; /* the escaped character matches itself anyway */
		} else if (p[i] == '\\' && i + 1 < len) {
			buf_add(out, p + i, 2);
			i += 2;
		} else if (ascii_is_letter(p[i]) && run) {
			unicode_fold(out, p + i, run + 1, caseless);
			if (!(out->p[start] & 0x80))
				out->p[start] = p[i]; /* keep its case */
			i += run + 1;
		} else {
			buf_addc(out, p[i++]);
		}
	}
}

static void quote_literal(struct buf *out, const char *p, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (!(p[i] & 0x80) && !ascii_is_letter(p[i]) &&
		    !ascii_is_digit(p[i]))
			buf_addc(out, '\\');
		buf_addc(out, p[i]);
	}
}

int match_new_word(struct match **out, const char *word, struct err *e)
{
	const size_t len = strlen(word);

	return match_new(out, word, len,
			 MATCH_LITERAL |
				 (utf8_is_ascii(word, len) ? MATCH_START : 0),
			 e);
}

void match_join(struct buf *out, const char *const *patterns, size_t n,
		bool literal)
{
	for (size_t i = 0; i < n; i++) {
		buf_adds(out, i ? "|(?:" : "(?:");
		if (literal)
			quote_literal(out, patterns[i], strlen(patterns[i]));
		else
			buf_adds(out, patterns[i]);
		buf_addc(out, ')');
	}
}

/* Return the length of the settings, such as (*UTF), that P begins with. They
 * must remain at the start. */
static size_t settings_prefix(const char *p, size_t len)
{
	static const char *const names[] = {"UTF",    "UCP", "NO_", "NOTEMPTY",
					    "LIMIT_", "CR",  "LF",  "ANY",
					    "NUL",    "BSR_"};
	size_t at = 0, i;
	const char *end;

	while (len - at > 2 && !memcmp(p + at, "(*", 2)) {
		end = memchr(p + at, ')', len - at);
		for (i = 0; end && i < ARRAY_LEN(names); i++) {
			if (!strncmp(p + at + 2, names[i], strlen(names[i])))
				break;
		}
		if (!end || i == ARRAY_LEN(names))
			break;
		at = (size_t)(end - p) + 1;
	}
	return at;
}

static pcre2_code *compile_form(const struct match *m, const struct buf *text,
				unsigned options, int *error, size_t *offset)
{
	options |= PCRE2_NEVER_BACKSLASH_C;
	if (m->quoted)
		options = (options & PCRE2_CASELESS) | PCRE2_LITERAL;
	else
		options |= PCRE2_MULTILINE;
	if (m->may_backtrack)
		options |= PCRE2_AUTO_CALLOUT;
	return pcre2_compile((PCRE2_SPTR)buf_str(text), text->len, options,
			     error, offset, m->how);
}

static unsigned full_options(const struct match *m)
{
	bool folded = m->flags & (MATCH_LITERAL | MATCH_CASE);

	if (m->flags & MATCH_BYTES)
		return 0;
	return PCRE2_UTF | PCRE2_UCP | PCRE2_NO_UTF_CHECK |
	       (folded ? 0 : PCRE2_CASELESS);
}

static int set_bad_pattern(const struct match *m, int error, size_t offset,
			   struct err *e)
{
	char text[256];

	pcre2_get_error_message(error, (PCRE2_UCHAR *)text, sizeof(text));
	return err_set(e, ERR_USAGE, "bad pattern '%s' at offset %zu: %s",
		       m->pattern, offset, text);
}

/* Wrap m->text, a valid expression, so that it matches words only. The closing
 * parenthesis depends on what the expression leaves open: nothing, \Q or a
 * comment. */
static int wrap_word(struct match *m, struct err *e)
{
	static const char *const ends[] = {")", "\\E)", "\n)"};
	size_t settings = settings_prefix(m->text.p, m->text.len), offset = 0;
	struct buf inner = m->text;
	int error = 0;

	m->text = (struct buf){0};
	for (size_t i = 0; i < ARRAY_LEN(ends) && !m->full.code; i++) {
		buf_cut(&m->text, 0);
		buf_add(&m->text, inner.p, settings);
		buf_adds(&m->text, "(?<!\\w)(?:");
		buf_add(&m->text, inner.p + settings, inner.len - settings);
		buf_adds(&m->text, ends[i]);
		if (m->flags & MATCH_WORD)
			buf_adds(&m->text, "(?!\\w)");
		m->full.code = compile_form(m, &m->text, full_options(m),
					    &error, &offset);
	}
	buf_release(&inner);
	if (!m->full.code)
		return set_bad_pattern(m, error, offset, e);
	return 0;
}

static int prepare_literal(struct match *m, const char *p, size_t len,
			   struct err *e)
{
	struct buf folded = {0};
	int r = 0;

	unicode_fold(&folded, p, len, !(m->flags & MATCH_CASE));
	m->ascii = utf8_is_ascii(buf_str(&folded), folded.len);
	if (m->flags & (MATCH_WORD | MATCH_START)) {
		quote_literal(&m->text, folded.p, folded.len);
		buf_grow(&m->text, 0);
		r = wrap_word(m, e);
		buf_release(&folded);
	} else {
		m->text = folded;
		m->quoted = true;
	}
	return r;
}

/* Compile P as given, so that an error message refers to it, and then in its
 * folded form. */
static int prepare_expression(struct match *m, const char *p, size_t len,
			      struct err *e)
{
	struct buf given = {0};
	size_t offset = 0;
	int error = 0;

	for (size_t i = 0; i < len && !(m->flags & MATCH_BYTES); i++)
		m->may_backtrack |= p[i] && strchr("*+?{(", p[i]);
	buf_add(&given, p, len);
	m->full.code =
		compile_form(m, &given, full_options(m), &error, &offset);
	m->text = given;
	if (!m->full.code)
		return set_bad_pattern(m, error, offset, e);
	m->ascii = utf8_is_ascii(given.p, len);
	if (m->ascii && !(m->flags & (MATCH_WORD | MATCH_START)))
		return 0;
	pcre2_code_free(m->full.code);
	m->full.code = NULL;
	if (!m->ascii) {
		m->text = (struct buf){0};
		fold_expression(&m->text, p, len, !(m->flags & MATCH_CASE));
		buf_release(&given);
	}
	if (m->flags & (MATCH_WORD | MATCH_START))
		return wrap_word(m, e);
	m->full.code =
		compile_form(m, &m->text, full_options(m), &error, &offset);
	return m->full.code ? 0 : set_bad_pattern(m, error, offset, e);
}

static void *allocate_for_pcre2(size_t size, void *unused)
{
	(void)unused;
	return mem_resize(NULL, size, 1);
}

static void free_for_pcre2(void *p, void *unused)
{
	(void)unused;
	free(p);
}

/* Return true if PATTERN is ASCII text without syntax. */
static bool is_simple(const struct match *m, const char *pattern, size_t len)
{
	static const char special[] = "\\^$.|?*+()[]{}";

	if (!m->text.len || !m->ascii ||
	    m->flags & (MATCH_WORD | MATCH_START | MATCH_BYTES))
		return false;
	for (size_t i = 0; i < len && !(m->flags & MATCH_LITERAL); i++) {
		if (strchr(special, pattern[i]))
			return false;
	}
	return true;
}

/* Return true if M searches a text of ideographs up to U+9FFF only. */
static bool has_only_ideographs(const struct match *m)
{
	const char *p = m->text.p;
	size_t size;

	if (!m->text.len || m->flags & (MATCH_WORD | MATCH_START | MATCH_BYTES))
		return false;
	for (size_t i = 0; i < m->text.len; i += size) {
		const uint32_t c = utf8_decode(p + i, m->text.len - i, &size);

		if (c < 0x4E00 || c > 0x9FFF)
			return false;
	}
	return true;
}

/* Return how common C is. Bytes that are no letters count as rare, except the
 * first byte of a multibyte character, which thousands of characters share. */
static size_t commonness(char c)
{
	static const char letters[] = "zqxjkvbpygfwmucldrhsnioate ";
	const char *p = memchr(letters, c, sizeof(letters) - 1);

	if ((unsigned char)c >= 0xC0)
		return sizeof(letters);
	return p ? (size_t)(p - letters) + 1 : 0;
}

/* Set L to search for LEN > 0 bytes of P, which are borrowed. */
static void literal_init(struct literal *l, const char *p, size_t len,
			 bool sensitive)
{
	*l = (struct literal){p, len, 0, sensitive};
	for (size_t i = 1; i < len; i++) {
		if (commonness(ascii_lower(p[i])) <
		    commonness(ascii_lower(p[l->rare])))
			l->rare = i;
	}
}

static bool equals_at(const struct literal *l, const char *p)
{
	for (size_t i = 0; i < l->len; i++) {
		if (p[i] != l->p[i] &&
		    (l->sensitive || ascii_lower(p[i]) != ascii_lower(l->p[i])))
			return false;
	}
	return true;
}

/* Return true if P contains L with C as its rarest byte. */
static bool holds_with_byte(const struct literal *l, const char *p, size_t len,
			    char c)
{
	const char *at = p + l->rare;
	const char *const end = p + len - (l->len - 1 - l->rare);

	for (; at < end; at++) {
		at = memchr(at, c, (size_t)(end - at));
		if (!at)
			return false;
		if (equals_at(l, at - l->rare))
			return true;
	}
	return false;
}

/* Return true if the LEN bytes of P contain L. memchr() finds its rarest byte
 * quickly; the rest is compared only there. */
static bool literal_holds(const struct literal *l, const char *p, size_t len)
{
	const char c = l->p[l->rare], small = ascii_lower(c);

	if (len < l->len)
		return false;
	if (l->sensitive || small < 'a' || small > 'z')
		return holds_with_byte(l, p, len, c);
	return holds_with_byte(l, p, len, small) ||
	       holds_with_byte(l, p, len, (char)(small - 'a' + 'A'));
}

int match_new(struct match **out, const char *pattern, size_t len,
	      unsigned flags, struct err *e)
{
	size_t bad = utf8_check(pattern, len);
	struct match *m;
	int r;

	if (len > MATCH_PATTERN_MAX)
		return err_set(e, ERR_USAGE, "pattern longer than %d bytes",
			       MATCH_PATTERN_MAX);
	if (bad < len)
		return err_set(e, ERR_USAGE,
			       "bad pattern at offset %zu: no UTF-8", bad);
	m = mem_alloc(sizeof(*m));
	m->flags = flags;
	m->pattern = memcpy(mem_alloc(len + 1), pattern, len);
	m->len = len;
	m->spent_ns = &m->own_ns;
	m->memory = pcre2_general_context_create(allocate_for_pcre2,
						 free_for_pcre2, NULL);
	m->how = pcre2_compile_context_create(m->memory);
	m->limits = pcre2_match_context_create(m->memory);
	m->data = pcre2_match_data_create(2, m->memory);
	pcre2_set_newline(m->how, PCRE2_NEWLINE_ANYCRLF);
	pcre2_set_match_limit(m->limits, STEPS_MAX);
	pcre2_set_heap_limit(m->limits, HEAP_MAX_KIB);
	pcre2_set_callout(m->limits, check_time, m);
	r = flags & MATCH_LITERAL ? prepare_literal(m, pattern, len, e)
				  : prepare_expression(m, pattern, len, e);
	if (r < 0) {
		match_free(m);
		return -1;
	}
	m->simple = is_simple(m, pattern, len);
	m->ideographs = has_only_ideographs(m);
	if (m->simple || m->ideographs)
		literal_init(&m->literal, m->text.p, m->text.len,
			     m->ideographs || flags & MATCH_CASE);
	*out = m;
	return 0;
}

struct match *match_again(struct match *m)
{
	struct match *again = NULL;

	/* Cannot fail: the pattern compiled before. */
	if (match_new(&again, m->pattern, m->len, m->flags, NULL) == 0)
		again->spent_ns = m->spent_ns;
	return again;
}

/* Return the form for an ASCII subject or for another one. The full form is
 * also used for ASCII if the plain one does not compile (\x{1F600}). */
static struct form *pick_form(struct match *m, bool ascii)
{
	unsigned caseless = m->flags & MATCH_CASE ? 0 : PCRE2_CASELESS;
	size_t offset;
	int error;

	if (ascii && m->ascii && !m->plain.tried) {
		m->plain.tried = true;
		m->plain.code =
			compile_form(m, &m->text, caseless, &error, &offset);
	}
	if (ascii && m->plain.code)
		return &m->plain;
	if (!m->full.code)
		m->full.code = compile_form(m, &m->text, full_options(m),
					    &error, &offset);
	return &m->full;
}

static int set_limit_error(const struct match *m, const char *limit,
			   struct err *e)
{
	return err_set(e, ERR_SYSTEM,
		       "search for '%s' stopped at its limit of %s", m->pattern,
		       limit);
}

static int set_match_error(const struct match *m, int error, struct err *e)
{
	char text[256];

	switch (error) {
	case PCRE2_ERROR_CALLOUT:
		return set_limit_error(m, "2 seconds", e);
	case PCRE2_ERROR_MATCHLIMIT:
	case PCRE2_ERROR_DEPTHLIMIT:
		return set_limit_error(m, "1000000 steps", e);
	case PCRE2_ERROR_HEAPLIMIT:
	case PCRE2_ERROR_NOMEMORY:
		return set_limit_error(m, "16 MiB of memory", e);
	default:
		pcre2_get_error_message(error, (PCRE2_UCHAR *)text,
					sizeof(text));
		return err_set(e, ERR_SYSTEM, "search for '%s' failed: %s",
			       m->pattern, text);
	}
}

static int run_form(struct match *m, struct form *f, const char *p, size_t len,
		    size_t at)
{
	const unsigned options = PCRE2_NO_UTF_CHECK;
	int r;

	if (f->searched <= JIT_AFTER) {
		f->searched += len;
		if (f->searched > JIT_AFTER)
			pcre2_jit_compile(f->code, PCRE2_JIT_COMPLETE);
	}
	m->began_ns = instant_monotonic_ns();
	r = pcre2_match(f->code, (PCRE2_SPTR)p, len, at, options, m->data,
			m->limits);
	if (r == PCRE2_ERROR_JIT_STACKLIMIT) /* the interpreter has more */
		r = pcre2_match(f->code, (PCRE2_SPTR)p, len, at,
				options | PCRE2_NO_JIT, m->data, m->limits);
	atomic_fetch_add(m->spent_ns, instant_monotonic_ns() - m->began_ns);
	return r;
}

/* Return the form for the subject *P of *LEN bytes and fold the subject, unless
 * it is ASCII. Returns NULL if the pattern does not compile. */
static struct form *prepare_subject(struct match *m, bool ascii, const char **p,
				    size_t *len)
{
	struct form *f = pick_form(m, ascii);

	if (!ascii) {
		buf_cut(&m->subject, 0);
		unicode_fold(&m->subject, *p, *len, !(m->flags & MATCH_CASE));
		*p = buf_str(&m->subject);
		*len = m->subject.len;
	}
	return f->code ? f : NULL;
}

/* Return true if no ASCII subject can match. */
static bool needs_non_ascii(const struct match *m)
{
	return !m->ascii && m->flags & MATCH_LITERAL;
}

/* Test P, which is not ASCII, without folding it. Returns 1, 0, or -1 if P must
 * be folded to know. */
static int test_unfolded(const struct match *m, const char *p, size_t len)
{
	if (m->simple)
		return literal_holds(&m->literal, p, len) ||
				       unicode_may_become_ascii(p, len)
			       ? -1
			       : 0;
	if (!m->ideographs)
		return -1;
	if (literal_holds(&m->literal, p, len))
		return 1;
	return unicode_may_become_ideograph(p, len) ? -1 : 0;
}

int match_test(struct match *m, const char *p, size_t len, struct err *e)
{
	const bool ascii = utf8_is_ascii(p, len);
	struct form *f;
	int r;

	if (atomic_load(m->spent_ns) >= TIME_MAX_NS)
		return set_match_error(m, PCRE2_ERROR_CALLOUT, e);
	if (ascii && needs_non_ascii(m))
		return 0;
	if (ascii && m->simple)
		return literal_holds(&m->literal, p, len);
	r = ascii ? -1 : test_unfolded(m, p, len);
	if (r >= 0)
		return r;
	f = prepare_subject(m, ascii, &p, &len);
	if (!f)
		return set_match_error(m, PCRE2_ERROR_NOMEMORY, e);
	r = run_form(m, f, p ? p : "", len, 0);
	if (r < PCRE2_ERROR_NOMATCH)
		return set_match_error(m, r, e);
	return r >= 0;
}

static int add_spans(struct match *m, struct form *f, const char *p, size_t len,
		     struct spans *out, struct err *e)
{
	const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(m->data);
	size_t at = 0;

	while (at <= len) {
		int r = run_form(m, f, p, len, at);

		if (r < PCRE2_ERROR_NOMATCH ||
		    atomic_load(m->spent_ns) >= TIME_MAX_NS)
			return set_match_error(
				m, r < 0 ? r : PCRE2_ERROR_CALLOUT, e);
		if (r < 0)
			return 0;
		if (ends[1] > ends[0] && ends[0] >= at)
			color_span_add(out, ends[0], ends[1], COLOR_MATCH);
		at = ends[1] > at ? ends[1]
				  : at + utf8_prefix(p + at, len - at, 1) +
					    (at == len);
	}
	return 0;
}

/* Return the length of the character at P with the characters that combine with
 * it. */
static size_t cluster_len(const char *p, size_t len)
{
	size_t n, size;

	utf8_decode(p, len, &n);
	while (n < len && p[n] & 0x80) {
		const uint32_t c = utf8_decode(p + n, len - n, &size);

		if (c == UTF8_BAD || !unicode_may_compose(c))
			break;
		n += size;
	}
	return n;
}

/* Convert the spans of S from index FIRST on from offsets in m->subject to
 * offsets in P, folding one cluster at a time. Returns false if that is not
 * possible. */
static bool unfold_spans(const struct match *m, const char *p, size_t len,
			 struct spans *s, size_t first)
{
	size_t i = 0, folded_at = 0, start = first, end = first;
	struct buf folded = {0};

	while (i < len) {
		const size_t n = cluster_len(p + i, len - i);

		buf_cut(&folded, 0);
		unicode_fold(&folded, p + i, n, !(m->flags & MATCH_CASE));
		if (folded_at + folded.len > m->subject.len ||
		    memcmp(m->subject.p + folded_at, buf_str(&folded),
			   folded.len) != 0)
			break;
		folded_at += folded.len;
		for (; start < s->n && s->items[start].start < folded_at;
		     start++)
			s->items[start].start = i;
		i += n;
		for (; end < s->n && s->items[end].end <= folded_at; end++)
			s->items[end].end = i;
	}
	buf_release(&folded);
	return i == len && start == s->n && end == s->n;
}

int match_spans(struct match *m, const char *p, size_t len, struct spans *out,
		struct err *e)
{
	const bool ascii = utf8_is_ascii(p, len);
	const size_t first = out->n;
	const char *subject = p;
	size_t n = len;
	struct form *f;

	if (!len || (ascii && needs_non_ascii(m)))
		return 0;
	f = prepare_subject(m, ascii, &subject, &n);
	if (!f)
		return set_match_error(m, PCRE2_ERROR_NOMEMORY, e);
	if (add_spans(m, f, subject, n, out, e) < 0)
		return -1;
	if (!ascii && out->n > first && !unfold_spans(m, p, len, out, first)) {
		out->n = first;
		color_span_add(out, 0, len, COLOR_MATCH);
	}
	return 0;
}

int match_at(struct match *m, const char *p, size_t len, size_t at,
	     size_t span[2], struct err *e)
{
	const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(m->data);
	int r = pcre2_match(m->full.code, (PCRE2_SPTR)p, len, at,
			    PCRE2_ANCHORED, m->data, m->limits);

	if (r < PCRE2_ERROR_NOMATCH)
		return set_match_error(m, r, e);
	if (r < 0)
		return 0;
	ends += r == 2 ? 2 : 0;
	span[0] = ends[0];
	span[1] = ends[1];
	return 1;
}

void match_free(struct match *m)
{
	if (!m)
		return;
	pcre2_code_free(m->plain.code);
	pcre2_code_free(m->full.code);
	pcre2_compile_context_free(m->how);
	pcre2_match_context_free(m->limits);
	pcre2_match_data_free(m->data);
	pcre2_general_context_free(m->memory);
	buf_release(&m->text);
	buf_release(&m->subject);
	free(m->pattern);
	free(m);
}

void match_library(struct buf *out)
{
	char version[64] = "";

	pcre2_config(PCRE2_CONFIG_VERSION, version);
	buf_addf(out, "PCRE2 %.*s", (int)strcspn(version, " "), version);
}
