/* terms.c: one pass over the bytes, one word with all its joints at a time.
 *
 * A run without blanks is split where letters end, and at the humps of camel
 * case. Possessives and contractions lose their endings. The parts count as
 * words, so phrases and lengths see each once; the whole is colocated with the first
 * part.
 *
 * Scripts without blanks are read by clusters: a letter with the marks after
 * it. A pair of clusters is a term. Each single cluster is colocated with it, so that
 * a query of one character finds documents. An index has the characters of each
 * pair and needs only the last one of a run.
 *
 * Known limits: half-width kana lose their voicing marks; a word of more than
 * PARTS_MAX parts is split into several; Thai is not split into words.
 */
#include "rank/terms.h"

#include "base/ascii.h"
#include "base/unicode.h"
#include "base/utf8.h"

#define IDEOGRAPH 3 /* bytes, see is_ideograph() */
#define PARTS_MAX 16
#define WHOLE_MAX 8 /* parts of a word whose whole is a term */

enum kind { OTHER, WORD, PAIRED, IGNORED };

struct part {
	size_t start, end;
};

/* A joined word, and the sign after it (C++, C#). */
struct joined_word {
	struct part parts[PARTS_MAX];
	size_t n;
	size_t end;
	const char *sign;
	bool cut; /* it has more parts */
};

struct term_walk {
	struct terms *t;
	const char *p;
	size_t len;
	terms_fn *fn;
	void *ctx;
	size_t url_end; /* of the last URL; 0: there was none */
};

/* Return true for scripts that have no blanks between words, or, like Korean,
 * write several words as one. */
static bool is_paired(uint32_t c)
{
	static const struct {
		uint32_t first, last;
	} blocks[] = {{0x0E00, 0x0EFF}, /* Thai, Lao */
		      {0x1000, 0x109F}, /* Burmese */
		      {0x1100, 0x11FF}, /* Hangul, in pieces */
		      {0x1780, 0x17FF}, /* Khmer */
		      {0x2E80, 0x2FDF}, /* radicals */
		      {0x3005, 0x3007}, /* signs of repetition, zero */
		      {0x3021, 0x3029}, /* numerals */
		      {0x3031, 0x303C}, /* signs of kana */
		      {0x3041, 0x31FF}, /* kana, Bopomofo, Hangul */
		      {0x3400, 0x4DBF},	  {0x4E00, 0x9FFF},  {0xA960, 0xA97F},
		      {0xAC00, 0xD7FF},	  {0xF900, 0xFAFF},  {0xFF66, 0xFFDC},
		      {0x1AFF0, 0x1B16F}, {0x20000, 0x3FFFD}};

	for (size_t i = 0; i < ARRAY_LEN(blocks); i++) {
		if (c <= blocks[i].last)
			return c >= blocks[i].first;
	}
	return false;
}

/* Return true if one of the ideographs U+4E00 to U+9FBF is at I, which are
 * nearly all of Chinese. They fold to themselves and do not compose with the
 * character before. */
static bool is_ideograph(const struct term_walk *w, size_t i)
{
	const unsigned char *s = (const unsigned char *)w->p + i;

	return i < w->len && s[0] >= 0xE4 && s[0] <= 0xE9 &&
	       utf8_is_wide(w->p + i, w->len - i) &&
	       (s[0] > 0xE4 || s[1] >= 0xB8) && (s[0] < 0xE9 || s[1] < 0xBF);
}

/* Return the kind of the character at I, and its *SIZE in bytes. */
static enum kind kind_at(const struct term_walk *w, size_t i, size_t *size)
{
	char b = i < w->len ? w->p[i] : '\0';
	uint32_t c;

	*size = 1;
	if (!(b & 0x80))
		return ascii_is_alnum(b) ? WORD : OTHER;
	if (is_ideograph(w, i)) {
		*size = IDEOGRAPH;
		return PAIRED;
	}
	c = utf8_decode(w->p + i, w->len - i, size);
	if (c == UTF8_BAD)
		return OTHER;
	if (words_is_ignored(c))
		return IGNORED;
	if (!unicode_is_word(c))
		return OTHER;
	return is_paired(c) ? PAIRED : WORD;
}

/* Return the end of the word that begins at I. */
static size_t word_end(const struct term_walk *w, size_t i)
{
	size_t size, end = i;

	for (;; i += size) {
		enum kind kind;

		while (i < w->len && ascii_is_alnum(w->p[i]))
			end = ++i;
		kind = kind_at(w, i, &size);
		if (kind == WORD)
			end = i + size;
		else if (kind != IGNORED)
			return end;
	}
}

/* Return the number of bytes of the joint at I, or 0 if there is none. */
static size_t joint_at(const struct term_walk *w, size_t i)
{
	static const char *const wide[] = {"\u2019", "\u2010", "\u2011"};

	if (i >= w->len || !i)
		return 0;
	switch (w->p[i]) {
	case ' ':
	case '\n':
		return 0; /* the usual case */
	case '-':
	case '_':
	case '.':
	case '@':
	case '&':
	case '\'':
		return 1;
	}
	if (w->p[i] == ',' && i + 1 < w->len && ascii_is_digit(w->p[i - 1]) &&
	    ascii_is_digit(w->p[i + 1]))
		return 1;
	for (size_t k = 0; k < ARRAY_LEN(wide); k++) {
		if (w->len - i > 3 && !memcmp(w->p + i, wide[k], 3))
			return 3;
	}
	return 0;
}

/* Return true if the joint of SIZE bytes at P is an apostrophe. */
static bool is_apostrophe(const char *p, size_t size)
{
	return *p == '\'' || (size == 3 && !memcmp(p, "\u2019", 3));
}

/* Return true if the LEN bytes at P, after an apostrophe, are an ending and no
 * word: Ann's, we've. */
static bool is_ending(const char *p, size_t len)
{
	static const char endings[][3] = {"s", "m", "d", "re", "ve", "ll"};

	for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
		if (strlen(endings[i]) == len &&
		    (p[0] | 0x20) == endings[i][0] &&
		    (len == 1 || (p[1] | 0x20) == endings[i][1]))
			return true;
	}
	return false;
}

/* Return true if a hump of camel case begins at I, in the word from START to
 * END. */
static bool is_hump(const char *p, size_t start, size_t i, size_t end)
{
	if (i == start || !ascii_is_upper(p[i]))
		return false;
	if (ascii_is_lower(p[i - 1]))
		return true;
	/* HTTPServer, but not URLs */
	return ascii_is_upper(p[i - 1]) && i + 1 < end &&
	       ascii_is_lower(p[i + 1]) && !(p[i + 1] == 's' && i + 2 == end);
}

/* Add the word from START to END, split at its humps. */
static void add_parts(const char *p, struct joined_word *j, size_t start,
		      size_t end)
{
	size_t from = start;

	for (size_t i = start; i < end && j->n < PARTS_MAX - 1; i++) {
		if (!is_hump(p, start, i, end))
			continue;
		j->parts[j->n++] = (struct part){from, i};
		from = i;
	}
	j->parts[j->n++] = (struct part){from, end};
}

static const char *sign_at(const struct term_walk *w, size_t i)
{
	size_t size;

	if (w->len - i >= 2 && !memcmp(w->p + i, "++", 2))
		return "++";
	if (w->len - i >= 1 && w->p[i] == '#' &&
	    kind_at(w, i + 1, &size) != WORD)
		return "#";
	return "";
}

/* Read the joined word that begins at I. */
static void read_joined(const struct term_walk *w, size_t i,
			struct joined_word *j)
{
	size_t joint = 0, size, end;

	j->n = 0;
	j->cut = false;
	for (;; i += joint) {
		end = word_end(w, i);
		if (joint && is_apostrophe(w->p + i - joint, joint) &&
		    end - i == 1 && (w->p[i] | 0x20) == 't')
			j->parts[j->n - 1].end = end; /* don't is one word */
		else if (!joint || !is_apostrophe(w->p + i - joint, joint) ||
			 !is_ending(w->p + i, end - i))
			add_parts(w->p, j, i, end);
		j->end = i = end;
		joint = joint_at(w, i);
		if (!joint || kind_at(w, i + joint, &size) != WORD)
			break;
		if (j->n == PARTS_MAX) {
			j->cut = true;
			break;
		}
	}
	j->sign = sign_at(w, j->end);
}

/* Stem the word in T's buffer and pass it to the callback. */
static int emit(const struct term_walk *w, struct term *term)
{
	struct buf *word = &w->t->word;

	if (word->len > TERMS_BYTES_MAX)
		buf_cut(word, utf8_cut(word->p, word->len, TERMS_BYTES_MAX));
	if (!word->len)
		return 0;
	term->word = word->p;
	term->word_len = word->len;
	term->p = word->p;
	term->len = word->len;
	term->in_url = term->start < w->url_end;
	if (!(*word->p & 0x80) &&
	    (!w->t->first || w->t->first[(unsigned char)*word->p]))
		term->p = stem_cached(&w->t->stems, word->p, word->len,
				      &term->len);
	return w->fn(w->ctx, term);
}

/* Fill T's word buffer with J as a whole: the parts without joints, except
 * those between digits, which belong to a number, version or date. */
static void fold_whole(const struct term_walk *w, const struct joined_word *j)
{
	struct buf *out = &w->t->word;

	buf_cut(out, 0);
	for (size_t i = 0; i < j->n; i++) {
		const size_t start = j->parts[i].start;

		if (i) {
			const size_t before = j->parts[i - 1].end;

			if (start - before == 1 &&
			    ascii_is_digit(w->p[start]) &&
			    ascii_is_digit(w->p[before - 1]) &&
			    w->p[before] != ',')
				buf_addc(out, w->p[before]);
		}
		words_add(&w->t->word, &w->t->raw, w->p + start,
			  j->parts[i].end - start);
	}
	buf_adds(out, j->sign);
}

static int emit_joined(const struct term_walk *w, const struct joined_word *j)
{
	bool whole = (j->n > 1 || *j->sign) && j->n <= WHOLE_MAX && !j->cut;
	int r = 0;

	for (size_t i = 0; i < j->n && !r; i++) {
		struct term term = {.start = j->parts[i].start,
				    .end = j->parts[i].end,
				    .from = j->parts[0].start};

		buf_cut(&w->t->word, 0);
		words_add(&w->t->word, &w->t->raw, w->p + term.start,
			  term.end - term.start);
		r = emit(w, &term);
		if (i || !whole || r)
			continue;
		term.end = j->end + strlen(j->sign);
		term.colocated = term.whole = true;
		fold_whole(w, j);
		r = emit(w, &term);
	}
	return r;
}

static bool is_blank_at(const struct term_walk *w, size_t i)
{
	return i >= w->len || w->p[i] == ' ' || w->p[i] == '\n';
}

/* Return the end of the word at I if it is simple: lower-case letters and
 * digits, perhaps after a capital, without joints. Else return 0. */
static size_t simple_end(const struct term_walk *w, size_t i)
{
	size_t end = i + 1;

	if (!ascii_is_alnum(w->p[i]))
		return 0;
	while (end < w->len &&
	       (ascii_is_lower(w->p[end]) || ascii_is_digit(w->p[end])))
		end++;
	if (is_blank_at(w, end))
		return end;
	return (w->p[end] == '.' || w->p[end] == ',') && is_blank_at(w, end + 1)
		       ? end
		       : 0;
}

/* Emit a simple word: the same term as from emit_joined(), at less cost. */
static int emit_simple(const struct term_walk *w, size_t start, size_t end)
{
	struct term term = {.start = start, .end = end, .from = start};
	struct buf *word = &w->t->word;

	if (w->t->as_is && !w->t->first[(unsigned char)w->p[start] | 0x20]) {
		term.p = term.word = w->p + start;
		term.len = term.word_len = end - start;
		term.in_url = start < w->url_end;
		return w->fn(w->ctx, &term);
	}
	buf_cut(word, 0);
	buf_add(word, w->p + start, end - start);
	*word->p |= 0x20;
	return emit(w, &term);
}

/* Return the end of the URL whose scheme ends at I, or 0 if there is none. It ends before
 * a blank, a quote, a bracket or a character that is not ASCII. */
static size_t url_end_at(const struct term_walk *w, size_t i)
{
	static const char mark[] = "://";

	if (w->len - i <= strlen(mark) ||
	    memcmp(w->p + i, mark, strlen(mark)) != 0)
		return 0;
	for (i += strlen(mark); i < w->len; i++) {
		const char b = w->p[i];

		if (b <= ' ' || b & 0x80 || strchr("\"'`<>()[]{}|\\^", b))
			break;
	}
	return i;
}

/* Return the end of the cluster at I: a letter with its marks and pieces of
 * Hangul. */
static size_t cluster_end(const struct term_walk *w, size_t i)
{
	size_t size;
	uint32_t c;

	kind_at(w, i, &size);
	for (i += size; i < w->len && !is_ideograph(w, i); i += size) {
		c = utf8_decode(w->p + i, w->len - i, &size);
		if (!words_is_ignored(c) && !unicode_may_compose(c))
			break;
	}
	return i;
}

/* Return true if C is only an ideograph or two. */
static bool are_ideographs(const struct term_walk *w, struct part c)
{
	return is_ideograph(w, c.start) &&
	       (c.end - c.start == IDEOGRAPH ||
		(c.end - c.start == 2 * IDEOGRAPH &&
		 is_ideograph(w, c.start + IDEOGRAPH)));
}

/* Emit C, one cluster or two. */
static int emit_cluster(const struct term_walk *w, struct part c,
			bool colocated)
{
	struct term term = {.start = c.start,
			    .end = c.end,
			    .from = c.start,
			    .colocated = colocated};

	buf_cut(&w->t->word, 0);
	if (are_ideographs(w, c))
		buf_add(&w->t->word, w->p + c.start, c.end - c.start);
	else
		words_add_composed(&w->t->word, &w->t->raw, w->p + c.start,
				   c.end - c.start);
	return emit(w, &term);
}

/* Emit the pairs of the run at *I, and set *I to its end. */
static int emit_pairs(const struct term_walk *w, size_t *i)
{
	struct part before = {*i, cluster_end(w, *i)}, now;
	bool alone = true;
	size_t size;
	int r = 0;

	for (; !r && kind_at(w, before.end, &size) == PAIRED; before = now) {
		now = (struct part){before.end, cluster_end(w, before.end)};
		alone = false;
		r = emit_cluster(w, (struct part){before.start, now.end},
				 false);
		if (!r && !w->t->question && !w->t->index)
			r = emit_cluster(w, before, true);
	}
	if (!r && (alone || !w->t->question))
		r = emit_cluster(w, before, !alone);
	*i = before.end;
	return r;
}

int terms_each(struct terms *t, const char *p, size_t len, terms_fn *fn,
	       void *ctx)
{
	struct term_walk w = {t, p, len, fn, ctx, 0};
	struct joined_word j;
	size_t i = 0, size, end;
	int r = 0;

	while (i < len && !r) {
		if (is_blank_at(&w, i)) {
			i++;
			continue;
		}
		end = simple_end(&w, i);
		if (end) {
			r = emit_simple(&w, i, end);
			i = end;
			continue;
		}
		switch (kind_at(&w, i, &size)) {
		case WORD:
			read_joined(&w, i, &j);
			end = url_end_at(&w, j.end);
			if (end)
				w.url_end = end;
			r = emit_joined(&w, &j);
			i = j.end;
			break;
		case PAIRED:
			r = emit_pairs(&w, &i);
			break;
		default:
			i += size;
		}
	}
	return r;
}

struct text_end {
	terms_fn *fn;
	void *ctx;
	size_t end; /* of the text */
};

static int emit_at_end(void *ctx, const struct term *t)
{
	const struct text_end *a = ctx;
	struct term moved = *t;

	moved.start = moved.end = moved.from = a->end;
	moved.colocated = true;
	return a->fn(a->ctx, &moved);
}

int terms_document(struct terms *t, const char *p, size_t len,
		   const char *const *tags, size_t ntags, terms_fn *fn,
		   void *ctx)
{
	struct text_end after = {fn, ctx, len};
	int r = terms_each(t, p, len, fn, ctx);

	for (size_t i = 0; i < ntags && !r; i++)
		r = terms_each(t, tags[i], strlen(tags[i]), emit_at_end,
			       &after);
	return r;
}

bool terms_is_single(const char *p, size_t len)
{
	const struct term_walk w = {.p = p, .len = len};
	size_t size;

	return kind_at(&w, 0, &size) == PAIRED && cluster_end(&w, 0) == len;
}

size_t terms_split(const char *p, size_t len)
{
	const struct term_walk w = {.p = p, .len = len};
	size_t size, end;

	if (kind_at(&w, 0, &size) != PAIRED)
		return 0;
	end = cluster_end(&w, 0);
	return kind_at(&w, end, &size) == PAIRED && cluster_end(&w, end) == len
		       ? end
		       : 0;
}

void terms_release(struct terms *t)
{
	buf_release(&t->word);
	stem_cache_release(&t->stems);
	buf_release(&t->raw);
}
