/* segments.c: what FTS5 knows of its segments: four bytes, how many levels and
 * segments there are, how much was written, and of each level how many of its
 * segments are being merged, how many there are, and each: its id, its first
 * leaf and its last.
 *
 * Segments are on levels.  What is added is one of the lowest, and when there
 * are some of one level they are merged to one of the next.  So a large one on
 * the lowest would be written again as soon as a few single documents are added.
 */
#include "segments.h"

#include "btree.h"
#include "mem.h"

#define SEGMENTS_MAX 2000
#define LEVEL 4 /* of what was made at once: above some 8^4 additions */

/* Read N numbers at *AT, which is moved behind them. */
static bool read_numbers(const unsigned char **at, const unsigned char *end,
			 uint64_t *numbers, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const size_t size = btree_number(*at, end, &numbers[i]);

		if (!size)
			return false;
		*at += size;
	}
	return true;
}

/* The segments of one level, the oldest first, put in front of those of the
 * levels below it. */
static bool read_level(struct segments *s, const unsigned char **at,
		       const unsigned char *end)
{
	struct segment *items;
	uint64_t head[2], fields[3]; /* being merged, segments */

	if (!read_numbers(at, end, head, ARRAY_LEN(head)) ||
	    head[1] > SEGMENTS_MAX)
		return false;
	items = mem_resize(NULL, s->n + (size_t)head[1] + 1, sizeof(*items));
	if (s->n)
		memcpy(items + head[1], s->items, s->n * sizeof(*items));
	free(s->items);
	s->items = items;
	s->n += (size_t)head[1];
	for (uint64_t n = head[1]; n; n--) {
		if (!read_numbers(at, end, fields, ARRAY_LEN(fields)) ||
		    fields[0] > INT32_MAX || fields[2] > INT32_MAX)
			return false;
		*items++ = (struct segment){fields[0], fields[1], fields[2]};
	}
	return true;
}

/* Read which segments there are: four bytes, how many levels and segments, how
 * much was written, and each level. */
static bool read(struct segments *s, const unsigned char *at, size_t len,
		 uint64_t head[3])
{
	static const unsigned char other[] = {0xff, 0, 0, 1}; /* version */
	const unsigned char *const end = at + len;

	if (len < 4 || (len >= 8 && !memcmp(at + 4, other, sizeof(other))))
		return false;
	at += 4;
	if (!read_numbers(&at, end, head, 3) || head[0] > SEGMENTS_MAX ||
	    head[1] > SEGMENTS_MAX)
		return false;
	for (uint64_t i = 0; i < head[0]; i++) {
		if (!read_level(s, &at, end))
			return false;
	}
	return s->n == head[1];
}

bool segments_read(struct segments *s, const void *block, size_t len)
{
	uint64_t head[3];

	return read(s, block, len, head);
}

void segments_release(struct segments *s)
{
	free(s->items);
	*s = (struct segments){0};
}

static void add_number(struct buf *out, uint64_t n)
{
	char bytes[10];
	size_t at = sizeof(bytes);

	bytes[--at] = (char)(n & 0x7f);
	while (n >>= 7)
		bytes[--at] = (char)(n | 0x80);
	buf_add(out, bytes + at, sizeof(bytes) - at);
}

void segments_settle(const void *block, size_t len, struct buf *out)
{
	struct segments s = {0};
	uint64_t head[3];

	if (read(&s, block, len, head) && s.n && head[0] <= LEVEL &&
	    !(head[2] >> 56)) {
		buf_add(out, block, 4);
		add_number(out, LEVEL + 1);
		add_number(out, s.n);
		add_number(out, head[2]);
		for (size_t i = 0; i < 2 * LEVEL + 1; i++)
			add_number(out, 0);
		add_number(out, s.n);
		for (size_t i = 0; i < s.n; i++) {
			add_number(out, s.items[i].id);
			add_number(out, s.items[i].first);
			add_number(out, s.items[i].last);
		}
	}
	segments_release(&s);
}
