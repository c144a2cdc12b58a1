/* conversation-search.c: the wanted turns are one corpus. Their numbers are
 * consecutive except where turns of other conversations lie between them, so a few
 * ranges list them.
 */
#include "conversation/conversation-index.h"

#include "base/utf8.h"
#include "rank/rank.h"
#include "store/display.h"
#include "text/sanitize.h"

#define LINE_MAX_SHOWN ((size_t)400) /* bytes of a line */
#define MORE 4 /* hits asked for each wanted: some are next to another */
/* Limits of conversation_mentions(), so that it takes about a millisecond. */
#define MENTION_TERMS 4
#define MENTION_TURNS 512	     /* read of each term */
#define MENTION_LOOKS 8		     /* at texts of turns */
#define MENTION_BYTES ((size_t)4096) /* of each */

/* Turns of one conversation with consecutive numbers. */
struct part {
	uint32_t first, n;
	uint32_t begin; /* the first one's position in the corpus */
	const struct conversation_entry *entry;
};

struct turns {
	struct conversation_index *ix;
	struct corpus corpus;
	struct part *parts; /* by number */
	size_t nparts, cap;
	uint32_t *lengths;
	uint8_t *traits;

	struct corpus_list found; /* the postings of the last term */
	size_t at;		  /* the part being filled */

	/* The last document. */
	struct buf row;
};

static int by_number(const void *x, const void *y)
{
	const struct part *a = x, *b = y;

	return (a->first > b->first) - (a->first < b->first);
}

static void list_parts(struct turns *t)
{
	for (size_t i = 0; i < t->ix->n; i++) {
		const struct conversation_entry *entry = &t->ix->entries[i];

		for (size_t k = 0; entry->wanted && k < entry->nranges; k++) {
			*MEM_ADD(t->parts, t->nparts, t->cap) =
				(struct part){entry->ranges[k].first,
					      entry->ranges[k].n, 0, entry};
		}
	}
	MEM_SORT(t->parts, t->nparts, by_number);
}

/* Fill the arrays of the corpus. Return 0, or -1 if the index is damaged. */
static int fill_corpus(struct turns *t, struct err *e)
{
	const struct fts_lengths *l = fts_lengths(t->ix->db);
	size_t n = 0;

	for (size_t i = 0; i < t->nparts; i++) {
		t->parts[i].begin = (uint32_t)n;
		n += t->parts[i].n;
	}
	t->lengths = mem_resize(NULL, n + 1, sizeof(*t->lengths));
	t->traits = mem_resize(NULL, n + 1, sizeof(*t->traits));
	for (size_t i = 0; i < t->nparts; i++) {
		const struct part *p = &t->parts[i];

		for (uint32_t k = 0; k < p->n; k++) {
			const size_t at = (size_t)p->first - 1 + k;

			if (at >= l->n || l->items[at].number != p->first + k)
				return err_set(e, ERR_DATA,
					       "the index of conversations is "
					       "damaged");
			t->lengths[p->begin + k] = l->items[at].terms;
			t->traits[p->begin + k] = (uint8_t)l->items[at].traits;
		}
	}
	t->corpus.n = (uint32_t)n;
	t->corpus.length = t->lengths;
	t->corpus.traits = t->traits;
	return 0;
}

static void receive_posting(void *ctx, uint32_t number, uint32_t text,
			    uint32_t meta)
{
	struct turns *t = ctx;
	const struct part *p;

	(void)meta;
	while (t->at < t->nparts &&
	       number >= t->parts[t->at].first + t->parts[t->at].n)
		t->at++;
	if (t->at == t->nparts || number < t->parts[t->at].first || !text)
		return;
	p = &t->parts[t->at];
	corpus_add(&t->found, p->begin + (number - p->first),
		   text == FTS_IN_URL ? 0 : text);
}

static int get_postings(void *ctx, enum rank_field field, const char *term,
			size_t len, const struct posting **out, size_t *n,
			struct err *e)
{
	struct turns *t = ctx;

	t->found.n = t->at = 0;
	if (field == RANK_TEXT &&
	    fts_postings(t->ix->db, term, len, receive_posting, t, e) < 0)
		return -1;
	*out = t->found.items;
	*n = t->found.n;
	return 0;
}

/* Return the part that has the document DOC. */
static const struct part *part_of(const struct turns *t, uint32_t doc)
{
	size_t low = 0, high = t->nparts;

	while (high - low > 1) {
		const size_t middle = low + (high - low) / 2;

		if (t->parts[middle].begin <= doc)
			low = middle;
		else
			high = middle;
	}
	return &t->parts[low];
}

static uint32_t number_of(const struct part *p, uint32_t doc)
{
	return p->first + (doc - p->begin);
}

static int get_doc(void *ctx, uint32_t doc, struct rank_doc *out, struct err *e)
{
	struct turns *t = ctx;
	const struct part *p = part_of(t, doc);
	const struct session *s = &p->entry->c.session;
	struct conversation_stored turn = {.text = ""};

	if (conversation_index_turn(t->ix, number_of(p, doc), &t->row, &turn,
				    e) < 0)
		return -1;
	*out = (struct rank_doc){.created = turn.has_at ? turn.at : s->end,
				 .source = transcript_format_name(s->agent),
				 .text = turn.text,
				 .text_len = turn.len};
	return 0;
}

static void get_date(void *ctx, uint32_t doc, struct instant *created,
		     int64_t *id)
{
	struct turns *t = ctx;

	*created = part_of(t, doc)->entry->c.session.end;
	*id = -(int64_t)doc;
}

static void release_turns(struct turns *t)
{
	free(t->parts);
	free(t->lengths);
	free(t->traits);
	free(t->found.items);
	buf_release(&t->row);
}

/* Return how many different words of Q the line P has. */
static size_t count_words(const char *p, size_t len, const struct query *q)
{
	struct spans found = {0};
	size_t n;

	rank_snippet_spans(&found, p, len, q);
	n = found.n;
	free(found.items);
	return n;
}

/* A line of a turn. */
struct line {
	const char *p;
	size_t len;
};

/* Return the line of the LEN bytes of P that begins at *AT; advance *AT. */
static struct line next_line(const char *p, size_t len, size_t *at)
{
	const char *end = memchr(p + *at, '\n', len - *at);
	const struct line line = {p + *at,
				  end ? (size_t)(end - p) - *at : len - *at};

	*at += line.len + 1;
	return line;
}

/* Return the offset of the line of the LEN bytes of P with most words of Q. */
static size_t best_line(const char *p, size_t len, const struct query *q)
{
	size_t best = 0, most = 0;

	for (size_t at = 0; at < len;) {
		const size_t from = at;
		const struct line line = next_line(p, len, &at);
		const size_t n = count_words(line.p, line.len, q);

		if (n > most) {
			most = n;
			best = from;
		}
	}
	return best;
}

static void add_line(struct buf *out, const char *role, struct line line)
{
	const size_t len = utf8_cut(line.p, line.len, LINE_MAX_SHOWN);

	if (out->len)
		buf_addc(out, '\n');
	if (role)
		buf_addf(out, "%s: ", role);
	buf_add(out, line.p, len);
	if (len < line.len)
		buf_adds(out, "...");
}

/* Return the offset of the line that begins N lines before the offset AT of P,
 * and set *LEFT to how many lines are missing. */
static size_t lines_before(const char *p, size_t at, size_t n, size_t *left)
{
	*left = n;
	while (*left && at) {
		at--;
		while (at && p[at - 1] != '\n')
			at--;
		(*left)--;
	}
	return at;
}

/* Return the number of the stored turn of ENTRY before NUMBER, or after it; 0 if
 * there is none. */
static uint32_t next_to(const struct conversation_entry *entry, uint32_t number,
			bool before)
{
	const struct conversation_range *g = entry->ranges,
					*end = g + entry->nranges;

	while (g < end && (number < g->first || number - g->first >= g->n))
		g++;
	if (g == end)
		return 0;
	if (before && number == g->first)
		return g == entry->ranges ? 0 : g[-1].first + g[-1].n - 1;
	if (!before && number == g->first + g->n - 1)
		return g + 1 == end ? 0 : g[1].first;
	return before ? number - 1 : number + 1;
}

/* Return the name of the speaker: ROLE, or "command" for what a tool ran. */
static const char *speaker_of(bool command, const char *role)
{
	return command ? "command" : role ? role : "unknown";
}

/* Append the last N lines of the turn of P's conversation before NUMBER, or the
 * first N of that after it. */
static int add_neighbour(struct turns *t, const struct part *p, uint32_t number,
			 size_t n, bool before, struct buf *out, struct err *e)
{
	struct conversation_stored turn;
	struct buf room = {0};
	size_t at = 0, left;
	int r = 0;

	number = n ? next_to(p->entry, number, before) : 0;
	if (number)
		r = conversation_index_turn(t->ix, number, &room, &turn, e);
	if (r == 1) {
		if (before)
			at = lines_before(turn.text, turn.len + 1, n, &left);
		for (size_t i = 0; i < n && at < turn.len; i++)
			add_line(out, speaker_of(turn.command, turn.role),
				 next_line(turn.text, turn.len, &at));
	}
	buf_release(&room);
	return r < 0 ? -1 : 0;
}

/* Append to OUT the best line of TURN, number NUMBER of P, and those around. */
static int add_lines(struct turns *t, const struct part *p, uint32_t number,
		     const struct conversation_stored *turn,
		     const struct query *q, struct buf *out, struct err *e)
{
	const size_t best = best_line(turn->text, turn->len, q);
	size_t left,
		after = 0,
		at = lines_before(turn->text, best, CONVERSATION_LINES, &left);

	if (add_neighbour(t, p, number, left, true, out, e) < 0)
		return -1;
	while (at < turn->len && after <= CONVERSATION_LINES) {
		after += at >= best;
		add_line(out, NULL, next_line(turn->text, turn->len, &at));
	}
	left = CONVERSATION_LINES + 1 - after;
	return add_neighbour(t, p, number, left, false, out, e);
}

/* Fill HIT from RANKED. Return 1, 0 if its turn is gone, or -1. */
static int fill_hit(struct turns *t, const struct rank_hit *ranked,
		    const struct query *q, struct arena *a,
		    struct conversation_hit *hit, struct err *e)
{
	const struct part *p = part_of(t, ranked->doc);
	const uint32_t number = number_of(p, ranked->doc);
	struct buf lines = {0};
	struct snippet snippet;
	struct conversation_stored turn;
	char at[INSTANT_TEXT];
	int r = conversation_index_turn(t->ix, number, &t->row, &turn, e);

	if (r <= 0)
		return r;
	*hit = (struct conversation_hit){
		.c = &p->entry->c,
		.turn = turn.turn,
		.role = turn.role,
		.command = turn.command,
		.when = turn.has_at ? turn.at : p->entry->c.session.end,
		.score = ranked->score,
		.coverage = ranked->coverage,
		.partial = ranked->partial,
	};
	if (turn.has_at)
		hit->at = arena_strdup(a, instant_format(turn.at, at));
	snippet = rank_snippet(turn.text, turn.len, q, a);
	hit->snippet = snippet.text;
	hit->matches = snippet.matches;
	if (add_lines(t, p, number, &turn, q, &lines, e) < 0)
		r = -1;
	hit->lines = arena_copy(a, buf_str(&lines), lines.len);
	hit->lines_len = lines.len;
	buf_release(&lines);
	return r;
}

/* Return true if OUT has TURN of P's conversation, or a turn next to it. */
static bool is_near(const struct conversation_answer *out, const struct part *p,
		    size_t turn)
{
	for (size_t i = 0; i < out->n; i++) {
		const struct conversation_hit *hit = &out->hits[i];

		if (hit->c == &p->entry->c && hit->turn + 1 >= turn &&
		    hit->turn <= turn + 1)
			return true;
	}
	return false;
}

static int select_hits(struct turns *t, const struct rank_result *ranked,
		       const struct query *q, size_t max, struct arena *a,
		       struct conversation_answer *out, struct err *e)
{
	out->hits = arena_alloc(a, (ranked->n + 1) * sizeof(*out->hits));
	for (size_t i = 0; i < ranked->n && out->n < max; i++) {
		const struct part *p = part_of(t, ranked->hits[i].doc);
		struct conversation_hit hit;
		const int r = fill_hit(t, &ranked->hits[i], q, a, &hit, e);

		if (r < 0)
			return -1;
		if (r && !is_near(out, p, hit.turn))
			out->hits[out->n++] = hit;
	}
	out->whole = ranked->nwhole;
	out->partial = ranked->npartial;
	return 0;
}

int conversation_search(struct conversation_index *ix, const char *query,
			size_t max, struct arena *a,
			struct conversation_answer *out, struct err *e)
{
	struct turns t = {.ix = ix};
	struct rank_result ranked;
	struct query q;
	const struct rank_ask ask = {
		.query = &q, .max = max < SIZE_MAX / MORE ? max * MORE : max};
	int r;

	*out = (struct conversation_answer){.n = 0};
	query_parse(&q, query, strlen(query), a);
	if (q.fault)
		return err_set(e, ERR_USAGE, "%s", q.fault);
	t.corpus.ctx = &t;
	t.corpus.postings = get_postings;
	t.corpus.doc = get_doc;
	t.corpus.date = get_date;
	list_parts(&t);
	r = fill_corpus(&t, e);
	if (!r)
		r = rank(&t.corpus, &ask, a, &ranked, e);
	if (!r)
		r = select_hits(&t, &ranked, &q, max, a, out, e);
	release_turns(&t);
	return r;
}

/* A range of turns of this project. */
struct mention_part {
	struct conversation_range range;
	uint32_t entry;
};

/* The turns that have a term: the first MENTION_TURNS of them. */
struct mention_list {
	uint32_t numbers[MENTION_TURNS];
	size_t n;
	bool cut; /* there are more */
};

struct mentions {
	struct conversation_index ix;
	struct listing_dirs dirs;
	struct mention_part *parts;
	size_t nparts, cap;
	struct query_term terms[MENTION_TERMS];
	struct mention_list lists[MENTION_TERMS];
	size_t nterms, looks;
	uint32_t found[CONVERSATION_MENTIONS_MAX]; /* conversations */
	size_t n;
};

static void add_part(void *ctx, uint32_t entry, const char *project,
		     const struct conversation_range *range)
{
	struct mentions *m = ctx;
	const struct session s = {.project = project};

	if (!listing_is_ours(&s, &m->dirs))
		return;
	*MEM_ADD(m->parts, m->nparts, m->cap) =
		(struct mention_part){*range, entry};
}

static int by_first(const void *x, const void *y)
{
	const struct mention_part *a = x, *b = y;

	return (a->range.first > b->range.first) -
	       (a->range.first < b->range.first);
}

static void note_number(void *ctx, uint32_t number, uint32_t text,
			uint32_t meta)
{
	struct mention_list *l = ctx;

	(void)text;
	(void)meta;
	l->numbers[l->n++] = number;
}

static bool was_found(const struct mentions *m, uint32_t entry)
{
	for (size_t i = 0; i < m->n; i++) {
		if (m->found[i] == entry)
			return true;
	}
	return false;
}

/* Return the part that has the turn NUMBER, or NULL. */
static const struct mention_part *find_part(const struct mentions *m,
					    uint32_t number)
{
	size_t low = 0, high = m->nparts;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct conversation_range *g = &m->parts[middle].range;

		if (number < g->first)
			high = middle;
		else if (number - g->first >= g->n)
			low = middle + 1;
		else
			return &m->parts[middle];
	}
	return NULL;
}

static int by_value(const void *x, const void *y)
{
	const uint32_t *a = x, *b = y;

	return (*a > *b) - (*a < *b);
}

/* The terms that a text has, as bits. */
struct held {
	const struct mentions *m;
	unsigned bits;
};

static int note_term(void *ctx, const struct term *t)
{
	struct held *h = ctx;

	for (size_t i = 0; i < h->m->nterms; i++) {
		if (h->m->terms[i].len == t->len &&
		    !memcmp(h->m->terms[i].p, t->p, t->len))
			h->bits |= 1u << i;
	}
	return 0;
}

/* Return true if the beginning of the turn NUMBER has all terms. */
static bool has_all(struct mentions *m, uint32_t number)
{
	struct terms terms = {.index = true};
	struct held held = {.m = m};
	struct conversation_stored turn;
	struct buf room = {0};

	m->looks++;
	if (conversation_index_turn(&m->ix, number, &room, &turn, NULL) == 1)
		terms_each(&terms, turn.text,
			   turn.len < MENTION_BYTES ? turn.len : MENTION_BYTES,
			   note_term, &held);
	buf_release(&room);
	terms_release(&terms);
	return held.bits + 1 == 1u << m->nterms;
}

/* Return true if the turn NUMBER has all terms. Read its text only if a list was
 * cut before NUMBER. */
static bool is_mention(struct mentions *m, uint32_t number)
{
	bool known = true;

	for (size_t i = 0; i < m->nterms; i++) {
		const struct mention_list *l = &m->lists[i];

		if (l->cut && number > l->numbers[l->n - 1])
			known = false;
		else if (!bsearch(&number, l->numbers, l->n,
				  sizeof(*l->numbers), by_value))
			return false;
	}
	return known || has_all(m, number);
}

/* Count the conversations among the turns of the term that has the fewest. */
static void count_mentions(struct mentions *m)
{
	const struct mention_list *rare = m->lists;

	for (size_t i = 0; i < m->nterms; i++) {
		struct mention_list *l = &m->lists[i];
		const int r = fts_postings_first(m->ix.db, m->terms[i].p,
						 m->terms[i].len, MENTION_TURNS,
						 note_number, l, NULL);

		if (r < 0 || (!r && !l->n))
			return;
		l->cut = r;
		if (l->n < rare->n)
			rare = l;
	}
	for (size_t i = 0; i < rare->n && m->looks < MENTION_LOOKS &&
			   m->n < CONVERSATION_MENTIONS_MAX;
	     i++) {
		const struct mention_part *p = find_part(m, rare->numbers[i]);

		if (p && !was_found(m, p->entry) &&
		    is_mention(m, rare->numbers[i]))
			m->found[m->n++] = p->entry;
	}
}

size_t conversation_mentions(const char *query, bool *indexed)
{
	struct mentions *m = mem_alloc(sizeof(*m));
	struct arena a = {0};
	struct query q;
	size_t n = 0;

	*indexed = conversation_index_look(&m->ix);
	if (!*indexed) {
		free(m);
		return 0;
	}
	query_parse(&q, query, strlen(query), &a);
	for (size_t i = 0; i < q.nterms && m->nterms < MENTION_TERMS; i++) {
		if (!q.terms[i].whole)
			m->terms[m->nterms++] = q.terms[i];
	}
	if (m->nterms && listing_dirs(&m->dirs, NULL, &a, NULL) == 0 &&
	    conversation_index_ranges(&m->ix, add_part, m, NULL) == 0 &&
	    m->nparts) {
		qsort(m->parts, m->nparts, sizeof(*m->parts), by_first);
		count_mentions(m);
		n = m->n;
	}
	free(m->parts);
	conversation_index_close(&m->ix);
	arena_release(&a);
	free(m);
	return n;
}

/* Return HIT as a record, with strings in A. */
static struct record make_record(const struct conversation_hit *hit,
				 struct arena *a)
{
	const struct session *s = &hit->c->session;
	const char *agent = transcript_format_name(s->agent);
	char at[INSTANT_TEXT];

	return (struct record){
		.kind = RECORD_CONVERSATION,
		.path = s->path,
		.created = arena_strdup(a, instant_format(hit->when, at)),
		.at = hit->when,
		.title = arena_printf(a, "%s, %s", agent,
				      speaker_of(hit->command, hit->role)),
		.source = arena_printf(a, "%s/%s, turn %zu", agent,
				       s->id ? s->id : "-", hit->turn),
		.content = hit->lines,
		.content_len = hit->lines_len,
		.partial = hit->partial,
	};
}

void conversation_hit_text(struct buf *out, const struct conversation_hit *hit,
			   const struct coloring *colors)
{
	struct arena a = {0};
	const struct record r = make_record(hit, &a);
	const char *resume = conversation_resume(&hit->c->session, &a);

	display_memory(out, &r, colors);
	if (resume) {
		buf_cut(out, out->len - 1);
		buf_adds(out, "Resume: ");
		sanitize_line(out, resume, strlen(resume));
		buf_adds(out, "\n\n");
	}
	arena_release(&a);
}

void conversation_hit_json(struct buf *out, const struct conversation_hit *hit)
{
	const struct session *s = &hit->c->session;
	struct arena a = {0};
	const struct record r = make_record(hit, &a);

	json_write_open(out, NULL, '{');
	json_write_text(out, "kind", record_kind_name(r.kind));
	json_write_text(out, "agent", transcript_format_name(s->agent));
	json_write_text(out, "session", s->id);
	json_write_text(out, "directory", s->project);
	json_write_text(out, "at", hit->at);
	json_write_text(out, "role", hit->role);
	json_write_size(out, "turn", hit->turn);
	json_write_text(out, "path", s->path);
	json_write_text(out, "created", r.created);
	json_write_text(out, "title", r.title);
	json_write_text(out, "source", r.source);
	json_write_bytes(out, "content", r.content, r.content_len);
	json_write_text(out, "resume", conversation_resume(s, &a));
	json_write_raw(out, "marks", "[\"external\"]");
	json_write_key(out, "score");
	buf_addf(out, "%.4f", (double)hit->score);
	json_write_key(out, "coverage");
	buf_addf(out, "%.4f", (double)hit->coverage);
	json_write_text(out, "snippet", hit->snippet);
	json_write_raw(out, "matches", *hit->matches ? hit->matches : "[]");
	if (hit->partial)
		json_write_bool(out, "partial", true);
	json_write_end(out);
	arena_release(&a);
}
