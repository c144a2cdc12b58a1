/* page.c: JSON-LD of schema.org counts first, because it is written for
 * programs, then <meta>, then visible elements. */
#include "extract/page.h"

#include "format/json-read.h"

#include <strings.h>

#define FIELD_MAX 1000 /* bytes per field */

/* Names of <meta>, best first. */
static const char *const titles[] = {
	"og:title", "dc:title", "dcterms:title", "dc.title", "twitter:title",
	"title",    NULL};
static const char *const authors[] = {
	"author",	  "dc:creator",	    "dc.creator", "dcterms:creator",
	"article:author", "parsely-author", NULL};
static const char *const descriptions[] = {
	"description",	  "og:description",	 "dc:description",
	"dc.description", "twitter:description", NULL};
static const char *const dates[] = {"article:published_time",
				    "og:published_time",
				    "datepublished",
				    "dc:date",
				    "dc.date",
				    "dcterms:date",
				    "date",
				    "parsely-pub-date",
				    NULL};

/* Return TEXT with each run of blanks as one, allocated in A, or NULL if it is
 * empty or longer than FIELD_MAX. */
static const char *to_line(const char *text, struct arena *a)
{
	struct tree_node *n = tree_text(text, strlen(text), a);
	struct buf b = {0};
	const char *tidied = NULL;

	tree_add_words(&b, n);
	if (b.len && b.len <= FIELD_MAX)
		tidied = arena_strdup(a, b.p);
	buf_release(&b);
	return tidied;
}

static const char *words_of(const struct tree_node *n, struct arena *a)
{
	struct buf b = {0};
	const char *text;

	tree_add_words(&b, n);
	text = to_line(buf_str(&b), a);
	buf_release(&b);
	return text;
}

/* Return the content of <meta> with one of NAMES, or NULL. */
static const char *find_meta(const struct tree_node *root,
			     const char *const *names, struct arena *a)
{
	static const char *const keys[] = {"property", "name", "itemprop"};

	for (; *names; names++) {
		for (struct tree_node *n = root->first; n;
		     n = tree_next(n, root)) {
			const char *text;

			if (!tree_is(n, " meta "))
				continue;
			for (size_t k = 0; k < ARRAY_LEN(keys); k++) {
				if (strcasecmp(tree_attr(n, keys[k]), *names))
					continue;
				text = to_line(tree_attr(n, "content"), a);
				if (text && strncmp(text, "http", 4))
					return text;
			}
		}
	}
	return NULL;
}

/* Return the object about an article in V, or in a list in it, or NULL. */
static const struct value *find_article(const struct value *v, int deep)
{
	const struct value *graph = value_get(v, "@graph"), *found = NULL;

	if (!v || deep > 8)
		return NULL;
	if (v->kind == VALUE_LIST) {
		for (size_t i = 0; i < v->u.list.n && !found; i++)
			found = find_article(&v->u.list.items[i], deep + 1);
		return found;
	}
	if (value_get(v, "headline"))
		return v;
	return graph ? find_article(graph, deep + 1) : NULL;
}

/* Return the name in V: a string, its "name", or the names in a list. */
static const char *read_name(const struct value *v, struct arena *a)
{
	struct buf b = {0};
	const char *text = NULL;

	if (v && v->kind == VALUE_STR)
		return to_line(v->u.s.p, a);
	if (v && v->kind == VALUE_MAP)
		return read_name(value_get(v, "name"), a);
	for (size_t i = 0; v && v->kind == VALUE_LIST && i < v->u.list.n; i++) {
		const struct value *item = &v->u.list.items[i];
		const char *one =
			item->kind == VALUE_LIST ? NULL : read_name(item, a);

		if (one)
			buf_addf(&b, "%s%s", b.len ? ", " : "", one);
	}
	if (b.len)
		text = to_line(b.p, a);
	buf_release(&b);
	return text;
}

/* Read the metadata of the first article in a JSON-LD script. */
static void read_json(struct page *page, const struct tree_node *root,
		      struct arena *a)
{
	for (const struct tree_node *n = root->first; n;
	     n = tree_next(n, root)) {
		const struct value *about;
		struct buf text = {0};
		struct value v;
		const char *type = tree_attr(n, "type");

		if (!tree_is(n, " script ") ||
		    strcasecmp(type, "application/ld+json"))
			continue;
		tree_add_text(&text, n);
		about = json_within(buf_str(&text), text.len, 100000) &&
					json_parse(buf_str(&text), text.len, a,
						   &v, NULL) == 0
				? find_article(&v, 0)
				: NULL;
		buf_release(&text);
		if (!about)
			continue;
		page->title = read_name(value_get(about, "headline"), a);
		page->author = read_name(value_get(about, "author"), a);
		page->published =
			read_name(value_get(about, "datePublished"), a);
		page->description =
			read_name(value_get(about, "description"), a);
		return;
	}
}

/* Return TITLE without the name of the site at its end, if the first heading
 * confirms it or enough words are left. */
static const char *strip_site_name(const char *title,
				   const struct tree_node *root,
				   struct arena *a)
{
	static const char *const marks[] = {
		" | ",	      " - ",	    " \xe2\x80\x93 ", " \xe2\x80\x94 ",
		" \xc2\xbb ", " \xc2\xb7 ", " :: ",	      " / "};
	const struct tree_node *h1 = tree_find(root, " h1 ");
	const char *heading = h1 ? words_of(h1, a) : NULL, *end = NULL;
	size_t words = 0;

	if (heading && strlen(heading) > 3 && strstr(title, heading))
		return heading;
	for (size_t i = 0; i < ARRAY_LEN(marks); i++) {
		for (const char *p = title; (p = strstr(p, marks[i])); p++) {
			if (!end || p > end)
				end = p;
		}
	}
	for (const char *p = title; end && p < end; p++)
		words += *p == ' ';
	return words >= 2 ? arena_copy(a, title, (size_t)(end - title)) : title;
}

static const char *shown_title(const struct tree_node *root, struct arena *a)
{
	const struct tree_node *n = tree_find(root, " title ");
	const char *title = n ? words_of(n, a) : NULL;

	if (title)
		return strip_site_name(title, root, a);
	n = tree_find(root, " h1 ");
	return n ? words_of(n, a) : NULL;
}

/* Read the visible author and date. */
static void read_visible(struct page *page, const struct tree_node *root,
			 struct arena *a)
{
	for (const struct tree_node *n = root->first; n;
	     n = tree_next(n, root)) {
		if (n->text)
			continue;
		if (!page->author &&
		    (!strcmp(tree_attr(n, "rel"), "author") ||
		     !strcmp(tree_attr(n, "itemprop"), "author"))) {
			const char *who = words_of(n, a);

			page->author = who && strlen(who) < 100 ? who : NULL;
		}
		if (!page->published && tree_is(n, " time "))
			page->published = to_line(tree_attr(n, "datetime"), a);
		if (!page->canonical && tree_is(n, " link ") &&
		    !strcasecmp(tree_attr(n, "rel"), "canonical") &&
		    *tree_attr(n, "href"))
			page->canonical = tree_attr(n, "href");
	}
}

struct page page_read(const struct tree_node *root, const char *base,
		      struct arena *a)
{
	const struct tree_node *html = tree_find(root, " html ");
	struct page page = {0};

	read_json(&page, root, a);
	if (!page.title)
		page.title = find_meta(root, titles, a);
	if (!page.title)
		page.title = shown_title(root, a);
	if (!page.author)
		page.author = find_meta(root, authors, a);
	if (!page.published)
		page.published = find_meta(root, dates, a);
	if (!page.description)
		page.description = find_meta(root, descriptions, a);
	if (html)
		page.language = to_line(tree_attr(html, "lang"), a);
	read_visible(&page, root, a);
	if (page.canonical)
		page.canonical = tree_resolve(base, page.canonical, a);
	return page;
}
