/* unicode-fold.c: texts that are equal except for case and blanks are folded to one. */
#include "base/unicode.h"

#include "base/ascii.h"
#include "base/hash.h"
#include "base/utf8.h"

bool unicode_is_blank(uint32_t c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || c == 0x85 || c == 0xA0 ||
	       c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
	       c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

void unicode_fold_blanks(struct buf *out, const char *p, size_t len)
{
	struct buf folded = {0};
	bool blank = false;
	size_t size;

	unicode_fold(&folded, p, len, true);
	for (size_t i = 0; i < folded.len; i += size) {
		if (unicode_is_blank(
			    utf8_decode(folded.p + i, folded.len - i, &size)))
			blank = true;
		else {
			if (blank && out->len)
				buf_addc(out, ' ');
			blank = false;
			buf_add(out, folded.p + i, size);
		}
	}
	buf_release(&folded);
}

uint64_t unicode_fold_hash(const char *p, size_t len)
{
	struct buf folded = {0};
	uint64_t hash;
	bool blank = false;
	size_t n = 0;

	if (!utf8_is_ascii(p, len)) {
		unicode_fold_blanks(&folded, p, len);
		hash = hash_bytes(buf_str(&folded), folded.len, 0);
		buf_release(&folded);
		return hash;
	}
	buf_grow(&folded, len);
	for (size_t i = 0; i < len; i++) {
		/* Most characters are above all blanks of ASCII. */
		if (p[i] <= ' ' && unicode_is_blank((unsigned char)p[i])) {
			blank = n > 0;
			continue;
		}
		if (blank)
			folded.p[n++] = ' ';
		blank = false;
		folded.p[n++] = ascii_lower(p[i]);
	}
	hash = hash_bytes(folded.p, n, 0);
	buf_release(&folded);
	return hash;
}
