/* corpus-columns.c: each document follows the one before as differences, in about ten
 * bytes.
 */
#include "remote/corpus-columns.h"

#include "repo/marks.h"

#define FORMAT 1

/* Flags of a document, above its kind. */
enum { KIND = 3, SAME_FAMILY = 4, OTHER_FAMILY = 8, FRACTION = 16, ENDS = 32 };

struct corpus_column corpus_columns_of(const struct remote_document *d,
				       const struct corpus_terms *t,
				       uint32_t number)
{
	const struct instant at = corpus_terms_time(d);
	const struct value expires = value_str(d->expires);
	struct instant last = {0};
	const int64_t end = marks_end(&expires, &last) ? last.sec : 0;

	return (struct corpus_column){
		.number = number,
		.length = t->length,
		.traits = (uint8_t)t->traits,
		.kind = (uint8_t)d->kind,
		.family = corpus_terms_family(d),
		.place = d->kind == RECORD_MEMORY ? at.sec : d->order,
		.id = d->id,
		.at = at,
		.end = end,
	};
}

void corpus_columns_add(struct corpus_columns *c, struct corpus_column x)
{
	*MEM_ADD(c->items, c->n, c->cap) = x;
}

bool corpus_columns_drop(struct corpus_columns *c, uint32_t number)
{
	size_t i = 0;

	while (i < c->n && c->items[i].number != number)
		i++;
	if (i == c->n)
		return false;
	c->n--;
	memmove(c->items + i, c->items + i + 1, (c->n - i) * sizeof(*c->items));
	return true;
}

/* Append the difference of N and BEFORE, which may be too large for a sign: it wraps. */
static void add_difference(struct buf *out, int64_t n, int64_t before)
{
	buf_add_signed(out, (int64_t)((uint64_t)n - (uint64_t)before));
}

void corpus_columns_write(const struct corpus_columns *c, struct buf *out)
{
	struct corpus_column last = {0};

	buf_add_number(out, FORMAT);
	buf_add_number(out, c->n);
	for (size_t i = 0; i < c->n; i++) {
		const struct corpus_column *x = &c->items[i];
		const unsigned flags =
			x->kind |
			(!x->family		    ? 0u
			 : x->family == last.family ? (unsigned)SAME_FAMILY
						    : (unsigned)OTHER_FAMILY) |
			(x->at.nsec ? (unsigned)FRACTION : 0u) |
			(x->end ? (unsigned)ENDS : 0u);

		buf_addc(out, (char)flags);
		buf_addc(out, (char)x->traits);
		buf_add_number(out, x->number - last.number);
		buf_add_number(out, x->length);
		add_difference(out, x->at.sec, last.at.sec);
		add_difference(out, x->id, last.id);
		if (flags & FRACTION)
			buf_add_number(out, (uint64_t)x->at.nsec);
		if (flags & ENDS)
			buf_add_signed(out, x->end);
		if (flags & OTHER_FAMILY)
			buf_add_number(out, x->family);
		if (x->kind != RECORD_MEMORY)
			buf_add_signed(out, x->place);
		last = *x;
	}
}

/* Read a document at *P that follows LAST. */
static bool read_column(const unsigned char **p, const unsigned char *end,
			const struct corpus_column *last,
			struct corpus_column *x)
{
	uint64_t number, length, nsec = 0, family = 0;
	int64_t sec, id;
	unsigned flags;

	if (end - *p < 2)
		return false;
	flags = *(*p)++;
	*x = (struct corpus_column){.kind = flags & KIND, .traits = *(*p)++};
	if (!buf_read_number(p, end, &number) ||
	    !buf_read_number(p, end, &length) ||
	    !buf_read_signed(p, end, &sec) || !buf_read_signed(p, end, &id) ||
	    (flags & FRACTION && !buf_read_number(p, end, &nsec)) ||
	    (flags & ENDS && !buf_read_signed(p, end, &x->end)) ||
	    (flags & OTHER_FAMILY && !buf_read_number(p, end, &family)) ||
	    (x->kind != RECORD_MEMORY && !buf_read_signed(p, end, &x->place)))
		return false;
	if (!number || number > INT32_MAX - (uint64_t)last->number ||
	    length > INT32_MAX || nsec > 999999999)
		return false;
	x->number = last->number + (uint32_t)number;
	x->length = (uint32_t)length;
	x->at.sec = (int64_t)((uint64_t)last->at.sec + (uint64_t)sec);
	x->at.nsec = (int32_t)nsec;
	x->id = (int64_t)((uint64_t)last->id + (uint64_t)id);
	x->family = flags & SAME_FAMILY ? last->family : family;
	if (x->kind == RECORD_MEMORY)
		x->place = x->at.sec;
	return true;
}

int corpus_columns_read(struct corpus_columns *c, const char *p, size_t len,
			struct err *e)
{
	const unsigned char *at = (const unsigned char *)p, *end = at + len;
	struct corpus_column last = {0}, x;
	uint64_t format, n;

	c->n = 0;
	if (!len)
		return 0;
	if (!buf_read_number(&at, end, &format) || format != FORMAT ||
	    !buf_read_number(&at, end, &n))
		return err_set(e, ERR_DATA,
			       "the documents of a project are of an unknown "
			       "format");
	for (; n; n--) {
		if (!read_column(&at, end, &last, &x))
			return err_set(e, ERR_DATA,
				       "the documents of a project are "
				       "damaged");
		corpus_columns_add(c, x);
		last = x;
	}
	return 0;
}

void corpus_columns_release(struct corpus_columns *c)
{
	free(c->items);
	*c = (struct corpus_columns){0};
}
