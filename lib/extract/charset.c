/* charset.c: the conversion is done by iconv() of the C library.
 *
 * Known limit: a charset that iconv() lacks is treated as windows-1252.
 */
#include "extract/charset.h"

#include "base/ascii.h"
#include "base/utf8.h"

#include <errno.h>
#include <iconv.h>
#include <strings.h>

#define META_WITHIN 4096 /* bytes searched for a charset in <meta> */
#define REPLACEMENT "\xef\xbf\xbd"

/* Supported charsets and their labels. NAME is also known to iconv(), except
 * as in library_name(). */
static struct charset {
	const char *name, *labels; /* surrounded by blanks */
	iconv_t decoder;
	bool open;
} charsets[] = {
	{"utf-8", " utf8 unicode-1-1-utf-8 ", 0, false},
	{"windows-1252",
	 " cp1252 x-cp1252 iso-8859-1 iso8859-1 latin1 l1 us-ascii ascii ", 0,
	 false},
	{"utf-16le", " utf-16 unicode ucs-2 iso-10646-ucs-2 ", 0, false},
	{"utf-16be", " unicodefffe ", 0, false},
	{"utf-32le", " utf-32 ", 0, false},
	{"utf-32be", "", 0, false},
	{"windows-1250", " cp1250 x-cp1250 ", 0, false},
	{"windows-1251", " cp1251 x-cp1251 ", 0, false},
	{"windows-1253", " cp1253 ", 0, false},
	{"windows-1254", " cp1254 iso-8859-9 latin5 ", 0, false},
	{"windows-1255", " cp1255 ", 0, false},
	{"windows-1256", " cp1256 ", 0, false},
	{"windows-1257", " cp1257 ", 0, false},
	{"windows-1258", " cp1258 ", 0, false},
	{"windows-874", " cp874 tis-620 iso-8859-11 ", 0, false},
	{"iso-8859-2", " latin2 ", 0, false},
	{"iso-8859-3", " latin3 ", 0, false},
	{"iso-8859-4", " latin4 ", 0, false},
	{"iso-8859-5", " cyrillic ", 0, false},
	{"iso-8859-6", " arabic ", 0, false},
	{"iso-8859-7", " greek ", 0, false},
	{"iso-8859-8", " hebrew iso-8859-8-i ", 0, false},
	{"iso-8859-10", " latin6 ", 0, false},
	{"iso-8859-13", "", 0, false},
	{"iso-8859-14", "", 0, false},
	{"iso-8859-15", " latin9 ", 0, false},
	{"iso-8859-16", "", 0, false},
	{"koi8-r", " koi8 koi ", 0, false},
	{"koi8-u", " koi8-ru ", 0, false},
	{"ibm866", " cp866 866 ", 0, false},
	{"macintosh", " mac x-mac-roman ", 0, false},
	{"shift_jis", " shift-jis sjis x-sjis ms_kanji windows-31j cp932 ", 0,
	 false},
	{"euc-jp", " x-euc-jp ", 0, false},
	{"iso-2022-jp", " csiso2022jp ", 0, false},
	{"gb18030", " gbk gb2312 gb_2312-80 x-gbk chinese cp936 ", 0, false},
	{"big5", " big5-hkscs cn-big5 x-x-big5 ", 0, false},
	{"euc-kr", " ks_c_5601-1987 korean windows-949 cp949 ", 0, false},
};

/* Return the name that iconv() uses for NAME. */
static const char *library_name(const char *name)
{
	static const char *const names[][2] = {{"shift_jis", "cp932"},
					       {"euc-kr", "cp949"},
					       {"big5", "big5-hkscs"},
					       {"windows-874", "cp874"}};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (!strcmp(name, names[i][0]))
			return names[i][1];
	}
	return name;
}

void charset_load(void)
{
	for (size_t i = 1; i < ARRAY_LEN(charsets); i++) {
		struct charset *c = &charsets[i];

		if (c->open)
			continue;
		c->decoder = iconv_open("utf-8", library_name(c->name));
		c->open = c->decoder != (iconv_t)-1;
	}
}

/* Return the charset for the label of LEN bytes, or NULL. */
static struct charset *find_charset(const char *label, size_t len)
{
	char name[40];

	utf8_strip(&label, &len);
	if (!len || len > 36)
		return NULL;
	name[0] = name[len + 1] = ' ';
	for (size_t i = 0; i < len; i++)
		name[i + 1] = (char)(ascii_is_upper(label[i]) ? label[i] + 32
							      : label[i]);
	name[len + 2] = 0;
	for (size_t i = 0; i < ARRAY_LEN(charsets); i++) {
		struct charset *c = &charsets[i];

		if ((strlen(c->name) == len &&
		     !strncmp(c->name, name + 1, len)) ||
		    strstr(c->labels, name))
			return c;
	}
	return NULL;
}

/* Find <meta charset=X>, content="text/html; charset=X", or encoding= in an XML
 * declaration, near the start. Returns NULL if there is none. */
static struct charset *find_in_html(const char *p, size_t len)
{
	static const char *const words[] = {"charset", "encoding"};

	len = len < META_WITHIN ? len : META_WITHIN;
	for (size_t i = 0; i < len; i++) {
		for (size_t w = 0; w < ARRAY_LEN(words); w++) {
			const size_t n = strlen(words[w]);
			size_t at = i + n, end;

			if (len - i <= n || strncasecmp(p + i, words[w], n))
				continue;
			while (at < len && strchr(" \t\r\n", p[at]) && p[at])
				at++;
			if (at == len || p[at] != '=')
				continue;
			for (at++;
			     at < len && p[at] && strchr(" \t\r\n\"'", p[at]);)
				at++;
			end = at;
			while (end < len && p[end] &&
			       !strchr(" \t\r\n\"';>/?", p[end]))
				end++;
			if (find_charset(p + at, end - at))
				return find_charset(p + at, end - at);
		}
	}
	return NULL;
}

/* Return the length of the byte order mark of P, and set *NAME to its charset.
 * Returns 0 if there is none. */
static size_t find_mark(const char *p, size_t len, const char **name)
{
	static const struct {
		const char *bytes;
		size_t len;
		const char *name;
	} marks[] = {{"\xef\xbb\xbf", 3, "utf-8"},
		     {"\xff\xfe\0\0", 4, "utf-32le"},
		     {"\0\0\xfe\xff", 4, "utf-32be"},
		     {"\xff\xfe", 2, "utf-16le"},
		     {"\xfe\xff", 2, "utf-16be"}};

	for (size_t i = 0; i < ARRAY_LEN(marks); i++) {
		if (len >= marks[i].len &&
		    !memcmp(p, marks[i].bytes, marks[i].len)) {
			*name = marks[i].name;
			return marks[i].len;
		}
	}
	return 0;
}

const char *charset_of(const char *p, size_t len, const char *said, bool html)
{
	const struct charset *c =
		said ? find_charset(said, strlen(said)) : NULL;
	const char *name;

	if (find_mark(p, len, &name))
		return name;
	if (!c && html) {
		c = find_in_html(p, len);
		/* If this label could be read as ASCII, it is not UTF-16. */
		if (c && !strncmp(c->name, "utf-16", 6))
			c = charsets;
	}
	if (c && said)
		return c->name;
	/* A saved page may still have its original label. Text in another
	 * charset is hardly ever valid UTF-8. */
	if (utf8_check(p, len) == len && !(c && utf8_is_ascii(p, len)))
		return "utf-8";
	return c ? c->name : "windows-1252";
}

/* Append P with invalid UTF-8 replaced by U+FFFD. */
static void add_utf8(struct buf *out, const char *p, size_t len)
{
	while (len) {
		const size_t good = utf8_check(p, len);

		buf_add(out, p, good);
		if (good == len)
			return;
		buf_adds(out, REPLACEMENT);
		p += good + 1;
		len -= good + 1;
	}
}

/* Convert the line ends of B to \n and NULs to blanks, from START on. */
static void normalize(struct buf *b, size_t start)
{
	size_t to = start;

	for (size_t i = start; i < b->len; i++) {
		if (b->p[i] == '\r') {
			if (i + 1 < b->len && b->p[i + 1] == '\n')
				continue;
			b->p[to++] = '\n';
		} else {
			b->p[to++] = b->p[i] ? b->p[i] : ' ';
		}
	}
	buf_cut(b, to);
}

/* Append P, in the charset NAME, as UTF-8, as charset_decode() does. */
static void convert_to_utf8(struct buf *out, const char *name, const char *p,
			    size_t len)
{
	struct charset *c = find_charset(name, strlen(name));
	const char *marked;
	const size_t mark = find_mark(p, len, &marked);
	char *in;

	if (mark && !strcmp(marked, name)) {
		p += mark;
		len -= mark;
	}
	if (!c || !c->open) {
		add_utf8(out, p, len);
		return;
	}
	iconv(c->decoder, NULL, NULL, NULL, NULL);
	for (in = (char *)(uintptr_t)p; len;) {
		char *to;
		size_t room;
		size_t r;

		buf_grow(out, len * 2 + 16);
		to = out->p + out->len;
		room = out->cap - out->len - 1;
		r = iconv(c->decoder, &in, &len, &to, &room);
		buf_cut(out, (size_t)(to - out->p));
		if (r != (size_t)-1 || errno == E2BIG)
			continue;
		/* an invalid byte, or an incomplete character */
		buf_adds(out, REPLACEMENT);
		in++;
		len--;
	}
}

void charset_decode(struct buf *out, const char *name, const char *p,
		    size_t len)
{
	const size_t start = out->len;

	convert_to_utf8(out, name, p, len);
	normalize(out, start);
}
