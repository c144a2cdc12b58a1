/* literal.c: the places of the rarest character are found by memchr(), which
 * looks at many bytes at once; only there the rest is compared.
 */
#include "text/literal.h"

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* How common C is: what is no letter is taken for rare. */
static size_t commonness(char c)
{
	static const char letters[] = "zqxjkvbpygfwmucldrhsnioate ";
	const char *p = memchr(letters, c, sizeof(letters) - 1);

	return p ? (size_t)(p - letters) + 1 : 0;
}

void literal_init(struct literal *l, const char *p, size_t len, bool sensitive)
{
	*l = (struct literal){p, len, 0, sensitive};
	for (size_t i = 1; i < len; i++) {
		if (commonness(lower(p[i])) < commonness(lower(p[l->rare])))
			l->rare = i;
	}
}

static bool is_equal(const struct literal *l, const char *p)
{
	for (size_t i = 0; i < l->len; i++) {
		if (p[i] != l->p[i] &&
		    (l->sensitive || lower(p[i]) != lower(l->p[i])))
			return false;
	}
	return true;
}

/* The same where the rare character is C. */
static bool holds_by(const struct literal *l, const char *p, size_t len, char c)
{
	const char *at = p + l->rare;
	const char *const end = p + len - (l->len - 1 - l->rare);

	for (; at < end; at++) {
		at = memchr(at, c, (size_t)(end - at));
		if (!at)
			return false;
		if (is_equal(l, at - l->rare))
			return true;
	}
	return false;
}

bool literal_holds(const struct literal *l, const char *p, size_t len)
{
	const char c = l->p[l->rare], small = lower(c);

	if (len < l->len)
		return false;
	if (l->sensitive || small < 'a' || small > 'z')
		return holds_by(l, p, len, c);
	return holds_by(l, p, len, small) ||
	       holds_by(l, p, len, (char)(small - 'a' + 'A'));
}
