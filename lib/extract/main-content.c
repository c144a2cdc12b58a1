/* main-content.c: scoring by paragraphs, a method introduced by Arc90 and used
 * by the reading views of browsers; models: Readability, trafilatura.
 *
 * Unlike these, it never removes a block of code because of its surroundings,
 * and only removes line numbers within one. Known limit: pages whose text is in
 * scripts have none.
 *
 * An element is compared by counts of its contents. They are sums of those of
 * its children, so that text is not counted again for each element around it.
 */
#include "extract/tree.h"

#include "base/ascii.h"

#include <strings.h>

#define LONG_ENOUGH 500 /* characters; with fewer, the next pass is tried */
#define SHORTEST 25	/* characters of a paragraph that counts */
#define BYLINE 99
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

/* Words in the class or id of an element. '^' and '$' require a word boundary
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

/* Counts of the contents of an element, which count_below() sets from those of
 * its children. */
struct counts {
	/* Characters of text: in links, all, in lists, ... */
	double links;
	unsigned chars, lists, headings, within;
	unsigned commas, p, img, li, input, embed, pre;
	/* The first character: its share in links, and whether it is in a list,
	 * a heading, or another block. */
	float link;
	bool in[3];
	bool before, after; /* there are blanks before it, and after the last */
};

/* Set M to the counts of the text T. */
static void count_text(struct counts *m, const struct tree_node *t)
{
	bool blank = false;

	*m = (struct counts){0};
	for (size_t i = 0; i < t->len; i++) {
		const unsigned char c = (unsigned char)t->text[i];
		const char *p = t->text + i;

		if (strchr(" \t\r\n\f", c)) {
			blank = true;
			continue;
		}
		if (!m->chars)
			m->before = blank;
		else if (blank)
			m->chars++;
		blank = false;
		m->chars += (c & 0xc0) != 0x80;
		m->commas += c == ',' || !strncmp(p, "\xd8\x8c", 2) ||
			     !strncmp(p, "\xe3\x80\x81", 3) ||
			     !strncmp(p, "\xef\xbc\x8c", 3);
	}
	*(m->chars ? &m->after : &m->before) = blank;
}

/* Add the element N itself to C, the counts of its contents. */
static void count_element(struct counts *c, const struct tree_node *n)
{
	if (!strcmp(n->name, "a")) {
		c->link = *tree_attr(n, "href") == '#' ? .3F : 1;
		c->links = (*tree_attr(n, "href") == '#' ? .3 : 1) * c->chars;
	}
	if (tree_is(n, " ul ol ")) {
		c->lists = c->chars;
		c->in[0] = true;
	}
	if (tree_is(n, HEADINGS)) {
		c->headings = c->chars;
		c->in[1] = true;
	}
	if (tree_is(n, " span li td blockquote dl div ol p pre table ul ")) {
		c->within = c->chars;
		c->in[2] = true;
	}
	c->p += tree_is(n, " p ");
	c->img += tree_is(n, " img ");
	c->li += tree_is(n, " li ");
	c->input += tree_is(n, " input ");
	c->embed += tree_is(n, " object embed iframe ");
	c->pre += tree_is(n, " pre ");
}

/* Add C, the counts of what comes next, to M. */
static void add_counts(struct counts *m, const struct counts *c)
{
	const bool blank = m->chars && c->chars && (m->after || c->before);

	if (!m->chars) {
		m->link = c->link;
		memcpy(m->in, c->in, sizeof(m->in));
		m->before = m->before || c->before;
	}
	if (c->chars)
		m->after = c->after;
	else if (m->chars)
		m->after = m->after || c->before;
	/* Blanks between words are one character of the second. */
	m->chars += c->chars + blank;
	m->links += c->links + (blank ? (double)c->link : 0);
	m->lists += c->lists + (blank && c->in[0]);
	m->headings += c->headings + (blank && c->in[1]);
	m->within += c->within + (blank && c->in[2]);
	m->commas += c->commas;
	m->p += c->p;
	m->img += c->img;
	m->li += c->li;
	m->input += c->input;
	m->embed += c->embed;
	m->pre += c->pre;
}

/* Set the counts of the element N, and with ALL those of all elements below it;
 * else its children have theirs. */
static void count_below(struct tree_node *n, bool all, struct arena *a)
{
	struct counts sum = {0}, one;

	for (struct tree_node *c = n->first; c; c = c->next) {
		if (c->name && all)
			count_below(c, true, a);
		if (c->name) {
			one = *c->counts;
			count_element(&one, c);
		} else {
			count_text(&one, c);
		}
		add_counts(&sum, &one);
	}
	if (!n->counts)
		n->counts = arena_alloc(a, sizeof(*n->counts));
	*n->counts = sum;
}

/* Return the counts of N, and set those of all elements below it. */
static const struct counts *count_contents(struct tree_node *n, struct arena *a)
{
	count_below(n, true, a);
	return n->counts;
}

static double link_density(const struct counts *m)
{
	return m->chars > 0 ? m->links / m->chars : 0;
}

static bool is_blank_text(const struct tree_node *t)
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
		if (n->text ? !is_blank_text(n) : !tree_is(n, " br hr "))
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
		       (is_blank_text(n->next) || tree_is(n->next, " br "))) {
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
			     (is_blank_text(b->next) && b->next->next &&
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

/* Return true if the text below ROOT has 1 to BYLINE characters. */
static bool is_short(const struct tree_node *root)
{
	struct counts m = {0}, one;

	for (const struct tree_node *n = root; n && m.chars <= BYLINE;
	     n = tree_next(n, root)) {
		if (n->name)
			continue;
		count_text(&one, n);
		add_counts(&m, &one);
	}
	return m.chars && m.chars <= BYLINE;
}

static bool is_byline(const struct tree_node *n, bool *seen)
{
	static const char *const words[] = {"byline",	 "^author$", "dateline",
					    "writtenby", "p-author", NULL};

	if (*seen || (strcmp(tree_attr(n, "rel"), "author") &&
		      !strstr(tree_attr(n, "itemprop"), "author") &&
		      !has_name(n, words)))
		return false;
	*seen = is_short(n);
	return *seen;
}

static bool is_unlikely(const struct tree_node *n)
{
	static const char roles[] = " menu menubar complementary navigation "
				    "alert alertdialog dialog ";
	const char *role = tree_attr(n, "role");
	char word[32];

	snprintf(word, sizeof(word), " %s ", role);
	if (!(*role && strstr(roles, word)) &&
	    (!has_name(n, unlikely) || has_name(n, perhaps)))
		return false;
	return !tree_is(n, " body a article main pre code ") &&
	       !tree_above(n, " table code pre ") &&
	       !tree_find(n, " main article ");
}

/* Wrap text directly in the div N into paragraphs. Returns true if N itself
 * became a paragraph. */
static bool make_paragraphs(struct finder *f, struct tree_node *n)
{
	struct tree_node *p = NULL, *only = NULL, *next;
	size_t filled = 0;

	for (struct tree_node *c = n->first; c; c = next) {
		next = c->next;
		if (is_phrasing(c)) {
			if (!p && !is_blank_text(c) && !tree_is(c, " br ")) {
				p = tree_element("p", f->arena);
				tree_insert(c, p);
			}
			if (p)
				tree_append(p, c);
			continue;
		}
		p = NULL;
	}
	for (struct tree_node *c = n->first; c; c = c->next) {
		filled += !is_blank_text(c);
		only = is_blank_text(c) ? only : c;
	}
	if (filled == 1 && tree_is(only, " p ") &&
	    link_density(count_contents(n, f->arena)) < .25) {
		tree_unwrap(only);
		n->name = "p";
		return true;
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

/* Remove frames from ROOT, and set the scores and counts of its elements. */
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
	count_contents(root, f->arena);
	for (struct tree_node *n = root->first; n; n = tree_next(n, root)) {
		const struct counts *m = n->counts;
		double worth;

		if (!tree_is(n, " section h2 h3 h4 h5 h6 p td pre ") ||
		    m->chars < SHORTEST)
			continue;
		worth = (double)m->commas + 2;
		worth += m->chars / 100 < 3 ? m->chars / 100 : 3;
		score_ancestors(f, n, worth);
	}
	for (struct tree_node *n = root; n; n = tree_next(n, root)) {
		if (n->scored)
			n->score *= 1 - link_density(n->counts);
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
			const struct counts *m = n->counts;
			const double density = link_density(m);

			take = n->scored && n->score + same >= least;
			if (!take && tree_is(n, " p pre "))
				take = (m->chars > 80 && density < .25) ||
				       (m->chars > 0 && m->chars < 80 &&
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

/* Return true if the counts of N, whose name has WEIGHT, are those of a
 * frame. */
static bool has_frame_counts(const struct tree_node *n, int weight)
{
	const struct counts *m = n->counts;
	const bool named = tree_is(n, " ul ol "),
		   list = named || m->lists > m->chars * .9,
		   images = m->img > 1 && m->p * 2 < m->img,
		   label = !list && m->headings < m->chars * .9 &&
			   m->chars < SHORTEST && (m->img == 0 || m->img > 2) &&
			   m->links > 0;

	if (m->pre || m->commas >= 10)
		return false;
	/* A list of images. */
	if (named && m->li && m->li == m->img)
		return false;
	return (!list && m->li > 100 + m->p) || m->input > m->p / 3 ||
	       (!list && weight < 25 && link_density(m) > .2) ||
	       (weight >= 25 && link_density(m) > .5) ||
	       (m->embed == 1 && m->chars < 75) || m->embed > 1 ||
	       (!list && m->img == 0 && m->within <= 0 && m->headings <= 0) ||
	       ((images || label) && !tree_above(n, " figure "));
}

/* Return true if N, of a kind that may be text, looks like a frame. It has
 * counts, which are compared first, since they need no walk through the
 * tree. */
static bool is_frame(const struct finder *f, const struct tree_node *n)
{
	const int weight = name_weight(f, n);

	if (n->marked || (weight >= 0 && !has_frame_counts(n, weight)) ||
	    is_in_data_table(n) || has_data_table(n) ||
	    tree_above(n, " code pre "))
		return false;
	return weight >= 0 || !tree_find(n, " pre ");
}

/* Remove all elements with NAMES below ROOT, innermost first. MAY: only those
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
		if (may && n->name)
			count_below(n, false, f->arena);
		if (tree_is(n, names) && (!may || is_frame(f, n)))
			tree_remove(n);
	}
}

static void remove_named(const struct finder *f, struct tree_node *root,
			 const char *const *words)
{
	struct tree_node *next;

	count_contents(root, f->arena);
	for (struct tree_node *n = root->first; n; n = next) {
		next = tree_next(n, root);
		if (n->text || !has_name(n, words) ||
		    n->counts->chars >= LONG_ENOUGH)
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
	remove_named(f, root, sharing);
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

struct tree_node *tree_content_body(const struct tree_node *root,
				    struct arena *a)
{
	struct tree_node *body = copy_body(root, a);

	remove_elements(NULL, body,
			" input textarea select button iframe object embed ",
			false);
	return body;
}

struct tree_content tree_content_find(const struct tree_node *root,
				      const char *title, struct arena *a)
{
	struct finder f = {.arena = a};
	struct tree_content best = {NULL, 0};
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
		chars = count_contents(found, a)->chars;
		if (chars > most) {
			best = (struct tree_content){found, (int)i + 1};
			most = chars;
		}
		if (chars >= LONG_ENOUGH)
			break;
	}
	if (!best.node)
		best.node = tree_content_body(root, a);
	buf_release(&f.title);
	return best;
}
