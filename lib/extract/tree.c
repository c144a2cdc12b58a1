/* tree.c: the only user of libxml2: its event-based parsers, and its function
 * to resolve references.
 *
 * libxml2 compares each attribute of an element with all others, which takes
 * quadratic time. Therefore they are counted before parsing.
 *
 * The file is empty if libxml2 is missing; then no program that needs it is
 * linked.
 */
#if __has_include(<libxml/parser.h>)
#include "extract/tree.h"

#include "base/hash.h"
#include "base/utf8.h"

#include <strings.h>

#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/uri.h>

#define NAMES 64

struct tree_reader {
	struct arena *arena;
	struct tree_node *root, *at;
	size_t deep;  /* depth within dropped elements */
	size_t nodes; /* created so far */
	bool html;
	xmlParserCtxtPtr parser;
	const char *limit;	  /* the limit that was exceeded, or NULL */
	struct buf text;	  /* not yet added to the tree */
	const char *names[NAMES]; /* the last of each hash, in ARENA */
};

struct tree_node *tree_element(const char *name, struct arena *a)
{
	struct tree_node *n = arena_alloc(a, sizeof(*n));

	n->name = arena_strdup(a, name);
	return n;
}

struct tree_node *tree_text(const char *p, size_t len, struct arena *a)
{
	struct tree_node *n = arena_alloc(a, sizeof(*n));

	n->text = arena_copy(a, p, len);
	n->len = len;
	return n;
}

void tree_set(struct tree_node *n, const char *name, const char *value,
	      struct arena *a)
{
	struct tree_attr *attr = arena_alloc(a, sizeof(*attr));

	attr->name = arena_strdup(a, name);
	attr->value = arena_strdup(a, value);
	attr->next = n->attrs;
	n->attrs = attr;
}

void tree_remove(struct tree_node *n)
{
	if (!n->parent)
		return;
	*(n->prev ? &n->prev->next : &n->parent->first) = n->next;
	*(n->next ? &n->next->prev : &n->parent->last) = n->prev;
	n->parent = n->prev = n->next = NULL;
}

void tree_append(struct tree_node *parent, struct tree_node *n)
{
	tree_remove(n);
	n->parent = parent;
	n->prev = parent->last;
	*(parent->last ? &parent->last->next : &parent->first) = n;
	parent->last = n;
}

void tree_insert(struct tree_node *next, struct tree_node *n)
{
	tree_remove(n);
	n->parent = next->parent;
	n->prev = next->prev;
	n->next = next;
	*(next->prev ? &next->prev->next : &next->parent->first) = n;
	next->prev = n;
}

void tree_unwrap(struct tree_node *n)
{
	while (n->first)
		tree_insert(n, n->first);
	tree_remove(n);
}

const char *tree_attr(const struct tree_node *n, const char *name)
{
	for (const struct tree_attr *a = n->attrs; a; a = a->next) {
		if (!strcmp(a->name, name))
			return a->value;
	}
	return "";
}

bool tree_is(const struct tree_node *n, const char *names)
{
	const size_t len = n->name ? strlen(n->name) : 0;

	for (const char *p = names; len && (p = strstr(p, n->name)); p += len) {
		if (p > names && p[-1] == ' ' && p[len] == ' ')
			return true;
	}
	return false;
}

struct tree_node *tree_next_outside(const struct tree_node *n,
				    const struct tree_node *root)
{
	for (; n && n != root; n = n->parent) {
		if (n->next)
			return n->next;
	}
	return NULL;
}

struct tree_node *tree_next(const struct tree_node *n,
			    const struct tree_node *root)
{
	return n->first ? n->first : tree_next_outside(n, root);
}

struct tree_node *tree_find(const struct tree_node *root, const char *names)
{
	struct tree_node *n = root->first;

	while (n && !tree_is(n, names))
		n = tree_next(n, root);
	return n;
}

struct tree_node *tree_above(const struct tree_node *n, const char *names)
{
	struct tree_node *up = n->parent;

	while (up && !tree_is(up, names))
		up = up->parent;
	return up;
}

void tree_add_text(struct buf *out, const struct tree_node *n)
{
	for (const struct tree_node *t = n; t; t = tree_next(t, n))
		buf_add(out, t->text ? t->text : "", t->len);
}

void tree_add_words(struct buf *out, const struct tree_node *n)
{
	const size_t begin = out->len;
	bool due = false;

	for (const struct tree_node *t = n; t; t = tree_next(t, n)) {
		for (size_t i = 0; i < t->len; i++) {
			const char c = t->text[i];

			if (strchr(" \t\r\n\f", c)) {
				due = out->len > begin;
				continue;
			}
			if (due)
				buf_addc(out, ' ');
			due = false;
			buf_addc(out, c);
		}
	}
}

static void add_sign(struct buf *out, const char *p, size_t len)
{
	utf8_strip(&p, &len);
	if (len && out->len && out->p[out->len - 1] != ' ')
		buf_addc(out, ' ');
	buf_add(out, p, len);
}

/* Return the bracket set by the property NAME of D (OMML), or USUAL. */
static const char *bracket(const struct tree_node *d, const char *name,
			   const char *usual)
{
	const struct tree_node *n = tree_find(d, name);

	return n && n->parent->parent == d ? tree_attr(n, "val") : usual;
}

void tree_add_formula(struct buf *out, const struct tree_node *n)
{
	const bool brackets = tree_is(n, " d ");
	const char *sign = "";

	if (n->text)
		add_sign(out, n->text, n->len);
	if (brackets)
		sign = bracket(n, " begChr ", "(");
	else if (tree_is(n, " chr "))
		sign = tree_attr(n, "val");
	add_sign(out, sign, strlen(sign));
	if (tree_is(n, " annotation annotation-xml "))
		return;
	for (const struct tree_node *c = n->first; c; c = c->next)
		tree_add_formula(out, c);
	sign = brackets ? bracket(n, " endChr ", ")") : "";
	add_sign(out, sign, strlen(sign));
}

static void stop_at_limit(struct tree_reader *r, const char *limit)
{
	if (!r->limit)
		r->limit = limit;
	xmlStopParser(r->parser);
}

static void flush_text(struct tree_reader *r)
{
	if (!r->text.len)
		return;
	if (++r->nodes > TREE_NODES)
		stop_at_limit(r, "more than 2000000 elements and texts");
	tree_append(r->at, tree_text(r->text.p, r->text.len, r->arena));
	buf_cut(&r->text, 0);
}

/* Return NAME in the arena of R. Most elements share their names, and many
 * steps compare the name of each. */
static const char *share_name(struct tree_reader *r, const char *name)
{
	const char **slot =
		&r->names[hash_bytes(name, strlen(name), 0) % NAMES];

	if (!*slot || strcmp(*slot, name) != 0)
		*slot = arena_strdup(r->arena, name);
	return *slot;
}

/* Add an element and set R->at to it. Returns false if it is dropped. */
static bool begin_element(struct tree_reader *r, const char *name)
{
	struct tree_node *n;
	size_t up = 0;

	flush_text(r);
	if (r->deep || ++r->nodes > TREE_NODES) {
		r->deep++;
		if (r->nodes > TREE_NODES)
			stop_at_limit(r,
				      "more than 2000000 elements and texts");
		return false;
	}
	for (n = r->at; n; n = n->parent)
		up++;
	if (up > TREE_DEEP) {
		r->deep++;
		return false;
	}
	n = arena_alloc(r->arena, sizeof(*n));
	n->name = share_name(r, name);
	tree_append(r->at, n);
	r->at = n;
	return true;
}

static void end_element(struct tree_reader *r)
{
	flush_text(r);
	if (r->deep)
		r->deep--;
	else if (r->at->parent)
		r->at = r->at->parent;
}

static void on_characters(void *ctx, const xmlChar *p, int len)
{
	struct tree_reader *r = ctx;

	buf_add(&r->text, p, (size_t)len);
}

static void on_html_start(void *ctx, const xmlChar *name, const xmlChar **attrs)
{
	struct tree_reader *r = ctx;

	if (!begin_element(r, (const char *)name))
		return;
	for (size_t i = 0; attrs && attrs[i]; i += 2)
		tree_set(r->at, (const char *)attrs[i],
			 attrs[i + 1] ? (const char *)attrs[i + 1] : "",
			 r->arena);
}

static void on_html_end(void *ctx, const xmlChar *name)
{
	(void)name;
	end_element(ctx);
}

static void on_xml_start(void *ctx, const xmlChar *name, const xmlChar *prefix,
			 const xmlChar *uri, int n_spaces,
			 const xmlChar **spaces, int n, int n_default,
			 const xmlChar **attrs)
{
	struct tree_reader *r = ctx;

	(void)prefix, (void)uri, (void)n_spaces, (void)spaces, (void)n_default;
	if (!begin_element(r, (const char *)name))
		return;
	for (int i = 0; i < n; i++, attrs += 5)
		tree_set(r->at, (const char *)attrs[0],
			 arena_copy(r->arena, (const char *)attrs[3],
				    (size_t)(attrs[4] - attrs[3])),
			 r->arena);
}

static void on_xml_end(void *ctx, const xmlChar *name, const xmlChar *prefix,
		       const xmlChar *uri)
{
	(void)name, (void)prefix, (void)uri;
	end_element(ctx);
}

static void on_entity(void *ctx, const xmlChar *name, int type,
		      const xmlChar *public, const xmlChar *system,
		      xmlChar *content)
{
	(void)name, (void)type, (void)public, (void)system, (void)content;
	stop_at_limit(ctx, "entities of its own");
}

/* Ignore messages of libxml2. */
static void on_error(void *ctx, const char *format, ...)
{
	(void)ctx, (void)format;
}

/* Return the length of the comment at P, or 0. */
static size_t skip_comment(const char *p, size_t len)
{
	const char *end;

	if (len <= 4 || memcmp(p, "<!--", 4) != 0)
		return 0;
	end = memmem(p + 4, len - 4, "-->", 3);
	return end ? (size_t)(end - p) : len;
}

/* Return the name of the element at P if its content is raw text, or NULL. */
static const char *raw_name(const char *p, size_t len)
{
	static const char *const names[] = {"script", "style"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const size_t n = strlen(names[i]);

		if (len > n + 1 && !strncasecmp(p + 1, names[i], n) &&
		    strchr(" \t\r\n\f/>", p[n + 1]))
			return names[i];
	}
	return NULL;
}

/* Return the number of bytes before the end tag of the element NAME. */
static size_t skip_raw(const char *p, size_t len, const char *name)
{
	const size_t n = strlen(name);

	for (const char *end = p;
	     (end = memchr(end, '<', len - (size_t)(end - p))); end++) {
		if (len - (size_t)(end - p) >= n + 2 && end[1] == '/' &&
		    !strncasecmp(end + 2, name, n))
			return (size_t)(end - p);
	}
	return len;
}

/* Return true if no element in P has more than TREE_ATTRS attributes. Each is
 * preceded by a blank, a slash or a quote. */
static bool attrs_are_few(const char *p, size_t len)
{
	size_t n = 0;
	bool inside = false;
	const char *raw = NULL;

	for (size_t i = 0; i < len; i++) {
		const size_t comment =
			p[i] == '<' ? skip_comment(p + i, len - i) : 0;

		if (comment) {
			i += comment - 1;
			inside = false;
		} else if (p[i] == '<') {
			raw = raw_name(p + i, len - i);
			inside = i + 1 < len && (p[i + 1] | 32) >= 'a' &&
				 (p[i + 1] | 32) <= 'z';
			n = 0;
		} else if (p[i] == '>') {
			if (inside && raw && p[i - 1] != '/')
				i += skip_raw(p + i, len - i, raw) - 1;
			inside = false;
		} else if (inside && p[i] && strchr(" \t\r\n\f/\"'", p[i])) {
			const char next = i + 1 < len ? p[i + 1] : '>';

			n += !strchr(" \t\r\n\f/>\"'=", next);
			if (n > TREE_ATTRS)
				return false;
		}
	}
	return true;
}

/* Run the parser of R with the handlers SAX, and free it. */
static int parse_document(struct tree_reader *r, xmlSAXHandler *sax,
			  struct err *e)
{
	bool bad;

	if (!r->parser)
		mem_none();
	sax->characters = sax->ignorableWhitespace = on_characters;
	sax->cdataBlock = on_characters;
	sax->warning = sax->error = sax->fatalError = on_error;
	*r->parser->sax = *sax;
	r->parser->userData = r;
	if (r->html)
		htmlParseDocument(r->parser);
	else
		xmlParseDocument(r->parser);
	bad = !r->html && !r->parser->wellFormed;
	while (r->at != r->root)
		end_element(r);
	flush_text(r);
	buf_release(&r->text);
	if (r->parser->myDoc)
		xmlFreeDoc(r->parser->myDoc);
	if (r->html)
		htmlFreeParserCtxt(r->parser);
	else
		xmlFreeParserCtxt(r->parser);
	if (r->limit)
		return err_set(e, ERR_SYSTEM, "it has %s", r->limit);
	return bad ? err_set(e, ERR_DATA, "its XML is not well-formed") : 0;
}

int tree_read_html(struct tree_node **root, const char *p, size_t len,
		   struct arena *a, struct err *e)
{
	struct tree_reader r = {.arena = a, .html = true};
	xmlSAXHandler sax = {.startElement = on_html_start,
			     .endElement = on_html_end};

	*root = r.root = r.at = tree_element("", a);
	if (!attrs_are_few(p, len))
		return err_set(e, ERR_SYSTEM,
			       "it has an element of more than %d attributes",
			       TREE_ATTRS);
	if (!len)
		return 0;
	r.parser = htmlCreateMemoryParserCtxt(p, (int)len);
	if (r.parser) {
		htmlCtxtUseOptions(r.parser, HTML_PARSE_RECOVER |
						     HTML_PARSE_NONET |
						     HTML_PARSE_IGNORE_ENC);
		xmlSwitchEncoding(r.parser, XML_CHAR_ENCODING_UTF8);
	}
	return parse_document(&r, &sax, e);
}

int tree_read_xml(struct tree_node **root, const char *p, size_t len,
		  struct arena *a, struct err *e)
{
	struct tree_reader r = {.arena = a};
	xmlSAXHandler sax = {.startElementNs = on_xml_start,
			     .endElementNs = on_xml_end,
			     .entityDecl = on_entity,
			     .initialized = XML_SAX2_MAGIC};

	*root = r.root = r.at = tree_element("", a);
	if (!attrs_are_few(p, len))
		return err_set(e, ERR_SYSTEM,
			       "it has an element of more than %d attributes",
			       TREE_ATTRS);
	r.parser = xmlCreateMemoryParserCtxt(p, (int)len);
	if (!r.parser)
		return err_set(e, ERR_DATA, "its XML is empty");
	xmlCtxtUseOptions(r.parser, XML_PARSE_NONET);
	return parse_document(&r, &sax, e);
}

const char *tree_resolve(const char *base, const char *reference,
			 struct arena *a)
{
	struct buf clean = {0};
	const char *all = NULL;
	xmlChar *uri = NULL;
	size_t scheme;

	/* As browsers do, drop controls and surrounding blanks. */
	for (const char *p = reference; *p; p++) {
		if ((unsigned char)*p > ' ')
			buf_addc(&clean, *p);
		else if (*p == ' ' && clean.len)
			buf_adds(&clean, "%20");
	}
	while (clean.len > 3 && !strcmp(clean.p + clean.len - 3, "%20"))
		buf_cut(&clean, clean.len - 3);
	scheme = strspn(buf_str(&clean), "abcdefghijklmnopqrstuvwxyz"
					 "ABCDEFGHIJKLMNOPQRSTUVWXYZ+-.");
	if (clean.len && clean.p[scheme] == ':' && scheme) {
		static const char *const follow[] = {
			"http:", "https:", "mailto:", "ftp:"};

		for (size_t i = 0; i < ARRAY_LEN(follow); i++) {
			if (scheme + 1 == strlen(follow[i]) &&
			    !strncasecmp(clean.p, follow[i], scheme + 1))
				all = arena_strdup(a, clean.p);
		}
	} else if (clean.len) {
		if (base && *base)
			uri = xmlBuildURI((const xmlChar *)clean.p,
					  (const xmlChar *)base);
		all = arena_strdup(a, uri ? (const char *)uri : clean.p);
		xmlFree(uri);
	}
	buf_release(&clean);
	return all;
}
#endif
