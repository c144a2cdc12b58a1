/* main-content.c: scoring by paragraphs, a method introduced by Arc90 and used
 * by the reading views of browsers; models: Readability, trafilatura.
 *
 * Unlike these, it never removes a block of code because of its surroundings,
 * and only removes line numbers within one.  Known limit: pages whose text is
 * in scripts have none.
 */
#include "extract/main-content.h"

#include "base/ascii.h"

#include <strings.h>

#define LONG_ENOUGH 500 /* characters; with fewer, the next pass is tried */
#define SHORTEST 25	/* characters of a paragraph that counts */
#define BEST 5

#define BLOCKS                                                          \
	" blockquote dl div img ol p pre table ul section article main" \
	" figure header footer aside nav form details "
#define PHRASING                                                             \
	" abbr audio b bdo br button cite code data datalist dfn em embed i" \
	" img input kbd label mark math meter noscript object output"        \
	" progress q ruby samp script select small span strong sub sup"      \
	" textarea time var wbr font a u s tt big "
#define HEADINGS " h1 h2 h3 h4 h5 h6 "

/* Words in the class or id of an element.  '^' and '$' require a word boundary
 * before or after. */
static const char *const unlikely[] = {
	"-ad-",	    "ai2html",	  "banner",  "breadcrumb", "combx",
	"comment",  "community",  "cookie",  "cover-wrap", "disqus",
	"extra",    "footer",	  "gdpr",    "header",	   "legend",
	"menu",	    "newsletter", "pager",   "pagination", "popup",
	"related",  "remark",	  "replies", "^rss$",	   "shoutbox",
	"sidebar",  "skyscraper", "social",  "sponsor",	   "supplemental",
	"ad-break", "agegate",	  "navbar",  "toolbar",	   NULL};
static const char *const perhaps[] = {
	"and",	   "article", "body", "column",	   "content", "main",
	"mathjax", "shadow",  "code", "highlight", NULL};
static const char *const good[] = {"article", "body",  "content", "entry",
				   "main",    "page",  "post",	  "text",
				   "blog",    "story", NULL};
static const char *const bad[] = {
	"-ad-",	    "hidden",	"^hid$",      "banner",	 "combx",    "comment",
	"com-",	    "contact",	"footer",     "gdpr",	 "masthead", "media",
	"meta",	    "outbrain", "promo",      "related", "scroll",   "share",
	"shoutbox", "sidebar",	"skyscraper", "sponsor", "shopping", "tags",
	"widget",   NULL};
static const char *const sharing[] = {"^share$", "^sharedaddy$", NULL};

/* What each pass removes. */
struct pass {
	bool unlikely, weights, lists;
};
static const struct pass passes[] = {{true, true, true},
				     {false, true, true},
				     {false, false, true},
				     {false, false, false}};

struct finder {
	struct arena *arena;
	struct pass pass;
	struct buf title; /* of the page */
};

/* Return true if WORD is in TEXT, ignoring case. */
static bool has_word(const char *text, const char *word)
{
	const bool begins = *word == '^';
	size_t len = strlen(word += begins);
	const bool ends = len && word[len - 1] == '$';

	len -= ends;
	for (const char *p = text; *p; p++) {
		if (strncasecmp(p, word, len))
			continue;
		if ((!begins || p == text || !ascii_is_alnum(p[-1])) &&
		    (!ends || !ascii_is_alnum(p[len])))
			return true;
	}
	return false;
}

static bool has_any(const char *text, const char *const *words)
{
	while (*words && !has_word(text, *words))
		words++;
	return *words;
}

static bool has_name(const struct tree_node *n, const char *const *words)
{
	return has_any(tree_attr(n, "class"), words) ||
	       has_any(tree_attr(n, "id"), words);
}

static int name_weight(const struct finder *f, const struct tree_node *n)
{
	static const char *const names[] = {"class", "id"};
	int weight = 0;

	for (size_t i = 0; f->pass.weights && i < ARRAY_LEN(names); i++) {
		const char *text = tree_attr(n, names[i]);

		weight -= has_any(text, bad) ? 25 : 0;
		weight += has_any(text, good) ? 25 : 0;
	}
	return weight;
}

/* Return true if STYLE sets PROPERTY to VALUE. */
static bool has_style(const char *style, const char *property,
		      const char *value)
{
	for (const char *p = style; (p = strcasestr(p, property)); p++) {
		const char *v = p + strlen(property);

		v += strspn(v, " \t");
		if (*v != ':')
			continue;
		v += 1 + strspn(v + 1, " \t");
		if (!strncasecmp(v, value, strlen(value)))
			return true;
	}
	return false;
}

static bool is_hidden(const struct tree_node *n)
{
	const char *style = tree_attr(n, "style");

	if (has_style(style, "display", "none") ||
	    has_style(style, "visibility", "hidden"))
		return true;
	for (const struct tree_attr *a = n->attrs; a; a = a->next) {
		if (!strcmp(a->name, "hidden"))
			return true;
	}
	/* Fallback images of formulas are hidden only from screen readers. */
	return !strcmp(tree_attr(n, "aria-hidden"), "true") &&
	       !strstr(tree_attr(n, "class"), "fallback-image");
}

/* Counts of the contents of an element. */
struct counts {
	/* Characters of text: all, in links, ... */
	double chars, links, lists, headings, within;
	size_t commas, p, img, li, input, embed, pre;
};

/* Add the text T to M.  LINK is its share that counts as link text; IN tells
 * whether it is in a list, a heading, or another block. */
static void count_text(struct counts *m, const struct tree_node *t, bool *blank,
		       double link, const bool in[3])
{
	double n = 0;

	for (size_t i = 0; i < t->len; i++) {
		const unsigned char c = (unsigned char)t->text[i];
		const char *p = t->text + i;

		if (strchr(" \t\r\n\f", c)) {
			*blank = m->chars + n > 0;
			continue;
		}
		if (*blank)
			n++;
		*blank = false;
		n += (c & 0xc0) != 0x80;
		m->commas += c == ',' || !strncmp(p, "\xd8\x8c", 2) ||
			     !strncmp(p, "\xe3\x80\x81", 3) ||
			     !strncmp(p, "\xef\xbc\x8c", 3);
	}
	m->chars += n;
	m->links += link * n;
	m->lists += in[0] ? n : 0;
	m->headings += in[1] ? n : 0;
	m->within += in[2] ? n : 0;
}

/* Return the counts of the text and elements below ROOT. */
static struct counts count_contents(const struct tree_node *root)
{
	struct counts m = {0};
	bool blank = false;

	for (const struct tree_node *n = root; n; n = tree_next(n, root)) {
		bool in[3] = {false, false, false};
		double link = 0;

		if (n->name) {
			m.p += n != root && tree_is(n, " p ");
			m.img += n != root && tree_is(n, " img ");
			m.li += n != root && tree_is(n, " li ");
			m.input += n != root && tree_is(n, " input ");
			m.embed += n != root &&
				   tree_is(n, " object embed iframe ");
			m.pre += n != root && tree_is(n, " pre ");
			continue;
		}
		if (!n->len)
			continue;
		for (const struct tree_node *up = n->parent; up && up != root;
		     up = up->parent) {
			if (!strcmp(up->name, "a"))
				link = *tree_attr(up, "href") == '#' ? .3 : 1;
			in[0] = in[0] || tree_is(up, " ul ol ");
			in[1] = in[1] || tree_is(up, HEADINGS);
			in[2] = in[2] || tree_is(up, " span li td blockquote dl"
						     " div ol p pre table ul ");
		}
		count_text(&m, n, &blank, link, in);
	}
	return m;
}

static double link_density(const struct counts *m)
{
	return m->chars > 0 ? m->links / m->chars : 0;
}

static bool is_blank(const struct tree_node *t)
{
	return t->text && strspn(t->text, " \t\r\n\f") == t->len;
}

static bool is_phrasing(const struct tree_node *n)
{
	if (n->text || tree_is(n, PHRASING)) {
		if (!n->name || !tree_is(n, " a del ins "))
			return true;
	} else if (!tree_is(n, " a del ins ")) {
		return false;
	}
	for (const struct tree_node *c = n->first; c; c = c->next) {
		if (!is_phrasing(c))
			return false;
	}
	return true;
}

static bool is_empty(const struct tree_node *root)
{
	for (const struct tree_node *n = root->first; n;
	     n = tree_next(n, root)) {
		if (n->text ? !is_blank(n) : !tree_is(n, " br hr "))
			return false;
	}
	return true;
}

/* Copy the children of SOURCE to TO, without invisible ones. */
static void copy_visible(struct tree_node *to, const struct tree_node *source,
			 struct arena *a)
{
	for (const struct tree_node *c = source->first; c; c = c->next) {
		struct tree_node *n;

		if (tree_is(c, " script style noscript template head link meta"
			       " svg canvas title ") ||
		    (c->name && is_hidden(c)))
			continue;
		n = arena_alloc(a, sizeof(*n));
		*n = (struct tree_node){.name = c->name,
					.text = c->text,
					.len = c->len,
					.attrs = c->attrs};
		tree_append(to, n);
		copy_visible(n, c, a);
	}
}

/* Return a copy of the page's body as one element. */
static struct tree_node *copy_body(const struct tree_node *root,
				   struct arena *a)
{
	const struct tree_node *body = tree_find(root, " body ");
	struct tree_node *n = tree_element("div", a);

	copy_visible(n, body ? body : root, a);
	return n;
}

/* Two or more line breaks end a paragraph: put what follows, up to the next
 * ones, into a new one. */
static void split_at_breaks(struct tree_node *root, struct arena *a)
{
	struct tree_node *next, *p;

	for (struct tree_node *n = root->first; n; n = next) {
		bool several = false;

		next = tree_next(n, root);
		if (!tree_is(n, " br ") || tree_above(n, " pre "))
			continue;
		while (n->next &&
		       (is_blank(n->next) || tree_is(n->next, " br "))) {
			several = several || n->next->name;
			tree_remove(n->next);
		}
		next = tree_next(n, root);
		if (!several)
			continue;
		p = tree_element("p", a);
		tree_insert(n, p);
		tree_remove(n);
		while (p->next && is_phrasing(p->next)) {
			const struct tree_node *b = p->next;

			if (tree_is(b, " br ") && b->next &&
			    (tree_is(b->next, " br ") ||
			     (is_blank(b->next) && b->next->next &&
			      tree_is(b->next->next, " br "))))
				break;
			tree_append(p, p->next);
		}
		if (p->parent && tree_is(p->parent, " p "))
			p->parent->name = "div";
		next = tree_next(p, root);
	}
}

/* Return true if the words of N are mostly those of the title. */
static bool repeats_title(const struct finder *f, const struct tree_node *n)
{
	struct buf words = {0};
	size_t all = 0, found = 0;

	tree_add_words(&words, n);
	for (const char *p = buf_str(&words); *p && f->title.len;) {
		const size_t len = strcspn(p, " ");

		if (len) {
			char *word = strndup(p, len);

			all += len;
			found += has_word(f->title.p, word) ? len : 0;
			free(word);
		}
		p += len + (p[len] == ' ');
	}
	buf_release(&words);
	/* And the title has few other words. */
	return all && found * 4 > all * 3 && found * 4 > f->title.len * 2;
}

static bool is_byline(const struct tree_node *n, bool *seen)
{
	static const char *const words[] = {"byline",	 "^author$", "dateline",
					    "writtenby", "p-author", NULL};
	struct counts m;

	if (*seen || (strcmp(tree_attr(n, "rel"), "author") &&
		      !strstr(tree_attr(n, "itemprop"), "author") &&
		      !has_name(n, words)))
		return false;
	m = count_contents(n);
	*seen = m.chars > 0 && m.chars < 100;
	return *seen;
}

static bool is_unlikely(const struct tree_node *n)
{
	static const char roles[] = " menu menubar complementary navigation "
				    "alert alertdialog dialog ";
	const char *role = tree_attr(n, "role");
	char word[32];

	if (tree_is(n, " body a article main pre code ") ||
	    tree_above(n, " table code pre ") || tree_find(n, " main article "))
		return false;
	snprintf(word, sizeof(word), " %s ", role);
	if (*role && strstr(roles, word))
		return true;
	return has_name(n, unlikely) && !has_name(n, perhaps);
}

/* Wrap text directly in the div N into paragraphs.  Returns true if N itself
 * became a paragraph. */
static bool make_paragraphs(struct finder *f, struct tree_node *n)
{
	struct tree_node *p = NULL, *next;
	size_t elements = 0;

	for (struct tree_node *c = n->first; c; c = next) {
		next = c->next;
		if (is_phrasing(c)) {
			if (!p && !is_blank(c) && !tree_is(c, " br ")) {
				p = tree_element("p", f->arena);
				tree_insert(c, p);
			}
			if (p)
				tree_append(p, c);
			continue;
		}
		p = NULL;
	}
	for (const struct tree_node *c = n->first; c; c = c->next)
		elements += !is_blank(c);
	p = tree_find(n, " p ");
	if (elements == 1 && p && p->parent == n) {
		const struct counts m = count_contents(n);

		if (link_density(&m) < .25) {
			tree_unwrap(p);
			n->name = "p";
			return true;
		}
	}
	if (!tree_find(n, BLOCKS)) {
		n->name = "p";
		return true;
	}
	return false;
}

/* Add SCORE to the parent of N, and smaller shares to the ancestors above. */
static void score_ancestors(const struct finder *f, struct tree_node *n,
			    double score)
{
	struct tree_node *up = n->parent;

	for (int level = 0; up && up->parent && level < 5;
	     level++, up = up->parent) {
		if (!up->scored) {
			up->scored = true;
			up->score = name_weight(f, up);
			if (tree_is(up, " div article main "))
				up->score += 5;
			else if (tree_is(up, " pre td blockquote "))
				up->score += 3;
			else if (tree_is(up,
					 " address ol ul dl dd dt li form "))
				up->score -= 3;
			else if (tree_is(up, HEADINGS) || tree_is(up, " th "))
				up->score -= 5;
		}
		up->score += score / (level == 0   ? 1
				      : level == 1 ? 2
						   : level * 3);
	}
}

/* Remove frames from ROOT, and set the scores of its elements. */
static void score_elements(struct finder *f, struct tree_node *root)
{
	bool byline = false, title = false;
	struct tree_node *next;

	for (struct tree_node *n = root->first; n; n = next) {
		next = tree_next_outside(n, root);
		if (n->text) {
			continue;
		}
		if (is_byline(n, &byline) ||
		    (!title && tree_is(n, " h1 h2 ") &&
		     (title = repeats_title(f, n))) ||
		    (f->pass.unlikely && is_unlikely(n)) ||
		    (tree_is(n, " div section header h1 h2 h3 h4 h5 h6 ") &&
		     is_empty(n))) {
			tree_remove(n);
			continue;
		}
		if (tree_is(n, " div "))
			make_paragraphs(f, n);
		next = tree_next(n, root);
	}
	for (struct tree_node *n = root->first; n; n = tree_next(n, root)) {
		struct counts m;
		double worth;

		if (!tree_is(n, " section h2 h3 h4 h5 h6 p td pre "))
			continue;
		m = count_contents(n);
		if (m.chars < SHORTEST)
			continue;
		worth = (double)m.commas + 2;
		worth += m.chars / 100 < 3 ? (double)((int)m.chars / 100) : 3;
		score_ancestors(f, n, worth);
	}
	for (struct tree_node *n = root; n; n = tree_next(n, root)) {
		if (n->scored) {
			const struct counts m = count_contents(n);

			n->score *= 1 - link_density(&m);
		}
	}
}

static bool is_inside(const struct tree_node *n, const struct tree_node *up)
{
	while (n && n != up)
		n = n->parent;
	return n;
}

/* Return the element with the best score, or an ancestor that contains several
 * of the best. */
static struct tree_node *choose_best(const struct finder *f,
				     struct tree_node *root)
{
	struct tree_node *best[BEST] = {NULL}, *top, *up;
	double last;

	for (struct tree_node *n = root; n; n = tree_next(n, root)) {
		size_t i = BEST;

		if (!n->scored)
			continue;
		while (i && (!best[i - 1] || best[i - 1]->score < n->score))
			i--;
		if (i == BEST)
			continue;
		memmove(best + i + 1, best + i, (BEST - i - 1) * sizeof(*best));
		best[i] = n;
	}
	top = best[0];
	if (!top || top == root)
		return root;
	for (up = top->parent; up && up != root; up = up->parent) {
		size_t around = 0;

		for (size_t i = 1; i < BEST && best[i]; i++)
			around += best[i]->score >= top->score * .75 &&
				  is_inside(best[i], up);
		if (around >= 3) {
			top = up;
			break;
		}
	}
	if (!top->scored)
		score_ancestors(f, top->first, 0);
	last = top->score;
	for (up = top->parent; up && up != root; up = up->parent) {
		if (!up->scored)
			continue;
		if (up->score < top->score / 3)
			break;
		if (up->score > last) {
			top = up;
			break;
		}
		last = up->score;
	}
	/* Prefer the parent of an only child. */
	while (top != root && top->parent != root) {
		size_t elements = 0;

		for (const struct tree_node *c = top->parent->first; c;
		     c = c->next)
			elements += c->name != NULL;
		if (elements != 1)
			break;
		top = top->parent;
	}
	return top;
}

static bool ends_sentence(const struct tree_node *n)
{
	struct buf words = {0};
	bool ends;

	tree_add_words(&words, n);
	ends = words.len &&
	       (words.p[words.len - 1] == '.' || strstr(words.p, ". "));
	buf_release(&words);
	return ends;
}

/* Return a new element with TOP and the neighbours that are similar. */
static struct tree_node *
gather_similar(struct finder *f, struct tree_node *root, struct tree_node *top)
{
	struct tree_node *all = tree_element("div", f->arena), *next;
	const double least = top->score * .2 > 10 ? top->score * .2 : 10;
	const char *class = tree_attr(top, "class");
	const double score = top->score;

	if (top == root) {
		while (root->first)
			tree_append(all, root->first);
		return all;
	}
	for (struct tree_node *n = top->parent->first; n; n = next) {
		bool take = n == top;

		next = n->next;
		if (!take && n->name) {
			const double same =
				*class && !strcmp(tree_attr(n, "class"), class)
					? score * .2
					: 0;
			const struct counts m = count_contents(n);
			const double density = link_density(&m);

			take = n->scored && n->score + same >= least;
			if (!take && tree_is(n, " p pre "))
				take = (m.chars > 80 && density < .25) ||
				       (m.chars > 0 && m.chars < 80 &&
					density <= 0 && ends_sentence(n));
		}
		if (!take)
			continue;
		if (!tree_is(n, " div article section p ol ul pre table "))
			n->name = "div";
		tree_append(all, n);
	}
	return all;
}

/* Return true if TABLE holds data, rather than the layout of the page. */
static bool is_data_table(const struct tree_node *table)
{
	size_t rows = 0, cells = 0, widest = 0;

	if (!strcmp(tree_attr(table, "role"), "presentation") ||
	    !strcmp(tree_attr(table, "datatable"), "0"))
		return false;
	if (*tree_attr(table, "summary") ||
	    tree_find(table, " caption col colgroup tfoot thead th "))
		return true;
	if (tree_find(table, " table "))
		return false;
	for (const struct tree_node *n = table->first; n;
	     n = tree_next(n, table)) {
		if (tree_is(n, " tr ")) {
			rows++;
			cells = 0;
		}
		cells += tree_is(n, " td ");
		widest = cells > widest ? cells : widest;
	}
	return rows > 1 && widest > 1 &&
	       (rows >= 10 || widest > 4 || rows * widest > 10);
}

static bool is_in_data_table(const struct tree_node *n)
{
	while ((n = tree_above(n, " table "))) {
		if (n->marked)
			return true;
	}
	return false;
}

static bool has_data_table(const struct tree_node *root)
{
	for (const struct tree_node *n = root->first; n;
	     n = tree_next(n, root)) {
		if (n->marked)
			return true;
	}
	return false;
}

/* Return true if N, of a kind that may be text, looks like a frame. */
static bool is_frame(const struct finder *f, const struct tree_node *n)
{
	const int weight = name_weight(f, n);
	const bool pictured = tree_above(n, " figure ");
	bool list = tree_is(n, " ul ol "), out;
	struct counts m;

	if (n->marked || is_in_data_table(n) || has_data_table(n) ||
	    tree_above(n, " code pre "))
		return false;
	if (weight < 0)
		return !tree_find(n, " pre ");
	m = count_contents(n);
	if (m.pre || m.commas >= 10)
		return false;
	if (!list)
		list = m.lists > m.chars * .9;
	out = (!pictured && m.img > 1 && m.p * 2 < m.img) ||
	      (!list && m.li > 100 + m.p) || m.input > m.p / 3 ||
	      (!list && !pictured && m.headings < m.chars * .9 &&
	       m.chars < SHORTEST && (m.img == 0 || m.img > 2) &&
	       m.links > 0) ||
	      (!list && weight < 25 && link_density(&m) > .2) ||
	      (weight >= 25 && link_density(&m) > .5) ||
	      (m.embed == 1 && m.chars < 75) || m.embed > 1 ||
	      (!list && m.img == 0 && m.within <= 0 && m.headings <= 0);
	/* A list of images. */
	if (out && tree_is(n, " ul ol ") && m.li && m.li == m.img)
		return false;
	return out;
}

/* Remove all elements with NAMES below ROOT, innermost first.  MAY: only those
 * that look like a frame. */
static void remove_elements(const struct finder *f, struct tree_node *root,
			    const char *names, bool may)
{
	struct tree_node *n = root, *before;

	while (n->last)
		n = n->last;
	for (; n != root; n = before) {
		before = n->prev ? n->prev : n->parent;
		while (n->prev && before->last)
			before = before->last;
		if (tree_is(n, names) && (!may || is_frame(f, n)))
			tree_remove(n);
	}
}

static void remove_named(struct tree_node *root, const char *const *words)
{
	struct tree_node *next;

	for (struct tree_node *n = root->first; n; n = next) {
		next = tree_next(n, root);
		if (n->text || !has_name(n, words) ||
		    count_contents(n).chars >= LONG_ENOUGH)
			continue;
		next = tree_next_outside(n, root);
		tree_remove(n);
	}
}

/* Remove frames from ROOT, the gathered content. */
static void clean_content(const struct finder *f, struct tree_node *root)
{
	struct tree_node *next;

	for (struct tree_node *n = root->first; n; n = tree_next(n, root))
		n->marked = tree_is(n, " table ") && is_data_table(n);
	if (f->pass.lists)
		remove_elements(f, root, " form fieldset ", true);
	remove_elements(f, root, " object embed footer link aside nav ", false);
	remove_named(root, sharing);
	remove_elements(f, root, " iframe input textarea select button ",
			false);
	for (struct tree_node *n = root->first; n; n = next) {
		next = tree_next(n, root);
		if (!tree_is(n, " h1 h2 ") || name_weight(f, n) >= 0)
			continue;
		next = tree_next_outside(n, root);
		tree_remove(n);
	}
	if (f->pass.lists) {
		remove_elements(f, root, " table ", true);
		remove_elements(f, root, " ul ol ", true);
		remove_elements(f, root, " div section ", true);
	}
}

struct tree_node *main_content_body(const struct tree_node *root,
				    struct arena *a)
{
	struct tree_node *body = copy_body(root, a);

	remove_elements(NULL, body,
			" input textarea select button iframe object embed ",
			false);
	return body;
}

struct main_content main_content_find(const struct tree_node *root,
				      const char *title, struct arena *a)
{
	struct finder f = {.arena = a};
	struct main_content best = {NULL, 0};
	double most = 0;

	buf_adds(&f.title, title);
	for (size_t i = 0; i < ARRAY_LEN(passes); i++) {
		struct tree_node *body = copy_body(root, a), *found;
		double chars;

		f.pass = passes[i];
		split_at_breaks(body, a);
		score_elements(&f, body);
		found = gather_similar(&f, body, choose_best(&f, body));
		clean_content(&f, found);
		chars = count_contents(found).chars;
		if (chars > most) {
			best = (struct main_content){found, (int)i + 1};
			most = chars;
		}
		if (chars >= LONG_ENOUGH)
			break;
	}
	if (!best.node)
		best.node = main_content_body(root, a);
	buf_release(&f.title);
	return best;
}
