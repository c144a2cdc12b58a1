/* action-recall.c: candidates come from the index of what memories say, which opens no
 * memory; the best of them are read, and only what their files say counts.
 *
 * A trigger has ACTION_MEMORIES places. What an earlier action has shown keeps its
 * place, so that repeated edits of one file do not work through all memories about it.
 */
#include "action/action-recall.h"

#include "action/action-index.h"
#include "action/action.h"
#include "action/command-words.h"
#include "cache/cache.h"
#include "rank/rank.h"
#include "rank/terms.h"
#include "repo/marks.h"
#include "search/cited.h"
#include "search/recall.h"
#include "search/similar.h"
#include "store/display.h"
#include "sys/file.h"
#include "text/injected.h"

#include <fcntl.h>
#include <unistd.h>

#define STORES 2
#define CANDIDATES 256
#define READ_MOST 12   /* candidates */
#define NEIGHBOURS 128 /* memories that share words with one */
#define NEIGHBOURS_READ 3
#define SYMBOLS 200 /* names in an edit that are looked up */
#define PARTS 8	    /* directories of a path that are looked up */
#define SYMBOL_MIN ((size_t)5)
#define MARKS (sizeof(INJECTED_OPEN) + sizeof(INJECTED_CLOSE))

/* What the text begins with, between the marks of text/injected.h. */
#define HEADING "From this project's memory (co why tells the reason):\n\n"

/* Why a memory is a candidate, the strongest first. */
enum tie {
	TIE_LINES, /* cites the lines that are edited */
	TIE_CITE,
	TIE_PATH,
	TIE_NAME,
	TIE_SYMBOL,
	TIE_FOLDER,
	TIE_TOP, /* names a directory at the top, and has a rare word of the edit */
	TIE_WORDS,
	TIE_PAIR, /* a program of all projects, and another word of the command */
	TIES
};

struct place {
	struct store store;
	struct action_index *index;
};

struct candidate {
	struct place *place;
	uint32_t doc;
	unsigned ties; /* 1 << enum tie */
	enum tie tie;  /* the strongest that holds */
	float score;
	bool read, usable;
	struct record record;
	const char *cite;
};

struct lookup {
	const struct action_ask *ask;
	bool remakes; /* an index was damaged */
	struct action action;
	struct command command;
	struct place places[STORES];
	size_t nplaces;
	struct arena a;
	struct candidate *found; /* CANDIDATES */
	size_t n;
	struct buf query;		/* what the candidates are ranked by */
	const struct action_file *file; /* being looked up, or NULL */
	const char *at;			/* its path below the project's top */
	struct evidence *evidence; /* of the project; NULL: not needed yet */
	size_t symbols;
};

static void add_candidate(struct lookup *l, struct place *p, uint32_t doc,
			  enum tie tie)
{
	for (size_t i = 0; i < l->n; i++) {
		if (l->found[i].place == p && l->found[i].doc == doc) {
			l->found[i].ties |= 1u << tie;
			return;
		}
	}
	if (!l->found)
		l->found = arena_alloc(&l->a, CANDIDATES * sizeof(*l->found));
	if (l->n < CANDIDATES)
		l->found[l->n++] = (struct candidate){
			.place = p, .doc = doc, .ties = 1u << tie};
}

/* Return how many memories of P may share a name, which then says something: at least
 * LEAST, or one in EACH. */
static size_t few(const struct place *p, size_t least, size_t each)
{
	const size_t n = action_index_count(p->index) / each;

	return n > least ? n : least;
}

/* Add the memories of P that have the LEN bytes of NAME, unless more than MOST have
 * it. Return true if there are any. */
static bool add_named(struct lookup *l, struct place *p, const char *name,
		      size_t len, enum tie tie, size_t most)
{
	size_t n;
	const struct action_posting *list = action_index_find(
		p->index, tie == TIE_CITE ? ACTION_CITE : ACTION_NAME, name,
		len, &n);

	for (size_t i = 0; n <= most && i < n; i++)
		add_candidate(l, p, list[i].doc, tie);
	return n && n <= most;
}

/* A name in an edit that may be a symbol of the program. */
struct symbols {
	struct lookup *lookup;
	struct place *place;
};

/* Return true if the LEN bytes of P look like a name in a program. */
static bool is_symbol(const char *p, size_t len)
{
	if (len < SYMBOL_MIN || memchr(p, '/', len) || memchr(p, '.', len) ||
	    memchr(p, '-', len))
		return false;
	if (p[len - 1] == ')')
		return true;
	for (size_t i = 1; i + 1 < len; i++) {
		if (p[i] == '_' || (p[i] >= 'A' && p[i] <= 'Z' &&
				    p[i - 1] >= 'a' && p[i - 1] <= 'z'))
			return true;
	}
	return false;
}

static int look_up_symbol(void *ctx, const char *p, size_t len)
{
	struct symbols *s = ctx;
	struct lookup *l = s->lookup;

	if (!is_symbol(p, len))
		return 0;
	if (add_named(l, s->place, p, len, TIE_SYMBOL, few(s->place, 3, 50)))
		buf_addf(&l->query, " %.*s", (int)len, p);
	return ++l->symbols >= SYMBOLS;
}

static void look_up_edits(struct lookup *l, struct place *p)
{
	struct symbols s = {l, p};

	l->symbols = 0;
	for (size_t i = 0; i < l->file->nedits; i++) {
		const struct action_edit *e = &l->file->edits[i];

		if (e->before)
			action_names_each(e->before, strlen(e->before),
					  look_up_symbol, &s);
		if (e->after)
			action_names_each(e->after, strlen(e->after),
					  look_up_symbol, &s);
	}
}

/* Add memories that name a directory of the path AT: as "name/", or several of them in
 * a row. One at the top of a project holds too much to say something by itself. */
static void look_up_folders(struct lookup *l, struct place *p, const char *at)
{
	const char *starts[PARTS + 1];
	const size_t most = few(p, 3, 50);
	size_t n = 0;

	for (const char *c = at; n < PARTS && strchr(c, '/');
	     c = strchr(c, '/') + 1)
		starts[n++] = c;
	for (size_t i = 0; i < n; i++) {
		const char *end = strchr(starts[i], '/');

		add_named(l, p, starts[i], (size_t)(end + 1 - starts[i]),
			  i ? TIE_FOLDER : TIE_TOP, most);
		for (size_t k = i + 1; k < n; k++) {
			end = strchr(starts[k], '/');
			add_named(l, p, starts[i], (size_t)(end - starts[i]),
				  TIE_FOLDER, most);
		}
	}
}

/* Return true if NAME looks like a file name, not like a word of a sentence. */
static bool is_file_name(const char *name)
{
	return name[strspn(name, "abcdefghijklmnopqrstuvwxyz")];
}

/* Add memories that name the file AT by all of its path, or by the end of it. */
static void look_up_file_names(struct lookup *l, struct place *p,
			       const char *at)
{
	for (const char *c = at; c; c = strchr(c, '/')) {
		c += *c == '/';
		if (strchr(c, '/') || is_file_name(c))
			add_named(l, p, c, strlen(c), TIE_NAME, few(p, 8, 20));
	}
}

struct globs {
	struct lookup *lookup;
	struct place *place;
};

static void match_glob(void *ctx, const char *glob, uint32_t doc)
{
	struct globs *g = ctx;

	if (recall_path_matches(glob, g->lookup->at))
		add_candidate(g->lookup, g->place, doc, TIE_PATH);
}

/* Look up the file of L. */
static void look_up_file(struct lookup *l)
{
	buf_addf(&l->query, " %s", l->at);
	for (size_t i = 0; i < l->nplaces; i++) {
		struct place *p = &l->places[i];
		struct globs g = {l, p};

		if (p->store.repo.root.scope == SCOPE_PROJECT) {
			add_named(l, p, l->at, strlen(l->at), TIE_CITE,
				  SIZE_MAX);
			action_index_each_glob(p->index, match_glob, &g);
		}
		look_up_file_names(l, p, l->at);
		look_up_folders(l, p, l->at);
		look_up_edits(l, p);
	}
}

static bool has_doc(const struct action_posting *list, size_t n, uint32_t doc)
{
	size_t low = 0;

	while (low < n) {
		const size_t middle = low + (n - low) / 2;

		if (list[middle].doc == doc)
			return true;
		if (list[middle].doc < doc)
			low = middle + 1;
		else
			n = middle;
	}
	return false;
}

/* A memory whose words are looked for in an edit. */
struct sharing {
	const struct candidate *c;
	const char *top; /* a directory, whose name does not count */
	size_t top_len, most;
};

/* Return 1 if the memory of CTX has T, and few others have it. */
static int is_shared(void *ctx, const struct term *t)
{
	const struct sharing *s = ctx;
	size_t n;
	const struct action_posting *list;

	if (words_is_stop(t->word, t->word_len) ||
	    (t->word_len == s->top_len &&
	     !strncasecmp(t->word, s->top, s->top_len)))
		return 0;
	list = action_index_find(s->c->place->index, ACTION_TERM, t->p, t->len,
				 &n);
	return n <= s->most && has_doc(list, n, s->c->doc);
}

/* Return true if C has a rare word of the edits of L, or of the path below the directory
 * at the top. */
static bool shares_word(struct lookup *l, const struct candidate *c)
{
	struct sharing s = {.c = c,
			    .top = l->at,
			    .top_len = strcspn(l->at, "/"),
			    .most = few(c->place, 8, 20)};
	struct terms terms = {0};
	const char *below = l->at + s.top_len;
	bool is = terms_each(&terms, below, strlen(below), is_shared, &s);

	for (size_t i = 0; !is && i < 2 * l->file->nedits; i++) {
		const struct action_edit *e = &l->file->edits[i / 2];
		const char *text = i % 2 ? e->after : e->before;

		is = text &&
		     terms_each(&terms, text, strlen(text), is_shared, &s);
	}
	terms_release(&terms);
	return is;
}

/* Add the memories of P that have the words of the command. */
static void look_up_words(struct lookup *l, struct place *p)
{
	const struct command *c = &l->command;
	size_t n[COMMAND_WORDS];
	const struct action_posting *lists[COMMAND_WORDS];

	for (size_t i = 0; i < c->nwords; i++)
		lists[i] = action_index_find(p->index, ACTION_TERM,
					     c->words[i].term, c->words[i].len,
					     &n[i]);
	for (size_t i = 0; i < c->nwords; i++) {
		const struct command_word *w = &c->words[i];
		const enum tie pair = w->telling ? TIE_WORDS : TIE_PAIR;

		/* A word that says enough by itself. */
		if (w->telling && n[i] <= few(p, 3, 50)) {
			for (size_t k = 0; k < n[i]; k++)
				add_candidate(l, p, lists[i][k].doc, TIE_WORDS);
		}
		/* The program, and one of its words. */
		for (size_t k = i + 1; w->program && k < c->nwords; k++) {
			for (size_t d = 0; c->words[k].of == w->of && d < n[i];
			     d++) {
				if (has_doc(lists[k], n[k], lists[i][d].doc))
					add_candidate(l, p, lists[i][d].doc,
						      pair);
			}
		}
	}
	for (size_t i = 0; i < c->nfiles; i++)
		look_up_file_names(l, p, c->files[i]);
}

/* Return the path of FILE below the top of the project ROOT, in A; NULL if it is
 * outside, or the top itself. */
static const char *path_below(const struct root *root, const char *file,
			      struct arena *a)
{
	const char *at = root_relative(root, file, a),
		   *slash = strrchr(file, '/');
	char *folder;

	if (at || !slash)
		return at;
	/* The agent may call the project by another path, through a link. */
	folder = realpath(slash == file
				  ? "/"
				  : arena_copy(a, file, (size_t)(slash - file)),
			  NULL);
	if (folder)
		at = root_relative(root, arena_printf(a, "%s%s", folder, slash),
				   a);
	free(folder);
	return at;
}

/* Open the index of the open store P, and make it if it is missing. Return true if
 * there is one. */
static bool open_index(struct lookup *l, struct place *p)
{
	struct err e;
	size_t n = 0;
	int r;

	if (p->store.repo.fd < 0)
		return false;
	r = l->remakes ? 0 : action_index_open(&p->index, &p->store);
	/* A store without memories has no index. */
	if (!r && store_count(&p->store, AREA_MEMORIES, &n, NULL) == 0 && n) {
		l->ask->opens(l->ask->ctx, true);
		r = action_index_make(&p->index, &p->store, &e);
	}
	if (r < 0)
		err_report(l->ask->report, &e);
	return r == 1;
}

static bool open_store(struct lookup *l, enum scope scope)
{
	struct err e;

	if (store_open(&l->places[l->nplaces].store, scope, NULL, &e) == 0)
		return true;
	if (scope == SCOPE_PROJECT)
		err_report(l->ask->report, &e);
	return false;
}

/* Keep the next place, whose store is open, if its index can be opened. */
static void keep_place(struct lookup *l)
{
	struct place *p = &l->places[l->nplaces];

	if (open_index(l, p))
		l->nplaces++;
	else
		store_close(&p->store);
}

/* Set AT to the paths of the files of ACTION below the top of the project ROOT. Return
 * false if nothing is left to look up. */
static bool find_paths(struct lookup *l, const struct root *root,
		       const struct action *action, const char **at)
{
	bool any = action->command;

	for (size_t i = 0; i < action->nfiles; i++) {
		at[i] = path_below(root, action->files[i].path, &l->a);
		any = any || at[i];
	}
	return any;
}

/* Open the indexes that ACTION is looked up in. Set AT as find_paths() does. Return
 * false if there is nothing to look up. */
static bool open_places(struct lookup *l, const struct action *action,
			const char **at)
{
	bool any = false;

	if (open_store(l, SCOPE_PROJECT)) {
		any = find_paths(l, &l->places[0].store.repo.root, action, at);
		if (any)
			keep_place(l);
		else
			store_close(&l->places[0].store);
	}
	if (any && open_store(l, SCOPE_GLOBAL))
		keep_place(l);
	return any && l->nplaces;
}

static void close_places(struct lookup *l)
{
	evidence_free(l->evidence);
	for (size_t i = 0; i < l->nplaces; i++) {
		action_index_close(l->places[i].index);
		store_close(&l->places[i].store);
	}
	buf_release(&l->query);
	arena_release(&l->a);
}

/* Return the project's store, or NULL. */
static struct place *project_place(struct lookup *l)
{
	return l->nplaces && l->places[0].store.repo.root.scope == SCOPE_PROJECT
		       ? &l->places[0]
		       : NULL;
}

/* Read the file of the candidate C, once. */
static void read_candidate(struct lookup *l, struct candidate *c)
{
	const char *path;

	if (c->read)
		return;
	c->read = true;
	path = action_index_path(c->place->index, c->doc, &l->a);
	c->usable = path && store_read(&c->place->store, path, &l->a,
				       &c->record, NULL) == 1;
	if (c->usable &&
	    ((marks_of_map(c->record.frontmatter, instant_now()) |
	      store_marks(&c->place->store, &c->record.keys, NULL)) &
	     (marks_hidden() | MARK_EXTERNAL | MARK_OTHER_LANGUAGE)))
		c->usable = false;
}

/* The documents of a store, to rank candidates. */
struct ranked {
	struct action_corpus corpus; /* first */
	struct lookup *lookup;
	struct place *place;
	size_t read;
};

static int get_doc(void *ctx, uint32_t doc, struct rank_doc *out, struct err *e)
{
	struct ranked *r = ctx;
	struct lookup *l = r->lookup;

	(void)e;
	*out = (struct rank_doc){.text = ""};
	for (size_t i = 0; i < l->n; i++) {
		struct candidate *c = &l->found[i];

		if (c->place != r->place || c->doc != doc)
			continue;
		if (!c->read && r->read++ < READ_MOST)
			read_candidate(l, c);
		if (!c->usable)
			break;
		*out = (struct rank_doc){.created = c->record.at,
					 .tags = c->record.tags,
					 .ntags = c->record.ntags,
					 .source = c->record.source,
					 .text = c->record.content,
					 .text_len = c->record.content_len};
		break;
	}
	return 0;
}

/* Set the scores of the candidates from P. */
static void rank_candidates(struct lookup *l, struct place *p)
{
	struct ranked ctx = {{.ix = p->index}, l, p, 0};
	struct corpus corpus = {.ctx = &ctx, .doc = get_doc};
	struct query q;
	struct rank_ask ask = {.query = &q,
			       .max = action_index_count(p->index)};
	struct rank_result result;

	query_parse(&q, buf_str(&l->query), l->query.len, &l->a);
	action_index_corpus(p->index, &corpus);
	if (rank(&corpus, &ask, &l->a, &result, NULL) == 0) {
		for (size_t i = 0; i < result.n; i++) {
			for (size_t k = 0; k < l->n; k++) {
				if (l->found[k].place == p &&
				    l->found[k].doc == result.hits[i].doc)
					l->found[k].score =
						result.hits[i].score;
			}
		}
	}
	free(ctx.corpus.postings);
}

/* Return the strongest of the ties of C. */
static enum tie strongest(const struct candidate *c)
{
	enum tie tie = TIE_LINES;

	while (tie + 1 < TIES && !(c->ties & 1u << tie))
		tie++;
	return tie;
}

static int by_strength(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->tie != y->tie)
		return x->tie < y->tie ? -1 : 1;
	if (x->score != y->score)
		return x->score > y->score ? -1 : 1;
	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return (x->doc < y->doc) - (x->doc > y->doc);
}

static void sort_candidates(struct lookup *l)
{
	for (size_t i = 0; i < l->n; i++)
		l->found[i].tie = strongest(&l->found[i]);
	qsort(l->found, l->n, sizeof(*l->found), by_strength);
}

/* Return the number of the line of TEXT at AT, from 1. */
static size_t line_of(const struct buf *text, size_t at)
{
	size_t line = 1;

	for (size_t i = 0; i < at; i++)
		line += text->p[i] == '\n';
	return line;
}

/* The lines that an edit concerns. */
struct lines {
	size_t first, last; /* 0: none */
};

struct touched {
	struct lines items[ACTION_EDITS];
	size_t n;
	bool all;
};

/* Read the file of L, as it is before the edits. Set T to the lines that they
 * concern, and give the text to the evidence if the tool has run already. */
static void find_touched(struct lookup *l, struct touched *t)
{
	const struct root *root = &project_place(l)->store.repo.root;
	const bool after = l->ask->after;
	struct buf text = {0}, path = {0};
	char *top = root_folder(root);

	*t = (struct touched){.all = l->file->whole};
	buf_addf(&path, "%s/%s", top, l->at);
	free(top);
	if (file_read(AT_FDCWD, path.p, path.p, EVIDENCE_FILE_MAX, &text,
		      NULL) != 1)
		buf_cut(&text, 0);
	for (size_t i = l->file->nedits; text.len && i-- > 0;) {
		const struct action_edit *e = &l->file->edits[i];
		const char *now = after ? e->after : e->before;
		const size_t len = now ? strlen(now) : 0;
		const char *p = len ? memmem(text.p, text.len, now, len) : NULL;
		size_t at;

		if (!p)
			continue;
		at = (size_t)(p - text.p);
		if (after && e->before) {
			struct buf was = {0};

			buf_add(&was, text.p, at);
			buf_adds(&was, e->before);
			buf_add(&was, p + len, text.len - at - len);
			buf_release(&text);
			text = was;
		}
		t->items[t->n].first = line_of(&text, at);
		t->items[t->n].last = line_of(
			&text, at + (e->before ? strlen(e->before) : 0));
		t->n++;
	}
	if (after && t->n)
		evidence_put(l->evidence, l->at, buf_str(&text), text.len);
	buf_release(&text);
	buf_release(&path);
}

/* The citations of a candidate. */
struct citing {
	struct lookup *l;
	const struct touched *touched;
	struct candidate *c;
	bool cites, drifted, meets;
};

static bool overlaps_citation(const struct touched *t,
			      const struct citation *at)
{
	for (size_t i = 0; i < t->n; i++) {
		if (at->first && t->items[i].first <= at->last &&
		    t->items[i].last >= at->first)
			return true;
	}
	return t->all;
}

static void check_citation(void *ctx, const struct cited *one)
{
	struct citing *g = ctx;
	const bool holds =
		one->state == EVIDENCE_SAME || one->state == EVIDENCE_MOVED;
	struct buf place = {0};
	bool met;

	g->drifted |=
		one->state == EVIDENCE_CHANGED || one->state == EVIDENCE_GONE;
	if (!holds || !g->l->at || one->c->url || one->c->commit ||
	    strcmp(one->c->path, g->l->at) != 0)
		return;
	met = overlaps_citation(g->touched, one->at);
	if (g->cites && (g->meets || !met))
		return;
	g->cites = true;
	g->meets = met;
	citation_add_place(&place, one->at);
	g->c->cite = arena_strdup(&g->l->a, buf_str(&place));
	buf_release(&place);
}

/* Read from the file of C why it fits the action. If a source that it cites has changed,
 * the memory may be wrong, so C is not usable. */
static void check_candidate(struct lookup *l, struct candidate *c,
			    const struct touched *touched)
{
	struct citing g = {l, touched, c, false, false, false};
	const int paths =
		l->at ? recall_compare_paths(&c->record.keys, l->at) : 0;

	if (c->place == project_place(l) &&
	    cited_each(&c->place->store, l->evidence, &c->record,
		       check_citation, &g, NULL, NULL) < 0)
		c->usable = false;
	c->ties &= ~(1u << TIE_LINES | 1u << TIE_CITE | 1u << TIE_PATH);
	if (g.cites)
		c->ties |= 1u << (g.meets ? TIE_LINES : TIE_CITE);
	if (paths > 0)
		c->ties |= 1u << TIE_PATH;
	if (c->ties & 1u << TIE_PAIR &&
	    !command_is_near(&l->command, c->record.content,
			     c->record.content_len, c->record.tags,
			     c->record.ntags))
		c->ties &= ~(1u << TIE_PAIR);
	if (c->ties == 1u << TIE_TOP && !shares_word(l, c))
		c->ties = 0;
	/* A memory about other files does not belong here. */
	if (g.drifted || !c->ties || (paths < 0 && !g.cites))
		c->usable = false;
	c->tie = strongest(c);
}

/* Read and check the best candidates, and keep those that may be shown. */
static void check_candidates(struct lookup *l)
{
	const struct evidence_limits limits = {CITED_HASHED, CITED_FILES};
	struct touched touched = {.n = 0};
	struct place *project = project_place(l);
	size_t n = 0, read = 0;

	if (project)
		l->evidence = evidence_new(&project->store.repo, limits);
	if (project && l->file)
		find_touched(l, &touched);
	for (size_t i = 0; i < l->n && read < READ_MOST; i++) {
		struct candidate *c = &l->found[i];

		read_candidate(l, c);
		read++;
		if (c->usable)
			check_candidate(l, c, &touched);
		if (c->usable)
			l->found[n++] = *c;
	}
	l->n = n;
	sort_candidates(l);
}

/* Memories that share rare words with a candidate. */
struct neighbours {
	struct lookup *lookup;
	const struct candidate *of;
	struct neighbour {
		uint32_t doc, shared;
	} items[NEIGHBOURS];
	size_t n;
};

static int add_neighbours(void *ctx, const struct term *t)
{
	struct neighbours *all = ctx;
	const struct place *p = all->of->place;
	size_t n;
	const struct action_posting *list =
		action_index_find(p->index, ACTION_TERM, t->p, t->len, &n);

	for (size_t i = 0; i < n && n <= few(p, 8, 20); i++) {
		size_t k = 0;

		while (k < all->n && all->items[k].doc != list[i].doc)
			k++;
		if (k < all->n)
			all->items[k].shared++;
		else if (k < NEIGHBOURS && list[i].doc != all->of->doc)
			all->items[all->n++] =
				(struct neighbour){list[i].doc, 1};
	}
	return 0;
}

/* Return true if a later memory contradicts C. It need not fit the action: the memories
 * that share the most rare words with C are compared. Also return true if the index is
 * damaged, since it may lack such a memory. */
static bool is_contradicted(struct lookup *l, const struct candidate *c)
{
	struct neighbours all = {l, c, {{0}}, 0};
	struct terms terms = {0};
	bool is = false;

	terms_document(&terms, c->record.content, c->record.content_len, NULL,
		       0, add_neighbours, &all);
	for (size_t read = 0; read < NEIGHBOURS_READ && !is; read++) {
		struct candidate other = {.place = c->place};
		size_t best = 0;

		for (size_t i = 1; i < all.n; i++) {
			if (all.items[i].shared > all.items[best].shared)
				best = i;
		}
		if (!all.n || all.items[best].shared < 2)
			break;
		other.doc = all.items[best].doc;
		all.items[best].shared = 0;
		read_candidate(l, &other);
		is = other.usable &&
		     (instant_cmp(other.record.at, c->record.at) > 0 ||
		      (instant_cmp(other.record.at, c->record.at) == 0 &&
		       other.record.id > c->record.id)) &&
		     similar_contradicted_by(&terms, &c->record, &other.record);
	}
	terms_release(&terms);
	return is || action_index_is_damaged(c->place->index);
}

/* Drop the candidates that later ones contradict, and those that say nearly what a
 * better one says. */
static void drop_doubtful(struct lookup *l)
{
	struct record *records =
		arena_alloc(&l->a, (l->n + 1) * sizeof(*records));
	size_t *first = arena_alloc(&l->a, (l->n + 1) * sizeof(*first)), n = 0;

	for (size_t i = 0; i < l->n; i++)
		records[i] = l->found[i].record;
	similar_contradicted_note(records, l->n, &l->a);
	similar_first(records, l->n, first);
	for (size_t i = 0; i < l->n; i++) {
		if (first[i] == i && !records[i].contradicted_by.n)
			l->found[n++] = l->found[i];
	}
	l->n = n;
}

/* Append the candidates that were not shown yet. Return their number. */
static size_t add_candidates(struct buf *inner, struct lookup *l)
{
	const struct action_ask *ask = l->ask;
	const size_t room = ask->bytes > MARKS ? ask->bytes - MARKS : 0;
	struct shown_words words = {0};
	size_t n = 0, used = 0, start;

	shown_list_session(ask->shown,
			   &(struct shown_session){.agent = ask->agent,
						   .session = ask->session,
						   .subagent = ask->subagent});
	buf_adds(inner, HEADING);
	for (size_t i = 0; i < l->n && used < ACTION_MEMORIES; i++) {
		static const enum shown_why whys[] = {
			[TIE_LINES] = SHOWN_CITE,  [TIE_CITE] = SHOWN_CITE,
			[TIE_PATH] = SHOWN_PATH,   [TIE_NAME] = SHOWN_NAME,
			[TIE_SYMBOL] = SHOWN_NAME, [TIE_FOLDER] = SHOWN_NAME,
			[TIE_TOP] = SHOWN_NAME,	   [TIE_WORDS] = SHOWN_WORDS,
			[TIE_PAIR] = SHOWN_WORDS};
		const struct candidate *c = &l->found[i];
		const struct record *r = &c->record;
		const struct shown_id *before = shown_ids_find(
			ask->shown, r->id, r->scope == SCOPE_GLOBAL);

		if (!before && is_contradicted(l, c))
			continue;
		used += !before || before->acted;
		start = inner->len;
		if (before || !display_fit(inner, r, room, !n))
			continue;
		shown_add_record(ask->items, r, inner->len - start,
				 whys[c->tie],
				 c->tie <= TIE_CITE ? c->cite : NULL);
		if (!l->file)
			shown_words_add(&words, buf_str(&l->query), r);
		n++;
	}
	if (shown_words_of(&words))
		buf_adds(ask->words, shown_words_of(&words));
	if (n && l->file)
		buf_adds(ask->file, l->at);
	shown_words_release(&words);
	return n;
}

/* Look up the action of L. */
static void find_candidates(struct lookup *l, const struct action *action,
			    const char *const *at)
{
	for (size_t i = 0; i < action->nfiles; i++) {
		if (!at[i])
			continue;
		/* The first of several files that memories are tied to. */
		l->file = &action->files[i];
		l->at = at[i];
		look_up_file(l);
		if (l->n)
			return;
	}
	if (!action->command)
		return;
	command_read(&l->command, action->command, &l->a);
	buf_adds(&l->query, l->command.text);
	for (size_t i = 0; i < l->nplaces; i++)
		look_up_words(l, &l->places[i]);
}

/* Find in L the memories that the action may be given, the best first. */
static void find_usable(struct lookup *l)
{
	const char *at[ACTION_FILES] = {NULL};

	if (action_read(&l->action, l->ask->input, &l->a) &&
	    open_places(l, &l->action, at))
		find_candidates(l, &l->action, at);
	if (l->n)
		l->ask->opens(l->ask->ctx, false);
	for (size_t i = 0; l->n && i < l->nplaces; i++)
		rank_candidates(l, &l->places[i]);
	if (!l->n)
		return;
	sort_candidates(l);
	check_candidates(l);
	drop_doubtful(l);
}

static bool is_damaged(const struct lookup *l)
{
	bool damaged = false;

	for (size_t i = 0; i < l->nplaces; i++)
		damaged |= action_index_is_damaged(l->places[i].index);
	return damaged;
}

/* Make the damaged indexes of L again. */
static void make_damaged(struct lookup *l)
{
	for (size_t i = 0; i < l->nplaces; i++) {
		struct place *p = &l->places[i];
		struct action_index *made = NULL;

		if (action_index_is_damaged(p->index))
			action_index_make(&made, &p->store, NULL);
		action_index_close(made);
	}
}

size_t action_recall(struct buf *text, const struct action_ask *ask)
{
	struct lookup l = {.ask = ask};
	struct buf inner = {0};
	size_t n = 0;

	find_usable(&l);
	if (is_damaged(&l)) {
		close_places(&l);
		l = (struct lookup){.ask = ask, .remakes = true};
		find_usable(&l);
	}
	if (l.n)
		n = add_candidates(&inner, &l);
	make_damaged(&l); /* for the next action */
	if (n)
		injected_add(text, inner.p, inner.len);
	buf_release(&inner);
	close_places(&l);
	return n;
}

void action_recall_prepare(const struct report *report)
{
	for (enum scope at = SCOPE_PROJECT; at <= SCOPE_GLOBAL; at++) {
		struct action_index *ix = NULL;
		struct store s;
		struct err e;

		if (store_open(&s, at, report, &e) < 0)
			continue;
		cache_refresh(s.cache, REFRESH_MEMORIES, NULL);
		if (s.repo.fd >= 0 && !action_index_open(&ix, &s) &&
		    action_index_make(&ix, &s, &e) < 0)
			err_report(report, &e);
		action_index_close(ix);
		store_close(&s);
	}
}
