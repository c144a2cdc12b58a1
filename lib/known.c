/* known.c: the text that is looked for is folded once.  A file of ASCII, as
 * most are, is compared byte by byte and left at the first that differs.
 */
#include "known.h"

#include "unicode.h"
#include "utf8.h"

static bool is_blank(uint32_t c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || c == 0x85 || c == 0xA0 ||
	       c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
	       c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

void known_fold(struct buf *out, const char *p, size_t len)
{
	struct buf folded = {0};
	bool blank = false;
	size_t size;

	unicode_fold(&folded, p, len, true);
	for (size_t i = 0; i < folded.len; i += size) {
		if (is_blank(utf8_decode(folded.p + i, folded.len - i, &size)))
			blank = true;
		else {
			if (blank && out->len)
				buf_addc(out, ' ');
			blank = false;
			buf_add(out, folded.p + i, size);
		}
	}
	buf_release(&folded);
}

struct known {
	struct buf want;
	struct buf folded; /* of the file that is looked at */
	struct arena *a;
	struct record *found;
	bool any;
};

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* True if the ASCII text P, stripped, folds to WANT. */
static bool is_ascii_equal(const char *p, size_t len, const struct buf *want)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		const bool blank = is_blank((unsigned char)p[i]);
		const char c = blank ? ' ' : lower(p[i]);

		if (blank && is_blank((unsigned char)p[i + 1]))
			continue;
		if (n == want->len || want->p[n++] != c)
			return false;
	}
	return n == want->len;
}

static bool is_equal(struct known *k, const struct record *r)
{
	if (utf8_is_ascii(r->content, r->content_len))
		return is_ascii_equal(r->content, r->content_len, &k->want);
	buf_cut(&k->folded, 0);
	known_fold(&k->folded, r->content, r->content_len);
	return k->folded.len == k->want.len &&
	       !memcmp(buf_str(&k->folded), buf_str(&k->want), k->want.len);
}

/* Keep the one with the lowest id, whatever the order of the sweep. */
static int test(void *ctx, const struct record *r)
{
	struct known *k = ctx;

	if ((k->any && record_by_id(r, k->found) > 0) || !is_equal(k, r))
		return 0;
	*k->found = record_copy(r, k->a);
	k->any = true;
	return 0;
}

int known_find(struct store *s, const char *p, size_t len, struct arena *a,
	       struct record *r, enum area *where, struct err *e)
{
	struct known k = {.a = a, .found = r};
	int result = 0;

	known_fold(&k.want, p, len);
	for (*where = AREA_MEMORIES; k.want.len && *where < AREA_ANY;
	     ++*where) {
		result = store_each_strict(s, *where, test, &k, e);
		if (result < 0 || k.any)
			break;
	}
	buf_release(&k.want);
	buf_release(&k.folded);
	return result < 0 ? -1 : k.any;
}
