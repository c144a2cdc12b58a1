/* review.c: only paths are kept for the drafts to come. A draft is read when it
 * becomes the current one, and a decision applies to the text read then.
 */
#include "review/review.h"

#include "article/article.h"
#include "base/date.h"
#include "base/sha256.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "harvest/items.h"
#include "repo/marks.h"
#include "search/cited.h"
#include "store/display.h"
#include "store/ids.h"
#include "store/journal.h"
#include "store/save.h"
#include "store/trash.h"
#include "sys/git.h"
#include "sys/terminal.h"
#include "text/diff.h"
#include "text/sanitize.h"

#include <unistd.h>

static int add_path(void *ctx, const struct layout_file *f, struct err *e)
{
	struct review *v = ctx;

	(void)e;
	*MEM_ADD(v->paths, v->n, v->cap) = arena_strdup(&v->names, f->path);
	return 0;
}

static int by_id(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;
	const int64_t m = ids_of_name(strrchr(*x, '/') + 1);
	const int64_t n = ids_of_name(strrchr(*y, '/') + 1);

	return m != n ? (m < n ? -1 : 1) : strcmp(*x, *y);
}

int review_begin(struct review *v, struct store *s, const char *const *paths,
		 size_t n, struct err *e)
{
	struct layout_file f = {0};

	*v = (struct review){.s = s};
	for (size_t i = 0; paths && i < n; i++) {
		f.path = paths[i];
		add_path(v, &f, e);
	}
	if (!paths && layout_walk(&s->repo, AREA_DRAFTS, add_path, v, e) < 0)
		return -1;
	MEM_SORT(v->paths, v->n, by_id);
	return 0;
}

static void release_done(struct review_done *done)
{
	buf_release(&done->text);
	buf_release(&done->was);
}

void review_release(struct review *v)
{
	for (size_t i = 0; i < v->ndone; i++)
		release_done(&v->done[i]);
	free(v->done);
	similar_free(v->similar);
	free(v->paths);
	buf_release(&v->text);
	arena_release(&v->arena);
	arena_release(&v->names);
}

/* Read the file at PATH of the store into TEXT. Return as layout_read(). */
static int read_file(struct store *s, const char *path, struct buf *text,
		     struct err *e)
{
	struct arena a = {0};
	struct layout_place p;
	const int r = layout_read(&s->repo, path, &a, &p, text, e);

	arena_release(&a);
	return r;
}

int review_again(struct review *v, struct err *e)
{
	const int r = read_file(v->s, v->path, &v->text, e);

	arena_reset(&v->arena);
	if (r == 1)
		v->broken =
			record_read(&v->record, buf_str(&v->text), v->text.len,
				    v->path, v->s->repo.root.scope, &v->arena,
				    &v->fault) < 0;
	return r;
}

int review_back(struct review *v, struct err *e)
{
	const size_t here = v->next;
	int r = 0;

	while (!r && v->next > 1) {
		v->path = v->paths[--v->next - 1];
		r = review_again(v, e);
	}
	if (r)
		return r;
	v->next = here;
	v->path = v->paths[here - 1];
	r = review_again(v, e);
	return r < 0 ? -1 : 0;
}

int review_next(struct review *v, struct err *e)
{
	int r = 0;

	while (!r && v->next < v->n) {
		v->path = v->paths[v->next++];
		r = review_again(v, e);
	}
	return r;
}

/* Append P on one line, safe for a terminal, and a newline. */
static void add_line(struct buf *out, const char *p, size_t len)
{
	sanitize_terminal(out, p, len, false);
	buf_addc(out, '\n');
}

/* Append NAME, then P, made safe and coloured as COLOR. */
static void add_field(struct buf *out, const char *name, const char *p,
		      const struct coloring *c, enum color color)
{
	struct buf safe = {0};

	buf_adds(out, name);
	sanitize_terminal(&safe, p, strlen(p), false);
	color_add(out, c, color, buf_str(&safe), safe.len);
	buf_release(&safe);
}

static void show_fields(struct buf *out, const struct review *v,
			const struct coloring *c)
{
	const struct record *r = &v->record;
	const char *after =
		v->due ? value_text(r->frontmatter, "review-after") : NULL;
	const struct value *read = value_get(r->frontmatter, "read"), *item;
	char created[DATE_CLOCK];

	add_field(out, "source:   ", r->source ? r->source : "-", c,
		  COLOR_PATH);
	add_field(out, "\ncreated:  ", date_clock(r->at, created), c,
		  COLOR_DATE);
	for (size_t i = 0;
	     (item = value_item(read, i)) && item->kind == VALUE_STR; i++)
		add_field(out, i ? ", " : "\nread:     ", item->u.s.p, c,
			  COLOR_PATH);
	if (after)
		add_field(out, "\ndue:      ", after, c, COLOR_DATE);
	for (size_t i = 0; i < r->ntags; i++)
		add_field(out, i ? ", " : "\ntags:     ", r->tags[i], c,
			  COLOR_TAG);
	buf_adds(out, r->ntags ? "\n" : "\ntags:     -\n");
	if (r->worktree) {
		buf_adds(out, "worktree: ");
		add_line(out, r->worktree, strlen(r->worktree));
	}
}

/* Append TEXT, which is safe for a terminal, with MARK before each line. */
static void add_marked(struct buf *out, char mark, const struct buf *text)
{
	const char *line;
	size_t at = 0, len;

	while (buf_next_line(text, &at, &line, &len)) {
		buf_addc(out, mark);
		buf_adds(out, len ? " " : "");
		buf_add(out, line, len);
		buf_addc(out, '\n');
	}
}

/* Where to print citations. */
struct cite_output {
	struct buf *out;
	const struct coloring *c;
	const struct root *root; /* of the store */
};

/* Append the subject of the commit NAME, if the repository has it. */
static void add_subject(struct buf *out, const struct root *root,
			const char *name)
{
	char *dir = root_folder(root);
	struct buf commit = {0};
	const char *p = NULL;

	/* It runs no program, whatever the repository's settings say. */
	if (GIT_ASK(dir, &commit, NULL, "cat-file", "commit", name) == 0)
		p = strstr(buf_str(&commit), "\n\n");
	if (p)
		buf_addf(out, " %.*s", (int)strcspn(p + 2, "\n"), p + 2);
	buf_release(&commit);
	free(dir);
}

static void show_cited(void *ctx, const struct cited *one)
{
	const struct cite_output *t = ctx;
	struct buf text = {0};

	citation_add_place(&text, one->c);
	if (one->c->commit)
		add_subject(&text, t->root, one->c->path);
	if (one->state != EVIDENCE_SAME)
		buf_addf(&text, " (%s)", evidence_name(one->state));
	add_field(t->out, "cites:    ", text.p, t->c, COLOR_PATH);
	buf_addc(t->out, '\n');
	buf_release(&text);
}

/* Append the citations of the draft, each with its state. */
static void show_cites(struct buf *out, struct review *v,
		       const struct coloring *c)
{
	const struct evidence_limits limits = {CITED_HASHED, CITED_FILES};
	struct cite_output t = {out, c, &v->s->repo.root};
	struct evidence *ev = evidence_new(&v->s->repo, limits);

	cited_each(v->s, ev, &v->record, show_cited, &t, NULL, NULL);
	evidence_free(ev);
}

/* Append the differences between the text of OLD and the draft. */
static void show_changes(struct buf *out, const struct review *v,
			 const struct record *old, const struct coloring *c)
{
	struct buf was = {0}, now = {0}, diff = {0};

	sanitize_terminal(&was, old->content, old->content_len, true);
	sanitize_terminal(&now, v->record.content, v->record.content_len, true);
	diff_words(&diff, &was, &now, c);
	add_marked(out, '~', &diff);
	buf_release(&was);
	buf_release(&now);
	buf_release(&diff);
}

/* Append the memory WANTED, which the draft replaces. Return true if it exists; OLD
 * is set to it, allocated in v->arena. */
static bool show_replaced_memory(struct buf *out, struct review *v,
				 const struct drafts_old *wanted,
				 struct record *old, const struct coloring *c)
{
	const char *path;
	struct err e;
	int found = drafts_locate_old(v->s, wanted, &v->arena, &path, &e);

	if (found == 1)
		found = store_find(v->s, AREA_MEMORIES, path, &v->arena, old,
				   &e);
	buf_adds(out, "replaces: ");
	if (found == 1)
		display_mention(out, old, c);
	else if (found < 0)
		add_line(out, e.text, strlen(e.text));
	else
		buf_addf(out, "memory %lld, which is gone\n",
			 (long long)wanted->id);
	return found == 1;
}

/* Append the title of the article and the article it replaces. Return true if
 * there is one; OLD is set to it, allocated in v->arena. */
static bool show_article(struct buf *out, struct review *v, struct record *old,
			 const struct coloring *c)
{
	const char *title =
		value_text(v->record.frontmatter, ARTICLE_DRAFTS_KEY);
	const char *source = v->record.source ? v->record.source : "";
	struct err e;
	const int found = article_find(v->s, source, &v->arena, old, &e);

	buf_adds(out, "title:    ");
	title = title ? title : "its first heading";
	add_line(out, title, strlen(title));
	if (!found)
		return false;
	buf_adds(out, "replaces: ");
	if (found == 1)
		display_mention(out, old, c);
	else
		add_line(out, e.text, strlen(e.text));
	return found == 1;
}

/* Append everything that the draft replaces. Return true if that is exactly one
 * memory or article, and set OLD to it. */
static bool show_replaced(struct buf *out, struct review *v, struct record *old,
			  const struct coloring *c)
{
	const struct drafts_old *all;
	const size_t n =
		drafts_replaces(v->text.p, v->text.len, &v->arena, &all);
	bool there = false;

	if (article_drafts_is(&v->record))
		return show_article(out, v, old, c);
	for (size_t i = 0; i < n; i++)
		there = show_replaced_memory(out, v, &all[i], old, c);
	return n == 1 && there;
}

static void show_similar(struct buf *out, struct review *v,
			 const struct coloring *c)
{
	struct similar_hit hits[SIMILAR_SHOWN];

	if (!v->similar)
		v->similar = similar_new(v->s, NULL);
	if (v->similar)
		similar_show(out, hits,
			     similar_find(v->similar, &v->record, hits),
			     terminal_columns(STDOUT_FILENO), c);
}

static void show_text(struct buf *out, const char *p, size_t len)
{
	struct buf safe = {0};

	sanitize_terminal(&safe, p, len, true);
	add_marked(out, '|', &safe);
	buf_release(&safe);
}

void review_show(struct buf *out, struct review *v, const struct coloring *c)
{
	struct record old;

	buf_addf(out, "%s %zu of %zu: ", v->due ? "memory" : "draft", v->next,
		 v->n);
	add_field(out, "", strrchr(v->path, '/') + 1, c, COLOR_ID);
	if (!v->broken)
		marks_text(out, record_marks(&v->record) & ~MARK_DUE);
	buf_addc(out, '\n');
	if (v->broken) {
		buf_adds(out, "broken:   ");
		add_line(out, v->fault.text, strlen(v->fault.text));
		show_text(out, buf_str(&v->text), v->text.len);
		return;
	}
	show_fields(out, v, c);
	show_cites(out, v, c);
	if (show_replaced(out, v, &old, c))
		show_changes(out, v, &old, c);
	show_similar(out, v, c);
	show_text(out, v->record.content, v->record.content_len);
}

/* Record that AT was decided as WHAT in the current step and is now at PATH. */
static struct review_done *add_done(struct review *v, enum review_what what,
				    size_t at, const char *path)
{
	struct review_done *done = MEM_ADD(v->done, v->ndone, v->done_cap);

	v->counts[what]++;
	*done = (struct review_done){.what = what,
				     .at = at,
				     .step = v->steps,
				     .path = arena_strdup(&v->names, path)};
	return done;
}

int review_accept_draft(struct store *s, const char *path,
			const struct buf *was, struct arena *a,
			struct record *r, const char **replaced, struct err *e)
{
	static const struct drafts_kind *const kinds[] = {
		&item_drafts, &article_drafts, NULL};
	const int result = drafts_convert(s, path, was, kinds, a, r, e);

	*replaced = NULL;
	return result ? result : drafts_accept(s, path, was, a, r, replaced, e);
}

/* Accept the draft AT if its text is still WAS. */
static int accept_one(struct review *v, size_t at, const struct buf *was,
		      review_fn *fn, struct err *e)
{
	const char *path = v->paths[at], *replaced;
	struct review_done *done;
	struct arena a = {0};
	struct record r;
	int result = review_accept_draft(v->s, path, was, &a, &r, &replaced, e);

	if (result == 1) {
		/* It is now an item or an article, which undo cannot turn back
		 * into a draft. */
		if (v->similar)
			similar_move(v->similar, path, NULL, AREA_TRASH);
		v->counts[REVIEW_ACCEPTED]++;
		fn(&r, NULL, NULL);
		arena_release(&a);
		return 0;
	}
	if (!result) {
		if (v->similar)
			similar_move(v->similar, path, &r, AREA_MEMORIES);
		done = add_done(v, REVIEW_ACCEPTED, at, r.path);
		done->replaced = arena_strdup(&v->names, replaced);
		read_file(v->s, r.path, &done->text, NULL);
		fn(&r, replaced, NULL);
	} else {
		fn(NULL, NULL, e);
	}
	arena_release(&a);
	return result;
}

static bool has_tag(const struct record *r, const char *tag)
{
	for (size_t i = 0; i < r->ntags; i++) {
		if (!strcmp(r->tags[i], tag))
			return true;
	}
	return false;
}

/* Read draft I into TEXT. Return true if it belongs to the REST. */
static bool is_of_rest(struct review *v, const struct review_rest *rest,
		       size_t i, struct buf *text)
{
	struct arena a = {0};
	struct record r;
	bool is;

	is = !v->broken && read_file(v->s, v->paths[i], text, NULL) == 1 &&
	     record_read(&r, buf_str(text), text->len, v->paths[i],
			 v->s->repo.root.scope, &a, NULL) == 0 &&
	     (rest->tag ? has_tag(&r, rest->tag)
			: strings_equal(r.source, v->record.source));
	arena_release(&a);
	return is;
}

int review_accept(struct review *v, const struct review_rest *rest,
		  review_fn *fn, struct err *e)
{
	struct buf text = {0};
	struct err why;
	int result;

	v->steps++;
	operation_end(v->s);
	result = accept_one(v, v->next - 1, &v->text, fn, e);
	for (size_t i = v->next; rest && !result && i < v->n; i++) {
		if (is_of_rest(v, rest, i, &text))
			accept_one(v, i, &text, fn, &why);
	}
	buf_release(&text);
	return result;
}

int review_reject(struct review *v, const struct review_rest *rest, size_t *n,
		  struct err *e)
{
	const char **paths = mem_alloc((v->n + 1) * sizeof(*paths));
	const char **moved = mem_alloc((v->n + 1) * sizeof(*moved));
	size_t *at = mem_alloc((v->n + 1) * sizeof(*at));
	struct buf text = {0};
	size_t count = 0;
	int r;

	v->steps++;
	operation_end(v->s);
	at[count++] = v->next - 1;
	for (size_t i = v->next; rest && i < v->n; i++) {
		if (is_of_rest(v, rest, i, &text))
			at[count++] = i;
	}
	for (size_t i = 0; i < count; i++)
		paths[i] = v->paths[at[i]];
	r = drafts_reject(v->s, paths, count, &v->arena, moved, e);
	*n = 0;
	for (size_t i = 0; i < count; i++) {
		if (!moved[i])
			continue;
		if (v->similar)
			similar_move(v->similar, paths[i], NULL, AREA_TRASH);
		add_done(v, REVIEW_REJECTED, at[i], moved[i]);
		++*n;
	}
	buf_release(&text);
	free(paths);
	free(moved);
	free(at);
	return r;
}

/* Begin a step that changes the current memory only if its text, with the hash
 * SUM, is still the one shown. */
static void begin_memory_step(struct review *v, char sum[SHA256_HEX])
{
	v->steps++;
	operation_end(v->s);
	store_expect(v->s, sha256_of(buf_str(&v->text), v->text.len, sum));
}

/* Record that the current memory was rewritten. */
static void add_rewritten(struct review *v, enum review_what what)
{
	struct review_done *done = add_done(v, what, v->next - 1, v->path);

	buf_add(&done->was, buf_str(&v->text), v->text.len);
	read_file(v->s, v->path, &done->text, NULL);
}

int review_mark(struct review *v, enum review_what what, const char *key,
		const struct value *value, struct err *e)
{
	char sum[SHA256_HEX];
	int r;

	begin_memory_step(v, sum);
	r = save_edit(v->s,
		      &(struct save_edit){
			      .path = v->path, .keys = key, .value = value},
		      NULL, NULL, e);
	store_expect(v->s, NULL);
	if (r > 0)
		add_rewritten(v, what);
	return r < 0 ? -1 : 0;
}

int review_forget(struct review *v, struct err *e)
{
	const char *moved = NULL;
	char sum[SHA256_HEX];
	int r;

	begin_memory_step(v, sum);
	r = trash_remove(v->s, &v->path, 1, false, &v->arena, &moved, e);
	store_expect(v->s, NULL);
	if (moved)
		add_done(v, REVIEW_REJECTED, v->next - 1, moved);
	return r;
}

/* Undo one decision, and make its draft the next one to be read. */
static int undo_decision(struct review *v, const struct review_done *done,
			 struct err *e)
{
	const struct buf *text = &done->text, *was = &done->was;
	struct record r = {.path = done->path};
	struct arena a = {0};
	int result;

	if (done->what == REVIEW_ACCEPTED)
		result = drafts_withdraw(v->s, done->path, text, done->replaced,
					 &a, &r, e);
	else if (done->what == REVIEW_REJECTED)
		result = trash_restore(v->s, done->path, &a, &r, e);
	else
		result = save_edit(v->s,
				   &(struct save_edit){.path = done->path,
						       .was = text,
						       .text = was,
						       .by_person = true},
				   &a, NULL, e) < 0
				 ? -1
				 : 0;
	if (!result) {
		v->paths[done->at] = arena_strdup(&v->names, r.path);
		v->next = done->at + 1;
		v->counts[done->what]--;
	}
	arena_release(&a);
	return result;
}

int review_undo(struct review *v, size_t *n, struct err *e)
{
	const size_t before = v->next;
	size_t step, first = v->n;
	struct err why;
	int result = 0;

	*n = 0;
	if (!v->ndone)
		return 0;
	operation_end(v->s);
	step = v->done[v->ndone - 1].step;
	while (v->ndone && v->done[v->ndone - 1].step == step) {
		struct review_done *done = &v->done[--v->ndone];

		if (undo_decision(v, done, &why) == 0) {
			first = v->next < first ? v->next : first;
			++*n;
		} else {
			result = err_take(e, &why);
		}
		release_done(done);
	}
	/* Similar memories have moved. */
	similar_free(v->similar);
	v->similar = NULL;
	v->next = *n ? first : before;
	v->path = v->paths[v->next - 1];
	if (*n && review_again(v, &why) < 0)
		result = err_take(e, &why);
	return result;
}

/* Return true if each word of LINE begins with + or -, as co tag takes them. */
static bool has_signs(const char *line)
{
	const char *const blanks = " \t";

	line += strspn(line, blanks);
	for (; *line; line += strspn(line, blanks)) {
		if (!strchr("+-", *line))
			return false;
		line += strcspn(line, blanks);
	}
	return true;
}

/* Parse LINE into C: tags separated by commas, or by blanks if each has a sign, with a -
 * before tags to remove, and perhaps a + before others. */
static void read_tags(struct compose_tags *c, const char *line, struct arena *a)
{
	const char *const ends = has_signs(line) ? ", \t" : ",";

	while (*line) {
		const char *p = line;
		size_t len = strcspn(line, ends);

		line += len + (line[len] != '\0');
		utf8_strip(&p, &len);
		if (!len)
			continue;
		if (strchr("+-", *p))
			strings_add(*p == '-' ? &c->drop : &c->add,
				    arena_copy(a, p + 1, len - 1));
		else
			strings_add(&c->add, arena_copy(a, p, len));
	}
}

int review_tag(struct review *v, const char *line, struct err *e)
{
	struct compose_tags change = {0};
	struct buf with = {0};
	int r;

	if (v->broken)
		return err_set(e, ERR_DATA, "%s", v->fault.text);
	read_tags(&change, line, &v->arena);
	r = compose_tags_change(&with, v->path, &v->text, &change, &v->arena,
				e);
	if (r > 0)
		r = review_replace(v, &with, e);
	free(change.add.items);
	free(change.drop.items);
	buf_release(&with);
	return r;
}

int review_replace(struct review *v, const struct buf *text, struct err *e)
{
	int r;

	v->steps++;
	operation_end(v->s);
	r = save_edit(v->s,
		      &(struct save_edit){.path = v->path,
					  .was = &v->text,
					  .text = text,
					  .by_person = true},
		      NULL, NULL, e);
	if (r == 1 && v->due)
		add_rewritten(v, REVIEW_EDITED);
	return r < 0 ? -1 : 0;
}
