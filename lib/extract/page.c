/* page.c: schema.org's JSON-LD first, which is written for programs, then
 * <meta>, then what is shown.
 */
#include "extract/page.h"

#include "format/json-read.h"

#include <strings.h>

#define FIELD_MAX 1000 /* bytes of each */

/* Names of <meta>, the best first. */
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

/* TEXT with its runs of blanks as one, in A; NULL where nothing is left. */
static const char *tidy(const char *text, struct arena *a)
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
	text = tidy(buf_str(&b), a);
	buf_release(&b);
	return text;
}

/* What <meta> of one of NAMES says. */
static const char *meta(const struct tree_node *root, const char *const *names,
			struct arena *a)
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
				text = tidy(tree_attr(n, "content"), a);
				if (text && strncmp(text, "http", 4))
					return text;
			}
		}
	}
	return NULL;
}

/* The object of V, or of a list in it, that is about an article. */
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

/* The name of V: itself, its name, or those of a list. */
static const char *name_of(const struct value *v, struct arena *a)
{
	struct buf b = {0};
	const char *text = NULL;

	if (v && v->kind == VALUE_STR)
		return tidy(v->u.s.p, a);
	if (v && v->kind == VALUE_MAP)
		return name_of(value_get(v, "name"), a);
	for (size_t i = 0; v && v->kind == VALUE_LIST && i < v->u.list.n; i++) {
		const struct value *item = &v->u.list.items[i];
		const char *one =
			item->kind == VALUE_LIST ? NULL : name_of(item, a);

		if (one)
			buf_addf(&b, "%s%s", b.len ? ", " : "", one);
	}
	if (b.len)
		text = tidy(b.p, a);
	buf_release(&b);
	return text;
}

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
		page->title = name_of(value_get(about, "headline"), a);
		page->author = name_of(value_get(about, "author"), a);
		page->published = name_of(value_get(about, "datePublished"), a);
		page->description = name_of(value_get(about, "description"), a);
		return;
	}
}

/* The title without the site's name behind it, where a heading says so, or where
 * enough is left. */
static const char *shorten(const char *title, const struct tree_node *root,
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
		return shorten(title, root, a);
	n = tree_find(root, " h1 ");
	return n ? words_of(n, a) : NULL;
}

/* Who is shown to have written it, and when. */
static void read_shown(struct page *page, const struct tree_node *root,
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
			page->published = tidy(tree_attr(n, "datetime"), a);
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
		page.title = meta(root, titles, a);
	if (!page.title)
		page.title = shown_title(root, a);
	if (!page.author)
		page.author = meta(root, authors, a);
	if (!page.published)
		page.published = meta(root, dates, a);
	if (!page.description)
		page.description = meta(root, descriptions, a);
	if (html)
		page.language = tidy(tree_attr(html, "lang"), a);
	read_shown(&page, root, a);
	if (page.canonical)
		page.canonical = tree_resolve(base, page.canonical, a);
	return page;
}
