/* document.c: each reader walks the tree of the document and builds one of HTML
 * elements.
 *
 * Known limits: notes, comments and revisions marked as deleted are dropped.
 * Lists in DOCX are bullets unless their definition numbers them.
 */
#include "extract/document.h"

#include "base/table.h"
#include "extract/charset.h"
#include "extract/package.h"

#include <strings.h>

/* Elements indexed by an attribute; the first of equal ones counts. */
struct element_index {
	const char *attr;
	struct table table;
	const struct tree_node **items;
	size_t n, cap;
};

static const struct tree_node *index_find(const struct element_index *list,
					  const char *key)
{
	struct table_look look = table_look(&list->table, key, strlen(key), 0);
	size_t i;

	while (table_next(&look, &i)) {
		if (!strcmp(tree_attr(list->items[i], list->attr), key))
			return list->items[i];
	}
	return NULL;
}

/* Index the elements with NAMES below ROOT (may be NULL) by ATTR. */
static void index_fill(struct element_index *list, const struct tree_node *root,
		       const char *names, const char *attr)
{
	list->attr = attr;
	for (const struct tree_node *n = root ? root->first : NULL; n;
	     n = tree_next(n, root)) {
		const char *key;

		if (!tree_is(n, names))
			continue;
		key = tree_attr(n, attr);
		if (!*key || index_find(list, key))
			continue;
		table_put(&list->table, key, strlen(key), 0, list->n);
		*MEM_ADD(list->items, list->n, list->cap) = n;
	}
}

static void index_release(struct element_index *list)
{
	table_release(&list->table);
	free(list->items);
}

/* The state of a conversion. New blocks are added to AT. */
struct converter {
	struct arena *arena;
	struct tree_node *at;
	const struct package *package; /* ODT: for formulas */
	struct element_index links;    /* DOCX: relationships */
	struct element_index numbers;  /* DOCX: lists of paragraphs */
	struct element_index lists;    /* definitions of lists */
	struct element_index styles;
	struct tree_node *code; /* the current block of code, or NULL */
	struct tree_node *list; /* the current list, or NULL */
	size_t level;		/* its nesting level */
};

static struct tree_node *add_element(struct tree_node *to, const char *name,
				     struct arena *a)
{
	struct tree_node *n = tree_element(name, a);

	tree_append(to, n);
	return n;
}

static void add_text(struct tree_node *to, const char *text, struct arena *a)
{
	tree_append(to, tree_text(text, strlen(text), a));
}

static const struct tree_node *find_child(const struct tree_node *n,
					  const char *name)
{
	n = n ? n->first : NULL;
	while (n && (!n->name || strcmp(n->name, name)))
		n = n->next;
	return n;
}

static int read_part(struct tree_node **root, const struct package *k,
		     const char *name, struct arena *a, struct err *e)
{
	const struct package_file *f = package_find(k, name);

	if (!f)
		return err_set(e, ERR_DATA, "there is no '%s' in it", name);
	return tree_read_xml(root, f->p, f->len, a, e);
}

/* Read the optional part NAME of K. Returns its root, or NULL. */
static struct tree_node *read_optional_part(const struct package *k,
					    const char *name, struct arena *a)
{
	struct tree_node *root;

	return package_find(k, name) && read_part(&root, k, name, a, NULL) == 0
		       ? root
		       : NULL;
}

static const char *words_of(const struct tree_node *root, const char *name,
			    struct arena *a)
{
	const struct tree_node *n = root ? tree_find(root, name) : NULL;
	struct buf b = {0};
	const char *text = NULL;

	if (n)
		tree_add_words(&b, n);
	if (b.len)
		text = arena_strdup(a, b.p);
	buf_release(&b);
	return text;
}

/* Read the Dublin Core elements of META. */
static void read_metadata(struct page *page, const struct tree_node *meta,
			  struct arena *a)
{
	page->title = words_of(meta, " title ", a);
	page->author = words_of(meta, " creator ", a);
	page->language = words_of(meta, " language ", a);
	page->description = words_of(meta, " description ", a);
	page->published = words_of(meta, " created creation-date date ", a);
}

/* Return the list of LEVEL (from 1) for the next item, creating it if
 * necessary. */
static struct tree_node *open_list(struct converter *m, size_t level,
				   bool ordered)
{
	const char *name = ordered ? "ol" : "ul";

	level = level > 9 ? 9 : level;
	if (!m->list) {
		m->list = add_element(m->at, name, m->arena);
		m->level = 1;
	}
	while (m->level > level) {
		/* The list around its item. */
		m->list = m->list->parent->parent;
		m->level--;
	}
	while (m->level < level) {
		struct tree_node *item = m->list->last;

		if (!item)
			item = add_element(m->list, "li", m->arena);
		m->list = add_element(item, name, m->arena);
		m->level++;
	}
	return m->list;
}

/* Add elements for the style to TO. Returns the innermost one. */
static struct tree_node *add_style(struct tree_node *to, bool bold,
				   bool slanted, bool code, struct arena *a)
{
	if (bold)
		to = add_element(to, "strong", a);
	if (slanted)
		to = add_element(to, "em", a);
	return code ? add_element(to, "code", a) : to;
}

static bool is_on(const struct tree_node *n)
{
	const char *v = n ? tree_attr(n, "val") : "0";

	return n && strcmp(v, "0") && strcmp(v, "false") && strcmp(v, "none");
}

/* Return true if NAME is that of a style for code. */
static bool is_code_style(const char *name)
{
	static const char *const words[] = {"code", "preformatted", "verbatim",
					    "listing", "source_20_text"};

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		if (strcasestr(name, words[i]))
			return true;
	}
	return false;
}

/* Convert the run R of a DOCX paragraph. */
static void docx_run(struct converter *m, struct tree_node *to,
		     const struct tree_node *r, bool plain)
{
	const struct tree_node *look = find_child(r, "rPr");
	const struct tree_node *style = find_child(look, "rStyle");

	to = add_style(to, !plain && is_on(find_child(look, "b")),
		       !plain && is_on(find_child(look, "i")),
		       !plain && style &&
			       is_code_style(tree_attr(style, "val")),
		       m->arena);
	for (const struct tree_node *n = r->first; n; n = n->next) {
		struct buf text = {0};

		if (tree_is(n, " t ")) {
			tree_add_text(&text, n);
			add_text(to, buf_str(&text), m->arena);
		} else if (tree_is(n, " br cr ")) {
			add_element(to, "br", m->arena);
		} else if (tree_is(n, " tab ")) {
			add_text(to, "\t", m->arena);
		} else if (tree_is(n, " noBreakHyphen ")) {
			add_text(to, "-", m->arena);
		}
		buf_release(&text);
	}
}

/* Append the inline content of FROM to TO. PLAIN: without bold, italic and
 * code. */
static void docx_inline(struct converter *m, struct tree_node *to,
			const struct tree_node *from, bool plain)
{
	for (const struct tree_node *n = from->first; n; n = n->next) {
		const struct tree_node *to_url;

		if (tree_is(n, " r ")) {
			docx_run(m, to, n, plain);
		} else if (tree_is(n, " hyperlink ")) {
			struct tree_node *link = to;

			to_url = index_find(&m->links, tree_attr(n, "id"));
			if (to_url) {
				link = add_element(to, "a", m->arena);
				tree_set(link, "href",
					 tree_attr(to_url, "Target"), m->arena);
			}
			docx_inline(m, link, n, plain);
		} else if (tree_is(n, " ins smartTag sdt sdtContent fldSimple"
				      " bdo dir ")) {
			docx_inline(m, to, n, plain);
		} else if (tree_is(n, " oMath oMathPara ")) {
			struct buf text = {0};

			tree_add_formula(&text, n);
			add_text(to, buf_str(&text), m->arena);
			buf_release(&text);
		}
	}
}

/* Return true if the list NUMBER numbers its items at LEVEL. */
static bool docx_counts(const struct converter *m, const char *number,
			const char *level)
{
	const struct tree_node *kind =
		find_child(index_find(&m->numbers, number), "abstractNumId");
	const struct tree_node *list =
		kind ? index_find(&m->lists, tree_attr(kind, "val")) : NULL;

	for (const struct tree_node *n = list ? list->first : NULL; n;
	     n = n->next) {
		if (tree_is(n, " lvl ") &&
		    !strcmp(tree_attr(n, "ilvl"), level) &&
		    find_child(n, "numFmt"))
			return strcmp(tree_attr(find_child(n, "numFmt"), "val"),
				      "bullet") != 0;
	}
	return false;
}

/* Return the heading level of STYLE, or 0: from the outline, or from its name,
 * which is English in all languages. */
static size_t docx_heading(const struct converter *m, const char *style)
{
	const struct tree_node *n = index_find(&m->styles, style);
	const struct tree_node *outline =
		find_child(find_child(n, "pPr"), "outlineLvl");
	const char *level = outline ? tree_attr(outline, "val") : "";
	const char *name = find_child(n, "name")
				   ? tree_attr(find_child(n, "name"), "val")
				   : style;

	if (*level >= '0' && *level <= '5')
		return (size_t)(*level - '0') + 1;
	if (!strcasecmp(name, "title"))
		return 1;
	if (strncasecmp(name, "heading", 7))
		return 0;
	name += 7 + strspn(name + 7, " ");
	return *name >= '1' && *name <= '6' ? (size_t)(*name - '0') : 0;
}

/* Convert the paragraph P to code, an item, a heading or a paragraph. */
static void docx_paragraph(struct converter *m, const struct tree_node *p)
{
	const struct tree_node *look = find_child(p, "pPr");
	const struct tree_node *styled = find_child(look, "pStyle");
	const struct tree_node *list = find_child(look, "numPr");
	const char *style = styled ? tree_attr(styled, "val") : "";
	const size_t heading = docx_heading(m, style);
	struct tree_node *n;
	char name[] = "h1";

	if (is_code_style(style)) {
		if (m->code)
			add_text(m->code, "\n", m->arena);
		else
			m->code = add_element(m->at, "pre", m->arena);
		docx_inline(m, m->code, p, true);
		m->list = NULL;
		return;
	}
	m->code = NULL;
	if (list && !heading) {
		const struct tree_node *level = find_child(list, "ilvl");
		const struct tree_node *number = find_child(list, "numId");
		const char *at = level ? tree_attr(level, "val") : "0";
		const bool ordered =
			number && docx_counts(m, tree_attr(number, "val"), at);

		n = open_list(m, strtoul(at, NULL, 10) + 1, ordered);
		docx_inline(m, add_element(n, "li", m->arena), p, false);
		return;
	}
	m->list = NULL;
	if (heading) {
		name[1] = (char)('0' + heading);
		n = add_element(m->at, name, m->arena);
	} else {
		n = m->at;
		if (strcasestr(style, "quote"))
			n = add_element(n, "blockquote", m->arena);
		n = add_element(n, "p", m->arena);
	}
	docx_inline(m, n, p, heading);
}

/* Convert the paragraphs and tables in FROM. */
static void docx_blocks(struct converter *m, const struct tree_node *from)
{
	for (const struct tree_node *n = from->first; n; n = n->next) {
		if (tree_is(n, " p ")) {
			docx_paragraph(m, n);
		} else if (tree_is(n, " tbl tr tc ")) {
			struct tree_node *at = m->at;

			m->code = m->list = NULL;
			m->at = add_element(at,
					    tree_is(n, " tbl ")	 ? "table"
					    : tree_is(n, " tr ") ? "tr"
								 : "td",
					    m->arena);
			docx_blocks(m, n);
			m->at = at;
			m->code = m->list = NULL;
		} else if (tree_is(n, " body document sdt sdtContent ins ")) {
			docx_blocks(m, n);
		}
	}
}

static void release_converter(struct converter *m)
{
	index_release(&m->links);
	index_release(&m->numbers);
	index_release(&m->lists);
	index_release(&m->styles);
}

int document_read_docx(struct tree_node **root, struct page *page,
		       const char *p, size_t len, struct arena *a,
		       struct err *e)
{
	static const char *const endings[] = {".xml", ".rels", NULL};
	struct converter m = {.arena = a};
	struct tree_node *document, *numbering;
	struct package k;

	if (package_read(&k, p, len, endings, a, e) < 0 ||
	    read_part(&document, &k, "word/document.xml", a, e) < 0)
		return -1;
	index_fill(&m.links,
		   read_optional_part(&k, "word/_rels/document.xml.rels", a),
		   " Relationship ", "Id");
	numbering = read_optional_part(&k, "word/numbering.xml", a);
	index_fill(&m.numbers, numbering, " num ", "numId");
	index_fill(&m.lists, numbering, " abstractNum ", "abstractNumId");
	index_fill(&m.styles, read_optional_part(&k, "word/styles.xml", a),
		   " style ", "styleId");
	read_metadata(page, read_optional_part(&k, "docProps/core.xml", a), a);
	*root = m.at = tree_element("", a);
	docx_blocks(&m, document);
	release_converter(&m);
	return 0;
}

/* Return the text properties of the ODT style NAME, or NULL. *PARENT is its
 * parent style, or "". */
static const struct tree_node *odt_style(const struct converter *m,
					 const char *name, const char **parent)
{
	const struct tree_node *style = index_find(&m->styles, name);

	*parent = style ? tree_attr(style, "parent-style-name") : "";
	return find_child(style, "text-properties");
}

static bool odt_is_code(const struct converter *m, const char *style)
{
	const char *parent;

	odt_style(m, style, &parent);
	return is_code_style(style) || is_code_style(parent);
}

/* Append the formula in the directory HREF of the archive. */
static void odt_formula(struct converter *m, struct tree_node *to,
			const char *href)
{
	const struct tree_node *formula;
	struct buf text = {0};
	size_t len;

	href += strncmp(href, "./", 2) ? 0 : 2;
	len = strcspn(href, "/");
	formula = read_optional_part(
		m->package,
		arena_printf(m->arena, "%.*s/content.xml", (int)len, href),
		m->arena);
	if (formula)
		tree_add_formula(&text, formula);
	add_text(to, buf_str(&text), m->arena);
	buf_release(&text);
}

/* Append the inline content of FROM to TO. PLAIN: without bold, italic and
 * code. */
static void odt_inline(struct converter *m, struct tree_node *to,
		       const struct tree_node *from, bool plain)
{
	for (const struct tree_node *n = from->first; n; n = n->next) {
		if (n->text) {
			tree_append(to, tree_text(n->text, n->len, m->arena));
		} else if (tree_is(n, " s ")) {
			size_t many = strtoul(tree_attr(n, "c"), NULL, 10);

			many = many < 1 ? 1 : many > 1000 ? 1000 : many;
			while (many--)
				add_text(to, " ", m->arena);
		} else if (tree_is(n, " tab ")) {
			add_text(to, "\t", m->arena);
		} else if (tree_is(n, " line-break ")) {
			add_element(to, "br", m->arena);
		} else if (tree_is(n, " a ")) {
			struct tree_node *link = add_element(to, "a", m->arena);

			tree_set(link, "href", tree_attr(n, "href"), m->arena);
			odt_inline(m, link, n, plain);
		} else if (tree_is(n, " span ")) {
			const char *style = tree_attr(n, "style-name"), *parent;
			const struct tree_node *look =
				odt_style(m, style, &parent);
			const char *weight =
				look ? tree_attr(look, "font-weight") : "";
			const char *slant =
				look ? tree_attr(look, "font-style") : "";

			odt_inline(m,
				   add_style(to,
					     !plain && !strcmp(weight, "bold"),
					     !plain && !strcmp(slant, "italic"),
					     !plain && odt_is_code(m, style),
					     m->arena),
				   n, plain);
		} else if (tree_is(n, " object ")) {
			odt_formula(m, to, tree_attr(n, "href"));
		} else if (!tree_is(n, " note annotation bookmark ")) {
			odt_inline(m, to, n, plain);
		}
	}
}

/* Convert the blocks in FROM. ORDERED: lists without a style are numbered. */
static void odt_blocks(struct converter *m, const struct tree_node *from,
		       bool ordered)
{
	struct tree_node *at = m->at;

	for (const struct tree_node *n = from->first; n; n = n->next) {
		const char *style;
		char name[] = "h1";

		if (n->text)
			continue;
		style = tree_attr(n, "style-name");
		if (tree_is(n, " p ") && odt_is_code(m, style)) {
			if (m->code)
				add_text(m->code, "\n", m->arena);
			else
				m->code = add_element(at, "pre", m->arena);
			odt_inline(m, m->code, n, true);
			continue;
		}
		m->code = NULL;
		if (tree_is(n, " p ")) {
			const char *parent;

			odt_style(m, style, &parent);
			m->at = at;
			if (strcasestr(style, "quot") ||
			    strcasestr(parent, "quot"))
				m->at = add_element(at, "blockquote", m->arena);
			odt_inline(
				m,
				add_element(m->at,
					    strcmp(style, "Title") ? "p" : name,
					    m->arena),
				n, false);
			m->at = at;
		} else if (tree_is(n, " h ")) {
			const char level = *tree_attr(n, "outline-level");

			name[1] = level >= '1' && level <= '6' ? level : '6';
			odt_inline(m, add_element(at, name, m->arena), n, true);
		} else if (tree_is(n, " list ")) {
			const bool counts =
				*style ? find_child(
						 index_find(&m->lists, style),
						 "list-level-style-number") !=
						 NULL
				       : ordered;

			m->at = add_element(at, counts ? "ol" : "ul", m->arena);
			odt_blocks(m, n, counts);
		} else if (tree_is(n, " list-item list-header table table-row"
				      " table-cell ")) {
			m->at = add_element(at,
					    tree_is(n, " table ") ? "table"
					    : tree_is(n, " table-row ")	 ? "tr"
					    : tree_is(n, " table-cell ") ? "td"
									 : "li",
					    m->arena);
			odt_blocks(m, n, ordered);
		} else if (!tree_is(n, " sequence-decls forms tracked-changes"
				       " table-of-content ")) {
			odt_blocks(m, n, ordered);
		}
		m->at = at;
	}
	m->code = NULL;
}

int document_read_odt(struct tree_node **root, struct page *page, const char *p,
		      size_t len, struct arena *a, struct err *e)
{
	static const char *const endings[] = {"content.xml", "meta.xml", NULL};
	struct converter m = {.arena = a};
	struct tree_node *document;
	struct package k;

	if (package_read(&k, p, len, endings, a, e) < 0 ||
	    read_part(&document, &k, "content.xml", a, e) < 0)
		return -1;
	m.package = &k;
	index_fill(&m.styles, document, " style ", "name");
	index_fill(&m.lists, document, " list-style ", "name");
	read_metadata(page, read_optional_part(&k, "meta.xml", a), a);
	*root = m.at = tree_element("", a);
	document = tree_find(document, " text ");
	if (document)
		odt_blocks(&m, document, false);
	release_converter(&m);
	return 0;
}

/* Return the path in the archive of PATH, as referenced by the file FROM,
 * allocated in A. */
static const char *epub_path(const char *from, const char *path,
			     struct arena *a)
{
	const char *slash = strrchr(from, '/');
	const size_t len = slash ? (size_t)(slash - from) + 1 : 0;
	char *whole = arena_printf(a, "%.*s%s", (int)len, from, path), *to;

	for (char *s = to = whole; *s; s++) {
		unsigned c;

		if (*s == '%' && sscanf(s + 1, "%2x", &c) == 1 && c) {
			*to++ = (char)c;
			s += 2;
		} else if (*s == '#') {
			break;
		} else {
			*to++ = *s;
		}
	}
	*to = '\0';
	return whole;
}

/* Append the chapter F to ROOT. */
static int epub_chapter(struct tree_node *root, const struct package_file *f,
			struct arena *a, struct err *e)
{
	struct buf text = {0};
	struct tree_node *chapter, *body;
	int r;

	charset_decode(&text, charset_of(f->p, f->len, NULL, true), f->p,
		       f->len);
	r = tree_read_html(&chapter, buf_str(&text), text.len, a, e);
	body = r ? NULL : tree_find(chapter, " body ");
	if (body) {
		body->name = "div";
		tree_append(root, body);
	}
	buf_release(&text);
	return r;
}

int document_read_epub(struct tree_node **root, struct page *page,
		       const char *p, size_t len, struct arena *a,
		       struct err *e)
{
	static const char *const endings[] = {".xml",  ".opf", ".xhtml",
					      ".html", ".htm", NULL};
	struct tree_node *container, *opf, *n;
	struct element_index items = {0};
	const char *name;
	struct package k;
	int r = 0;

	if (package_read(&k, p, len, endings, a, e) < 0 ||
	    read_part(&container, &k, "META-INF/container.xml", a, e) < 0)
		return -1;
	n = tree_find(container, " rootfile ");
	name = n ? tree_attr(n, "full-path") : "";
	if (read_part(&opf, &k, name, a, e) < 0)
		return -1;
	read_metadata(page, opf, a);
	index_fill(&items, opf, " item ", "id");
	*root = tree_element("", a);
	for (n = opf->first; n && !r; n = tree_next(n, opf)) {
		const struct tree_node *item;
		const struct package_file *f;

		if (!tree_is(n, " itemref "))
			continue;
		item = index_find(&items, tree_attr(n, "idref"));
		f = item ? package_find(
				   &k,
				   epub_path(name, tree_attr(item, "href"), a))
			 : NULL;
		if (f)
			r = epub_chapter(*root, f, a, e);
	}
	index_release(&items);
	return r;
}
