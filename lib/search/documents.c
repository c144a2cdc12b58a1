/* documents.c: threads read the heads of all documents, since that mostly waits
 * for memory. A second pass, in order, removes places without a document and
 * numbers the families.
 */
#include "search/documents.h"

#include "base/hash.h"
#include "base/parallel.h"
#include "rank/rank.h"
#include "text/markdown.h"

/* Below this number, starting a thread takes longer. */
#define LEAST 4096

/* Besides enum view_kind: the state of a place without a document. */
enum { NOTHING = 0x80, GONE, DAMAGED };

struct listing {
	struct documents *d;
	const struct cache *c;
	uint64_t *keys;	  /* family_key() of each place */
	uint32_t *places; /* the places of the documents */
	size_t gone;
	bool damaged;
	struct families_numbers families;
};

/* Return the key of DOC's family, or 0 for none. */
static uint64_t family_key(const struct view_doc *doc)
{
	uint64_t key;

	if (doc->kind == VIEW_CATEGORY)
		return 0;
	key = doc->group ? hash_bytes(&doc->group, sizeof(doc->group), 1) : 0;
	return key ? key : doc->said;
}

static void read_heads(void *ctx, unsigned who, size_t from, size_t to)
{
	struct listing *l = ctx;
	struct documents *d = l->d;
	struct view_doc doc;

	(void)who;
	for (size_t i = from; i < to; i++) {
		const int r = view_head(l->c, i, &doc);

		if (r != 1) {
			d->kinds[i] = r < 0	 ? DAMAGED
				      : doc.gone ? GONE
						 : NOTHING;
			continue;
		}
		l->keys[i] = family_key(&doc);
		d->numbers[i] = doc.number;
		d->lengths[i] = DOCUMENTS_MISSING;
		d->traits[i] = 0;
		d->kinds[i] = (uint8_t)doc.kind;
		d->marked[i] = doc.marked;
		d->place[i] = doc.group ? (int64_t)doc.order : doc.at.sec;
	}
}

/* Return the family of the document at place I, or 0 for none. */
static uint32_t family_of(struct listing *l, size_t i)
{
	const char *source = NULL;
	uint32_t *family;

	if (!l->keys[i])
		return 0;
	family = families_number(&l->families, l->keys[i]);
	if (*family)
		return *family == FAMILIES_NONE ? 0 : *family;
	if (l->d->kinds[i] == VIEW_ARTICLE)
		*family = ++l->d->nfamilies | FAMILIES_ARTICLE;
	else if (view_source(l->c, i, &source) && source &&
		 families_is_conversation(source))
		*family = ++l->d->nfamilies;
	else
		*family = FAMILIES_NONE;
	return *family == FAMILIES_NONE ? 0 : *family;
}

/* Copy the document at place FROM to place TO. */
static void copy_document(struct documents *d, size_t to, size_t from)
{
	d->numbers[to] = d->numbers[from];
	d->lengths[to] = d->lengths[from];
	d->traits[to] = d->traits[from];
	d->kinds[to] = d->kinds[from];
	d->marked[to] = d->marked[from];
	d->place[to] = d->place[from];
	d->family[to] = d->family[from];
}

/* Remove the places without a document among the N. Return false if the others
 * are not in the order of their numbers. */
static bool remove_gaps(struct listing *l, size_t n)
{
	struct documents *d = l->d;

	for (size_t i = 0; i < n; i++) {
		l->gone += d->kinds[i] == GONE;
		l->damaged |= d->kinds[i] == DAMAGED;
		if (d->kinds[i] >= NOTHING)
			continue;
		if (d->n && d->numbers[d->n - 1] > d->numbers[i])
			return false;
		l->places[d->n] = (uint32_t)i;
		d->family[i] = family_of(l, i);
		copy_document(d, d->n++, i);
	}
	return true;
}

/* List the documents of C. Return false if its places are not in the order of
 * their numbers. */
static bool list_places(struct documents *d, struct cache *c)
{
	const size_t n = view_places(c), room = n + 1;
	struct listing l = {.d = d, .c = c};
	struct parallel threads;
	bool sorted;

	documents_release(d);
	d->numbers = mem_resize(NULL, room, sizeof(*d->numbers));
	d->lengths = mem_resize(NULL, room, sizeof(*d->lengths));
	d->traits = mem_resize(NULL, room, sizeof(*d->traits));
	d->kinds = mem_resize(NULL, room, sizeof(*d->kinds));
	d->marked = mem_resize(NULL, room, sizeof(*d->marked));
	d->family = mem_resize(NULL, room, sizeof(*d->family));
	d->place = mem_resize(NULL, room, sizeof(*d->place));
	l.keys = mem_resize(NULL, room, sizeof(*l.keys));
	l.places = mem_resize(NULL, room, sizeof(*l.places));
	parallel_begin(&threads, read_heads, &l, n, LEAST);
	parallel_end(&threads);
	sorted = remove_gaps(&l, n);
	if (l.damaged)
		view_spoil(c);
	if (sorted && !l.damaged)
		view_put(c, l.places, d->n, l.gone);
	else
		free(l.places);
	free(l.keys);
	families_numbers_release(&l.families);
	return sorted;
}

void documents_list(struct documents *d, struct cache *c)
{
	if (list_places(d, c))
		return;
	/* New entries follow those of the catalog file: sort by number. */
	view_count(c);
	list_places(d, c);
}

void documents_leave_missing(struct documents *d)
{
	size_t n = 0;

	while (n < d->n && d->lengths[n] != DOCUMENTS_MISSING)
		n++;
	for (size_t i = n; i < d->n; i++) {
		if (d->lengths[i] != DOCUMENTS_MISSING)
			copy_document(d, n++, i);
	}
	d->n = n;
}

const char *documents_words(const struct view_doc *d, struct buf *room,
			    size_t *len)
{
	*len = d->len;
	if (d->kind != VIEW_ARTICLE)
		return d->text;
	buf_cut(room, 0);
	markdown_words(room, d->text, d->len);
	*len = room->len;
	return buf_str(room);
}

void documents_release(struct documents *d)
{
	free(d->numbers);
	free(d->lengths);
	free(d->traits);
	free(d->kinds);
	free(d->marked);
	free(d->family);
	free(d->place);
	*d = (struct documents){0};
}
