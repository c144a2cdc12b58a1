/* document.c: any bytes as the XML of a document, in an archive of stored
 * files. The first file is the one that the reader looks for. */
#include "../fuzz.h"

#include "base/utf8.h"
#include "extract/extract.h"

static void add_le(struct buf *b, uint64_t n, int bytes)
{
	for (; bytes--; n >>= 8)
		buf_addc(b, (char)n);
}

static uint32_t crc_of(const char *p, size_t len)
{
	uint32_t crc = ~0u;

	for (size_t i = 0; i < len; i++) {
		crc ^= (unsigned char)p[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	}
	return ~crc;
}

/* Add the part that a local header and an entry of the directory have in
 * common. */
static void add_header(struct buf *b, const char *name, const char *p,
		       size_t len)
{
	add_le(b, 20, 2);
	add_le(b, 0, 8); /* flags, method, time and date */
	add_le(b, crc_of(p, len), 4);
	add_le(b, len, 4);
	add_le(b, len, 4);
	add_le(b, strlen(name), 2);
	add_le(b, 0, 2);
}

static void add_file(struct buf *zip, struct buf *directory, const char *name,
		     const char *p, size_t len)
{
	const size_t at = zip->len;

	buf_add(zip, "PK\3\4", 4);
	add_header(zip, name, p, len);
	buf_adds(zip, name);
	buf_add(zip, p, len);
	buf_add(directory, "PK\1\2", 4);
	add_le(directory, 20, 2);
	add_header(directory, name, p, len);
	add_le(directory, 0, 10);
	add_le(directory, at, 4);
	buf_adds(directory, name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const char *p = (const char *)data;
	static const char *const types[] = {
		("application/vnd.openxmlformats-officedocument."
		 "wordprocessingml.document"),
		"application/vnd.oasis.opendocument.text",
		"application/epub+zip"};
	static const char *const names[] = {"word/document.xml", "content.xml",
					    "META-INF/container.xml"};
	struct buf zip = {0}, directory = {0};
	struct extract x = {0};
	struct err e;
	size_t way;

	if (!len)
		return 0;
	way = (unsigned char)p[0] % 4;
	if (way < 3) {
		/* The second file is one that the first may name. */
		const char *end = memchr(p, '\0', len);
		const size_t cut = end ? (size_t)(end - p) : len;

		add_file(&zip, &directory, names[way], p + 1,
			 cut ? cut - 1 : 0);
		add_file(&zip, &directory, way == 2 ? "a.opf" : "styles.xml",
			 p + cut, len - cut);
		x.said = types[way];
		buf_add(&zip, directory.p, directory.len);
		buf_add(&zip, "PK\5\6\0\0\0\0", 8);
		add_le(&zip, 2, 2);
		add_le(&zip, 2, 2);
		add_le(&zip, directory.len, 4);
		add_le(&zip, zip.len - directory.len - 16, 4);
		add_le(&zip, 0, 2);
	} else {
		x.said = types[len % 3];
		buf_add(&zip, "PK\3\4", 4);
		buf_add(&zip, p + 1, len - 1);
	}
	if (extract_text(&x, buf_str(&zip), zip.len, &e) == 0)
		must(utf8_check(x.markdown.p, x.markdown.len) == x.markdown.len,
		     "the text is UTF-8");
	extract_release(&x);
	buf_release(&directory);
	buf_release(&zip);
	return 0;
}
