/* branch.c: read a record from its end, and follow the links.
 *
 * The last line is on the branch, and so is each line that the next one on the
 * branch names as its parent. Other lines wait. If a user's prompt is met among
 * them, it was taken back, and is dropped with the waiting lines. If a line on
 * the branch is met first, they stay: answers of parallel tools and regenerated
 * replies are off the branch, too. A first line (without a parent) stays if no
 * line waits and the branch is complete, since not every writer links its
 * records.
 */
#include "turns/branch.h"

#include "base/mem.h"
#include "turns/backward.h"

#define ID_MAX PLACE_STATE
#define LINE_MAX_HELD ((size_t)8 * 1024 * 1024)

/* A member of the object in a line: its key, and its value as written. */
struct member {
	const char *key, *value;
	size_t key_len, len;
};

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && strchr(" \t\r\n", *p))
		p++;
	return p;
}

/* Return the end of the string that opens at P. */
static const char *skip_string(const char *p, const char *end)
{
	for (p++; p < end; p++) {
		const char *quote = memchr(p, '"', (size_t)(end - p));
		size_t back = 0;

		if (!quote)
			return end;
		while (quote[-1 - (ptrdiff_t)back] == '\\')
			back++;
		p = quote;
		if (back % 2 == 0)
			return quote + 1;
	}
	return end;
}

/* Return the end of the value at P. */
static const char *skip_value(const char *p, const char *end)
{
	size_t depth = 0;

	while (p < end) {
		if (*p == '"') {
			p = skip_string(p, end);
			if (!depth)
				return p;
			continue;
		}
		if (!depth && (*p == ',' || *p == '}' || *p == ']'))
			return p;
		depth += *p == '{' || *p == '[';
		depth -= *p == '}' || *p == ']';
		p++;
		if (!depth && (p[-1] == '}' || p[-1] == ']'))
			return p;
	}
	return end;
}

/* Set *M to the member at *AT, which begins after the brace, and advance *AT.
 * Return false at the end. */
static bool next_member(const char **at, const char *end, struct member *m)
{
	const char *p = skip_blanks(*at, end);

	if (p < end && *p == ',')
		p = skip_blanks(p + 1, end);
	if (p >= end || *p != '"')
		return false;
	m->key = p + 1;
	p = skip_string(p, end);
	m->key_len = (size_t)(p - m->key) - 1;
	p = skip_blanks(p, end);
	if (p >= end || *p != ':')
		return false;
	p = skip_blanks(p + 1, end);
	m->value = p;
	p = skip_value(p, end);
	m->len = (size_t)(p - m->value);
	*at = p;
	return true;
}

static bool is_key(const struct member *m, const char *key)
{
	return key && m->key_len == strlen(key) &&
	       !memcmp(m->key, key, m->key_len);
}

/* The links of a line; "" for none. */
struct link {
	char id[ID_MAX], parent[ID_MAX], instead[ID_MAX];
	bool has_parent; /* even if it is null */
};

static void copy_id(char to[ID_MAX], const struct member *m)
{
	const size_t len = m->len < 2 || *m->value != '"' ? 0 : m->len - 2;

	if (!len || len >= ID_MAX)
		return;
	memcpy(to, m->value + 1, len);
	to[len] = '\0';
}

static void read_link(struct link *l, const char *p, size_t len,
		      const struct branch_links *links)
{
	const char *end = p + len, *at;
	struct member m;

	*l = (struct link){0};
	at = skip_blanks(p, end);
	if (at == end || *at++ != '{')
		return;
	while (next_member(&at, end, &m)) {
		if (is_key(&m, links->id))
			copy_id(l->id, &m);
		else if (is_key(&m, links->instead))
			copy_id(l->instead, &m);
		else if (is_key(&m, links->parent)) {
			l->has_parent = true;
			copy_id(l->parent, &m);
		}
	}
}

/* Count one more line, which stays. */
static void add_line(struct branch *b)
{
	const size_t had = b->cap;

	if (b->n / 8 == b->cap) {
		b->bits = mem_grow(b->bits, b->n / 8, &b->cap, 1);
		memset(b->bits + had, 0, b->cap - had);
	}
	b->n++;
}

/* Drop the lines from FROM to the current one, the last of B. */
static void drop_from(struct branch *b, size_t from)
{
	for (; from < b->n; from++)
		b->bits[from / 8] |= (uint8_t)(1U << from % 8);
}

static void keep_from(struct branch *b, size_t from)
{
	for (; from < b->n; from++)
		b->bits[from / 8] &= (uint8_t) ~(1U << from % 8);
}

struct branch_search {
	struct branch *b;
	const struct branch_links *links;
	bool begun;	   /* a last line was found */
	char last[ID_MAX]; /* its id */
	char want[ID_MAX]; /* the id of the next line on the branch; "": none is
			    * left */
	size_t wanted_at;  /* number of lines when it became known */
	size_t waiting;	   /* the first waiting line plus 1; 0: none waits */
};

/* Record that the current line, with the links L, is on the branch. */
static void set_on_branch(struct branch_search *s, const struct link *l)
{
	if (!s->begun)
		memcpy(s->last, l->id, ID_MAX);
	s->begun = true;
	s->waiting = 0;
	s->wanted_at = s->b->n;
	memcpy(s->want, *l->parent ? l->parent : l->instead, ID_MAX);
}

static void judge_line(struct branch_search *s, const struct link *l,
		       const char *p, size_t len)
{
	const bool first = l->has_parent && !*l->parent;

	if (!*l->id || !l->has_parent)
		return;
	if (!s->begun || (*s->want && !strcmp(l->id, s->want))) {
		set_on_branch(s, l);
		return;
	}
	if (first && !s->waiting && !*s->want)
		return;
	if (!s->waiting)
		s->waiting = s->b->n;
	if (!s->links->person(p, len))
		return;
	drop_from(s->b, s->waiting - 1);
	s->waiting = first ? 0 : s->waiting;
}

/* Return 1 if the lines of S do not follow PLACE, else 0. Set its state. The
 * last line at PLACE was on the branch. If the new lines lead to it, all lines
 * before it are judged as they were then. */
static int continue_place(const struct branch_search *s,
			  struct transcript_place *place)
{
	const bool follows = !place->offset || !s->begun ||
			     (*s->want && !strcmp(s->want, place->state));

	if (s->begun)
		memcpy(place->state, s->last, ID_MAX);
	return follows ? 0 : 1;
}

int branch_find(struct branch *b, int fd, const char *path,
		const struct branch_links *links,
		struct transcript_place *place, struct err *e)
{
	const off_t from = place ? (off_t)place->offset : 0;
	struct backward lines = {
		.fd = fd, .path = path, .max = LINE_MAX_HELD, .from = from};
	struct branch_search s = {.b = b, .links = links};
	struct link l;
	const char *p;
	size_t len;
	int r;

	while ((r = backward_next(&lines, &p, &len, e)) > 0) {
		add_line(b);
		read_link(&l, p, len, links);
		judge_line(&s, &l, p, len);
	}
	/* The next line is missing: all lines before its child may be on the
	 * branch. */
	if (!r && *s.want && !from)
		keep_from(b, s.wanted_at);
	backward_release(&lines);
	return r || !place ? r : continue_place(&s, place);
}

int branch_find_counted(struct branch *b, int fd, const char *path,
			size_t (*turns)(const char *p, size_t len),
			bool (*person)(const char *p, size_t len),
			struct err *e)
{
	struct backward lines = {.fd = fd, .path = path, .max = LINE_MAX_HELD};
	size_t back = 0, len;
	const char *p;
	int r;

	while ((r = backward_next(&lines, &p, &len, e)) > 0) {
		const size_t more = turns(p, len);

		add_line(b);
		if (back)
			drop_from(b, b->n - 1);
		if (more)
			back = more > SIZE_MAX - back ? SIZE_MAX : back + more;
		else if (back && person(p, len))
			back--;
	}
	backward_release(&lines);
	return r;
}

bool branch_drops(const struct branch *b, size_t line)
{
	const size_t i = b->n - 1 - line;

	return line < b->n && (b->bits[i / 8] >> i % 8 & 1);
}

void branch_release(struct branch *b)
{
	free(b->bits);
	*b = (struct branch){0};
}
