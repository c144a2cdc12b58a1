/* html.c: see html.h. */
#include "text/html.h"

#include "base/ascii.h"

#include <strings.h>

static bool has_prefix(const char *p, size_t len, const char *word)
{
	const size_t n = strlen(word);

	return len >= n && strncasecmp(p, word, n) == 0;
}

/* Return true if P begins with one of N tag NAMES, ignoring case, that ends
 * there. SELF: "/>" may follow the name. */
static bool has_tag_name(const char *p, size_t len, const char *const *names,
			 size_t n, bool self)
{
	for (size_t i = 0; i < n; i++) {
		const size_t end = strlen(names[i]);

		if (has_prefix(p, len, names[i]) &&
		    (end == len || ascii_is_blank(p[end]) || p[end] == '>' ||
		     (self && len > end + 1 && !memcmp(p + end, "/>", 2))))
			return true;
	}
	return false;
}

static const char *const raw_names[] = {"script", "pre", "style", "textarea"};
static const char *const block_names[] = {
	"address",    "article",  "aside",   "base",	 "basefont",
	"blockquote", "body",	  "caption", "center",	 "col",
	"colgroup",   "dd",	  "details", "dialog",	 "dir",
	"div",	      "dl",	  "dt",	     "fieldset", "figcaption",
	"figure",     "footer",	  "form",    "frame",	 "frameset",
	"h1",	      "h2",	  "h3",	     "h4",	 "h5",
	"h6",	      "head",	  "header",  "hr",	 "html",
	"iframe",     "legend",	  "li",	     "link",	 "main",
	"menu",	      "menuitem", "nav",     "noframes", "ol",
	"optgroup",   "option",	  "p",	     "param",	 "search",
	"section",    "summary",  "table",   "tbody",	 "td",
	"tfoot",      "th",	  "thead",   "title",	 "tr",
	"track",      "ul"};

static size_t blanks_len(const char *p, size_t len)
{
	size_t n = 0;

	while (n < len && ascii_is_blank(p[n]))
		n++;
	return n;
}

/* Return the length of the attribute value at P, with its quotes; 0 if there is
 * none. */
static size_t value_len(const char *p, size_t len)
{
	const char *end;
	size_t n = 0;

	if (len && (*p == '"' || *p == '\'')) {
		end = memchr(p + 1, *p, len - 1);
		return end ? (size_t)(end - p) + 1 : 0;
	}
	while (n < len && !ascii_is_blank(p[n]) && !memchr("\"'=<>`", p[n], 6))
		n++;
	return n;
}

/* Return the length of the attribute at P, 0 if there is none. *BAD is set if
 * the value after "=" is missing. */
static size_t attribute_len(const char *p, size_t len, bool *bad)
{
	size_t n = 0, more;

	while (n < len &&
	       (ascii_is_letter(p[n]) || memchr("_:", p[n], 2) ||
		(n && (ascii_is_digit(p[n]) || memchr(".-", p[n], 2)))))
		n++;
	more = n + blanks_len(p + n, len - n);
	if (!n || more == len || p[more] != '=')
		return n;
	more++;
	more += blanks_len(p + more, len - more);
	n = value_len(p + more, len - more);
	*bad = !n;
	return more + n;
}

static bool is_whole_tag(const char *p, size_t len)
{
	const bool closes = len > 1 && p[1] == '/';
	size_t i = closes ? 2 : 1, n;
	bool bad = false;

	if (i >= len || !ascii_is_letter(p[i]))
		return false;
	while (i < len &&
	       (ascii_is_letter(p[i]) || ascii_is_digit(p[i]) || p[i] == '-'))
		i++;
	while (!bad && !closes && (n = blanks_len(p + i, len - i))) {
		i += n;
		n = attribute_len(p + i, len - i, &bad);
		i += n;
		if (!n)
			break;
	}
	i += blanks_len(p + i, len - i);
	if (!closes && i < len && p[i] == '/')
		i++;
	return !bad && i < len && p[i] == '>' &&
	       blanks_len(p + i + 1, len - i - 1) == len - i - 1;
}

int html_start(const char *p, size_t len, bool text)
{
	const size_t closes = len > 1 && p[1] == '/' ? 1 : 0;

	if (len < 2 || *p != '<')
		return 0;
	if (has_tag_name(p + 1, len - 1, raw_names, ARRAY_LEN(raw_names),
			 false))
		return 1;
	if (has_prefix(p, len, "<!--"))
		return HTML_COMMENT;
	if (p[1] == '?')
		return 3;
	if (has_prefix(p, len, "<![CDATA[") && !memcmp(p + 3, "CDATA", 5))
		return 5;
	if (p[1] == '!' && len > 2 && ascii_is_letter(p[2]))
		return 4;
	if (has_tag_name(p + 1 + closes, len - 1 - closes, block_names,
			 ARRAY_LEN(block_names), true))
		return HTML_TILL_BLANK;
	return !text && is_whole_tag(p, len) ? 7 : 0;
}

bool html_ends(const char *p, size_t len, int kind)
{
	static const char *const ends[] = {NULL, "</", "-->", "?>", ">", "]]>"};
	const char *end = ends[kind], *const stop = p + len;

	for (; (end = memmem(p, (size_t)(stop - p), ends[kind],
			     strlen(ends[kind])));
	     p = end + 1) {
		if (kind != 1)
			return true;
		for (size_t i = 0; i < ARRAY_LEN(raw_names); i++) {
			const size_t n = strlen(raw_names[i]);

			if (has_prefix(end + 2, (size_t)(stop - end) - 2,
				       raw_names[i]) &&
			    (size_t)(stop - end) > 2 + n && end[2 + n] == '>')
				return true;
		}
	}
	return false;
}
