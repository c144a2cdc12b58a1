/* extract.c: detect the type of the input, and pass it to the reader for that
 * type. Files of a HELPER type are converted by another program first. */
#include "extract/extract.h"

#include "base/sha256.h"
#include "base/utf8.h"
#include "extract/charset.h"
#include "extract/document.h"
#include "extract/printed.h"
#include "extract/tree.h"
#include "format/json-write.h"
#include "sys/process.h"
#include "text/media-type.h"

#include <locale.h>
#include <strings.h>

#define SNIFFED 1024 /* bytes examined to detect the type */
#define HELPER_MS 60000
/* Bytes of a helper's output; a word with its box takes about 100. */
#define HELPER_MAX ((size_t)128 * 1024 * 1024)

enum reader { TEXT, MARKDOWN, HTML, DOCUMENT, HELPER };

static const struct kind {
	const char *type;
	enum reader reader;
	document_fn *document;
} kinds[] = {
	{"text/plain", TEXT, NULL},
	{"text/markdown", MARKDOWN, NULL},
	{"text/x-markdown", MARKDOWN, NULL},
	{"text/html", HTML, NULL},
	{"application/xhtml+xml", HTML, NULL},
	{"application/vnd.openxmlformats-officedocument."
	 "wordprocessingml.document",
	 DOCUMENT, document_read_docx},
	{"application/vnd.oasis.opendocument.text", DOCUMENT,
	 document_read_odt},
	{"application/epub+zip", DOCUMENT, document_read_epub},
	{"application/pdf", HELPER, NULL},
	{"image/png", HELPER, NULL},
	{"image/jpeg", HELPER, NULL},
	{"image/tiff", HELPER, NULL},
	{"image/gif", HELPER, NULL},
	{"image/webp", HELPER, NULL},
};
#define DOCX 5
#define ODT 6
#define EPUB 7

void extract_load(void)
{
	/* libarchive needs this locale to read file names. */
	setlocale(LC_CTYPE, "C.UTF-8");
	charset_load();
}

static const struct kind *find_kind(const char *type)
{
	const size_t len = strcspn(type, "; \t");

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		if (strlen(kinds[i].type) == len &&
		    !strncasecmp(kinds[i].type, type, len))
			return &kinds[i];
	}
	return NULL;
}

static bool has_word(const char *p, size_t len, const char *word)
{
	return memmem(p, len, word, strlen(word));
}

/* The names of the first files in a ZIP archive identify its type. */
static const struct kind *kind_of_zip(const char *p, size_t len)
{
	if (has_word(p, len < 200 ? len : 200, "application/epub+zip"))
		return &kinds[EPUB];
	if (has_word(p, len < 200 ? len : 200, kinds[ODT].type))
		return &kinds[ODT];
	return has_word(p, len, "word/document.xml") ? &kinds[DOCX] : NULL;
}

/* Return true if the first element near the start of P is one of HTML. */
static bool is_html(const char *p, size_t len)
{
	static const char *const begins[] = {
		"<!doctype html", "<html", "<head", "<body", "<title",
		"<meta",	  "<div",  "<p>",   "<h1",   "<table"};

	len = len < SNIFFED ? len : SNIFFED;
	for (size_t i = 0; i < len; i++) {
		if (p[i] != '<')
			continue;
		if (len - i > 4 && !memcmp(p + i, "<!--", 4)) {
			const char *end = memmem(p + i, len - i, "-->", 3);

			i = end ? (size_t)(end - p) + 2 : len;
			continue;
		}
		if (len - i > 5 && !strncasecmp(p + i, "<?xml", 5)) {
			const char *end = memchr(p + i, '>', len - i);

			i = end ? (size_t)(end - p) : len;
			continue;
		}
		for (size_t b = 0; b < ARRAY_LEN(begins); b++) {
			const size_t n = strlen(begins[b]);

			if (len - i >= n && !strncasecmp(p + i, begins[b], n))
				return true;
		}
		return false;
	}
	return false;
}

/* Return true if P has bytes that text cannot have, and no mark of UTF-16. */
static bool is_binary(const char *p, size_t len)
{
	len = len < SNIFFED ? len : SNIFFED;
	if (len >= 2 &&
	    (!memcmp(p, "\xff\xfe", 2) || !memcmp(p, "\xfe\xff", 2)))
		return false;
	for (size_t i = 0; i < len; i++) {
		if ((unsigned char)p[i] < '\b')
			return true;
	}
	return false;
}

/* Return the kind that the first bytes of P indicate, or NULL. */
static const struct kind *detect_kind(const char *p, size_t len)
{
	static const struct {
		const char *bytes;
		size_t len;
		const char *type;
	} magics[] = {{"%PDF-", 5, "application/pdf"},
		      {"\x89PNG\r\n", 6, "image/png"},
		      {"\xff\xd8\xff", 3, "image/jpeg"},
		      {"II*\0", 4, "image/tiff"},
		      {"MM\0*", 4, "image/tiff"},
		      {"GIF8", 4, "image/gif"}};

	for (size_t i = 0; i < ARRAY_LEN(magics); i++) {
		if (len >= magics[i].len &&
		    !memcmp(p, magics[i].bytes, magics[i].len))
			return find_kind(magics[i].type);
	}
	if (len > 12 && !memcmp(p, "RIFF", 4) && !memcmp(p + 8, "WEBP", 4))
		return find_kind("image/webp");
	if (len >= 4 && !memcmp(p, "PK\3\4", 4))
		return kind_of_zip(p, len);
	if (is_html(p, len))
		return find_kind("text/html");
	return is_binary(p, len) ? NULL : find_kind("text/plain");
}

const char *extract_type(const struct extract *x, const char *p, size_t len)
{
	const struct kind *k = x->said ? find_kind(x->said) : NULL;
	const struct kind *seen = detect_kind(p, len);

	/* Senders often do not know the type; the first bytes are more
	 * reliable. */
	if (!k ||
	    (seen && (seen->reader == DOCUMENT || seen->reader == HELPER)))
		k = seen;
	return k ? k->type : "application/octet-stream";
}

static const char *const pdf[] = {"pdftotext", "-enc", "UTF-8", "-bbox",
				  "-raw",      "-",    "-",	NULL};
static const char *const reversed[] = {"pdftotext", "-enc", "UTF-8",
				       "-",	    "-",    NULL};
static const char *const image[] = {"tesseract", "-", "-", NULL};

const char *const *extract_helper(const struct settings *s, const char *type,
				  struct arena *a)
{
	const struct kind *kind = find_kind(type);
	const char *key = arena_printf(a, "extract.%s", type);

	for (const struct settings_key *k = settings_keys; k->name; k++) {
		const char *const *words = NULL;

		if (!strcmp(k->name, key) && *settings_str(s, key))
			words = settings_words(s, key, a);
		if (words && *words)
			return words;
	}
	if (!kind || kind->reader != HELPER)
		return NULL;
	return strncmp(type, "image/", 6) ? pdf : image;
}

/* Return a hint at the package of the default command NAME, or "". */
static const char *package_hint(const char *name)
{
	if (!strcmp(name, "pdftotext"))
		return " (poppler-utils has it)";
	return strcmp(name, "tesseract") ? "" : " (tesseract-ocr has it)";
}

int extract_ask(const char *const *words, const struct buf *bytes,
		struct buf *text, struct err *e)
{
	struct helper h = {
		.words = words, .timeout_ms = HELPER_MS, .max = HELPER_MAX};
	struct err why;
	int r = process_run_helper(&h, bytes, text, &why);

	/* pdftotext orders text from right to left only without boxes. */
	if (r == 0 && words == pdf &&
	    printed_boxes_are_reversed(buf_str(text), text->len)) {
		h.words = reversed;
		r = process_run_helper(&h, bytes, text, &why);
	}
	if (r < 0)
		err_set(e, ERR_HELPER, "%s%s", why.text,
			package_hint(words[0]));
	return r;
}

/* Return the limit for the text of X in bytes. */
static size_t text_limit(const struct extract *x)
{
	return x->large ? EXTRACT_INPUT_MAX : EXTRACT_TEXT_MAX;
}

/* Extract from an HTML page, the LEN bytes of P in UTF-8. */
static int extract_page(struct extract *x, const char *p, size_t len,
			struct err *e)
{
	struct tree_content found = {NULL, 0};
	struct tree_node *root, *n;
	const char *base = x->base;

	if (tree_read_html(&root, p, len, &x->arena, e) < 0)
		return -1;
	n = tree_find(root, " base ");
	if (n && *tree_attr(n, "href"))
		base = tree_resolve(x->base, tree_attr(n, "href"), &x->arena);
	if (!base)
		base = x->base;
	x->page = page_read(root, base, &x->arena);
	if (x->whole)
		found.node = tree_content_body(root, &x->arena);
	else
		found = tree_content_find(
			root, x->page.title ? x->page.title : "", &x->arena);
	x->pass = found.pass;
	return tree_markdown_add(&x->markdown, found.node, base, text_limit(x),
				 &x->arena, e);
}

/* Extract the text of the LEN bytes of P, the output of a helper. */
static int extract_printed(struct extract *x, const char *p, size_t len,
			   struct err *e)
{
	struct buf text = {0}, boxed = {0};

	x->type = "text/plain";
	x->charset = charset_of(p, len, "utf-8", false);
	charset_decode(&text, x->charset, p, len);
	if (printed_are_boxes(buf_str(&text), text.len)) {
		printed_add_boxes(&boxed, text.p, text.len);
		buf_release(&text);
		text = boxed;
	}
	if (text.len <= EXTRACT_INPUT_MAX)
		printed_add(&x->markdown, buf_str(&text), text.len);
	else
		err_set(e, ERR_SYSTEM, "its text is longer than 8 MiB");
	len = text.len;
	buf_release(&text);
	return len <= EXTRACT_INPUT_MAX ? 0 : -1;
}

/* Extract from a file, the LEN bytes of P. */
static int extract_read(struct extract *x, const char *p, size_t len,
			struct err *e)
{
	const struct kind *k;
	struct tree_node *root;
	struct buf text = {0};
	const char *said;
	int r = 0;

	if (len > EXTRACT_INPUT_MAX)
		return err_set(e, ERR_SYSTEM, "it is longer than 8 MiB");
	x->type = extract_type(x, p, len);
	k = find_kind(x->type);
	if (!k || k->reader == HELPER)
		return err_set(e, ERR_DATA, "it is not a kind of text: %s",
			       x->type);
	if (k->reader == DOCUMENT) {
		r = k->document(&root, &x->page, p, len, &x->arena, e);
		if (r == 0)
			r = tree_markdown_add(&x->markdown, root, x->base,
					      text_limit(x), &x->arena, e);
	} else {
		said = x->said ? media_type_charset(x->said, &x->arena) : NULL;
		x->charset = charset_of(p, len, said, k->reader == HTML);
		charset_decode(&text, x->charset, p, len);
		if (k->reader == HTML)
			r = extract_page(x, buf_str(&text), text.len, e);
		else
			buf_add(&x->markdown, buf_str(&text), text.len);
	}
	buf_release(&text);
	return r;
}

int extract_text(struct extract *x, const char *p, size_t len, struct err *e)
{
	int r = x->plain ? extract_printed(x, p, len, e)
			 : extract_read(x, p, len, e);

	if (r == 0)
		r = tree_markdown_check(x->markdown.len, text_limit(x), e);
	p = buf_str(&x->markdown);
	len = x->markdown.len;
	utf8_strip(&p, &len);
	if (r == 0 && !len)
		r = err_set(e, ERR_NO, "there is no text in it");
	return r;
}

void extract_add_json(struct buf *out, const struct extract *x, const char *p,
		      size_t len)
{
	const struct {
		const char *key, *text;
	} facts[] = {{"type", x->type},
		     {"charset", x->charset},
		     {"title", x->page.title},
		     {"author", x->page.author},
		     {"published", x->page.published},
		     {"language", x->page.language},
		     {"description", x->page.description},
		     {"canonical", x->page.canonical}};
	char hex[SHA256_HEX];

	json_write_open(out, NULL, '{');
	for (size_t i = 0; i < ARRAY_LEN(facts); i++) {
		if (facts[i].text)
			json_write_text(out, facts[i].key, facts[i].text);
	}
	json_write_size(out, "bytes", len);
	json_write_text(out, "sha256", sha256_of(p, len, hex));
	json_write_bytes(out, "markdown", x->markdown.p, x->markdown.len);
	json_write_end(out);
}

void extract_release(struct extract *x)
{
	buf_release(&x->markdown);
	arena_release(&x->arena);
}
