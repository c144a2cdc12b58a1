/* choose.c: search for each word separately, as text, and intersect the
 * results. Words may therefore be in any order, and the answer does not depend
 * on the index.
 */
#include "cli/choose.h"

#include "cli/out.h"
#include "cli/stores.h"
#include "repo/marks.h"
#include "search/grep.h"
#include "store/display.h"
#include "sys/execpath.h"
#include "sys/io.h"
#include "sys/terminal.h"

#include <sys/stat.h>
#include <unistd.h>

#define SHOWN 20 /* memories to choose from: a screen */
#define ID_TEXT 64
#define PICK_COLUMNS 400 /* of a row in fzf, which cuts it */
#define FZF_LEFT 130	 /* its status if the person leaves it */

/* Return true if OPERAND is a search word, not an id or a path. */
static bool is_search_word(const char *operand, enum choose_among among)
{
	struct stat st;
	int64_t id;
	const size_t len = strlen(operand);

	return !store_is_id(operand, &id) &&
	       !store_is_global_id(operand, &id) &&
	       !store_is_named_id(operand, &id) && !strchr(operand, '/') &&
	       strcmp(operand, "-") != 0 &&
	       (among == CHOOSE_ALL || among == CHOOSE_TRASH || len <= 3 ||
		strcmp(operand + len - 3, ".md") != 0) &&
	       stat(operand, &st) < 0;
}

/* Remove from FOUND the memories that are not also in AMONG. Both are of one store and
 * sorted by id. */
static void intersect(struct results *found, const struct results *among)
{
	size_t kept = 0, k = 0;

	for (size_t i = 0; i < found->n; i++) {
		while (k < among->n && among->items[k].id < found->items[i].id)
			k++;
		if (k < among->n && among->items[k].id == found->items[i].id)
			found->items[kept++] = found->items[i];
	}
	found->n = kept;
}

/* Put into FOUND the memories or drafts of S that contain WORD, by id. An ASCII word,
 * which blanks separate from others, must be at the start of a word of the memory. */
static void search_word(struct store *s, enum area area, const char *word,
			struct results *found)
{
	struct grep_query q = {
		.narrow = {.lifted = marks_past() | MARK_OTHER_LANGUAGE |
				     (out_shows_sensitive() ? MARK_SENSITIVE
							    : 0)}};
	struct err e;

	if (match_new_word(&q.match, word, &e) < 0 ||
	    grep_collect(s, area, &q, found, &e) < 0)
		cli_die(&e);
	match_free(q.match);
	results_sort(found);
}

/* Append to FOUND the memories or drafts of S that contain all WORDS, newest first. */
static void search_words(struct store *s, enum area area,
			 const struct strings *words, struct results *found)
{
	struct results own = {.order = RESULTS_BY_ID};

	search_word(s, area, words->items[0], &own);
	for (size_t i = 1; i < words->n && own.n; i++) {
		struct results next = {.order = RESULTS_BY_ID};

		search_word(s, area, words->items[i], &next);
		intersect(&own, &next);
		results_release(&next);
	}
	results_reorder(&own, RESULTS_NEWEST);
	results_take(found, &own);
	results_release(&own);
}

/* Print the first MOST memories of FOUND on standard error, one per line. */
static void list_found(const struct results *found, size_t most)
{
	struct buf text = {0}, line = {0};
	struct arena a = {0};
	struct record r;

	for (size_t i = 0; i < found->n && i < most; i++) {
		results_get(found, &found->items[i], &a, &r);
		buf_cut(&line, 0);
		if (r.id) {
			display_row(&line, &r, 0,
				    terminal_columns(STDERR_FILENO), NULL);
		} else {
			buf_adds(&line, "article ");
			display_line(&line, &r, NULL);
		}
		buf_add(&text, line.p, line.len);
	}
	cli_flush();
	io_write(STDERR_FILENO, buf_str(&text), text.len);
	buf_release(&text);
	buf_release(&line);
	arena_release(&a);
}

/* Print SAID, the reason, and HINT, and end the process with ERR_NO. */
static void NORETURN choose_none(const char *said, const char *hint)
{
	cli_note("%s", said);
	cli_hint("%s", hint);
	cli_end(ERR_NO);
}

/* Return the id of HIT, one of FOUND, as people type it; of an article, or if BY_PATH,
 * its path. The text is static. */
static char *name_result(const struct results *found, const struct result *hit,
			 bool by_path)
{
	static struct buf name;
	struct arena a = {0};
	struct record r;

	results_get(found, hit, &a, &r);
	buf_cut(&name, 0);
	if (hit->id && !by_path)
		buf_addf(&name, "%s%d", results_prefix(found, hit), hit->id);
	else
		buf_adds(&name, r.path);
	arena_release(&a);
	return name.p;
}

/* Return true if WORD is the id of HIT, one of FOUND, or the file name of an article. */
static bool is_named(const struct results *found, const struct result *hit,
		     const char *word)
{
	int64_t id;

	if (hit->id)
		return (store_is_id(word, &id) ||
			(store_is_global_id(word, &id) &&
			 *results_prefix(found, hit))) &&
		       id == hit->id;
	return !strcmp(strrchr(name_result(found, hit, true), '/') + 1, word);
}

/* Return the only one of FOUND that WORD names: as it is printed, else by is_named().
 * NULL: there is none, or there are several. */
static const struct result *find_named(const struct results *found,
				       const char *word)
{
	const struct result *hit = NULL, *other = NULL;
	size_t same = 0, others = 0;

	for (size_t i = 0; i < found->n; i++) {
		const struct result *one = &found->items[i];

		if (!strcmp(name_result(found, one, false), word)) {
			hit = one;
			same++;
		} else if (is_named(found, one, word)) {
			other = one;
			others++;
		}
	}
	return same == 1 ? hit : !same && others == 1 ? other : NULL;
}

/* Print the first MOST of FOUND, several NOUN. SAID are words that they contain, or
 * NULL. End the process if there is no terminal to choose on. */
static void list_choices(const struct results *found, const char *noun,
			 const char *said, size_t most, struct arena *a)
{
	cli_note("%zu %s%s%s:", found->n, noun,
		 said ? arena_printf(a, " have '%s'", said) : "",
		 found->n > most
			 ? arena_printf(a, ", the newest %zu of them", most)
			 : "");
	list_found(found, most);
	if (!cli_on_terminal())
		choose_none("nothing was chosen",
			    cli_count_articles(found)
				    ? "give an id, the name of an article, or "
				      "more words"
				    : "give one of the ids, or more words");
}

/* Ask the person which of FOUND is meant and return it. NOUN and SAID: see
 * list_choices(). End the process if there is no terminal or no answer. */
static const struct result *ask_which(const struct results *found,
				      const char *noun, const char *said,
				      struct arena *a)
{
	const struct result *chosen = NULL;
	struct buf answer = {0};

	list_choices(found, noun, said, SHOWN, a);
	if (cli_ask_line("Which? [id, n(one)]", &answer))
		chosen = find_named(found, buf_str(&answer));
	buf_release(&answer);
	if (!chosen)
		choose_none("nothing was chosen",
			    "type an id of the list; more words find fewer");
	return chosen;
}

/* Let the person choose one of FOUND in fzf, and write its id to ID. Return 1, 0 if
 * nothing was chosen, -1 if fzf cannot run here. */
static int ask_fzf(char id[ID_TEXT], const struct results *found,
		   const char *argv0)
{
	const char *term = getenv("TERM");
	struct buf fzf = {0}, show = {0}, preview = {0}, rows = {0};
	struct buf answer = {0};
	struct arena a = {0};
	struct record r;
	int status = -1;

	if (term && *term && strcmp(term, "dumb") != 0 &&
	    execpath_find(&fzf, "fzf", argv0) &&
	    execpath_find(&show, "co-show", argv0)) {
		buf_adds(&preview, "--preview=");
		buf_add_quoted(&preview, show.p);
		buf_adds(&preview, " --color=always {1}");
		for (size_t i = 0; i < found->n; i++) {
			arena_reset(&a);
			results_get(found, &found->items[i], &a, &r);
			if (r.id)
				display_row(&rows, &r, 0, PICK_COLUMNS, NULL);
		}
		cli_flush();
		status = terminal_choose(
			(const char *const[]){fzf.p, "--no-multi", "--no-sort",
					      preview.p,
					      "--preview-window=wrap", NULL},
			buf_str(&rows), rows.len, &answer);
	}
	snprintf(id, ID_TEXT, "%.*s", (int)strcspn(buf_str(&answer), " \n"),
		 buf_str(&answer));
	buf_release(&fzf);
	buf_release(&show);
	buf_release(&preview);
	buf_release(&rows);
	buf_release(&answer);
	arena_release(&a);
	return status == 0 && *id		   ? 1
	       : status == 1 || status == FZF_LEFT ? 0
						   : -1;
}

const char *cli_pick(const struct results *found, const char *said,
		     const char *argv0)
{
	static char id[ID_TEXT];
	struct arena a = {0};
	int r;

	if (!cli_on_terminal())
		cli_usage("-i needs a terminal: name a memory by its id or its "
			  "words");
	if (!found->n)
		choose_none("there is nothing to choose from",
			    "'co list' shows the memories");
	r = ask_fzf(id, found, argv0);
	if (r == 0)
		choose_none("nothing was chosen", "more words find fewer");
	if (r > 0)
		return id;
	said = name_result(
		found,
		found->n == 1
			? &found->items[0]
			: ask_which(found, cli_select_noun(found), said, &a),
		false);
	arena_release(&a);
	return said;
}

/* What is said of each kind that words may name. */
static const struct kind {
	enum area area;
	const char *noun; /* of several; NULL: as the results are */
	const char *none; /* what has not these words, and the hint then */
	const char *hint; /* NULL: recall and list */
	const char *list; /* the command that shows them */
} kinds[] = {
	[CHOOSE_MEMORIES] = {AREA_MEMORIES, NULL, "memory", NULL, "co list"},
	[CHOOSE_ALL] = {AREA_MEMORIES, NULL, "memory", NULL, "co list"},
	[CHOOSE_DRAFTS] = {AREA_DRAFTS, "drafts", "draft",
			   "'co review --list' shows the drafts",
			   "co review --list"},
	[CHOOSE_TRASH] = {AREA_TRASH, NULL, "memory in the trash",
			  "'co list --trash' lists the trash",
			  "co list --trash"},
};

/* The stores that are searched, and for what. */
struct choosing {
	struct store stores[2]; /* project, user */
	bool global;		/* only the latter */
	enum choose_among among;
};

/* Append to FOUND the memories, articles or drafts that C wants and that contain the N
 * words OPERANDS, or all memories, newest first. Append the words to SAID. */
static void find_all(struct choosing *c, char **operands, int n,
		     struct results *found, struct buf *said)
{
	struct strings words = {0};
	struct grep_query all = {0};
	struct arena a = {0};
	bool unread = false;
	struct err e;

	for (int i = 0; i < n; i++)
		buf_addf(said, "%s%s", i ? " " : "", operands[i]);
	cli_select_words(&words, buf_str(said), &a);
	for (int user = c->global; user < 2; user++) {
		if (!n)
			out_collect(&c->stores[user], user, AREA_MEMORIES, &all,
				    found, &unread);
		else if (cli_open_store_if(&c->stores[user], user) && words.n)
			search_words(&c->stores[user], kinds[c->among].area,
				     &words, found);
	}
	for (int user = c->global;
	     user < 2 && (c->among == CHOOSE_ALL || c->among == CHOOSE_TRASH);
	     user++) {
		if (cli_select_articles(&c->stores[user],
					c->among == CHOOSE_TRASH, &words, found,
					&e) == 0)
			continue;
		/* If articles/ is a link, the memories are still there. */
		if (e.code != ERR_DATA)
			cli_die(&e);
		cli_complain(&e);
	}
	if (!n)
		results_reorder(found, RESULTS_NEWEST);
	free(words.items);
	arena_release(&a);
}

static void close_stores(struct choosing *c)
{
	for (int user = c->global; user < 2; user++)
		store_close(&c->stores[user]);
}

char **cli_pick_operand(char **operands, int *n, bool global, const char *argv0)
{
	static char *one[2];
	struct results found = {.order = RESULTS_AS_ADDED, .whole = true};
	struct choosing c = {.global = global};
	struct buf said = {0};

	if (!cli_on_terminal())
		cli_pick(&found, NULL, argv0);
	find_all(&c, operands, *n, &found, &said);
	one[0] = (char *)(uintptr_t)cli_pick(&found, *n ? said.p : NULL, argv0);
	*n = 1;
	results_release(&found);
	close_stores(&c);
	buf_release(&said);
	return one;
}

bool cli_is_id_list(const char *text)
{
	return strchr(text, ',') && text[strspn(text, "g0123456789, ")] == '\0';
}

/* End the process: nothing of KIND has the words SAID. */
static void NORETURN find_none(const struct kind *kind, const char *said,
			       struct arena *a)
{
	const char *hint = cli_is_id_list(said) ? CLI_ID_LIST_HINT : kind->hint;

	if (!hint)
		hint = arena_printf(a, CLI_SEARCH_HINT, said);
	choose_none(arena_printf(a, "no %s%s has '%s'", kind->none,
				 cli_failed() ? " that could be read" : "",
				 said),
		    hint);
}

void cli_want_operand(enum choose_among among)
{
	cli_usage("name a %s by its id, its path or its words: '%s' shows them",
		  kinds[among].none, kinds[among].list);
}

/* Put into FOUND the memories that the N words OPERANDS mean, and the words into SAID.
 * Return false, with no store open, if one of OPERANDS is not a word. End the process if
 * N is 0 or nothing matches. */
static bool find_words(struct choosing *c, char **operands, int n,
		       struct results *found, struct buf *said)
{
	const struct kind *kind = &kinds[c->among];

	if (!n)
		cli_want_operand(c->among);
	if (kind->area == AREA_MEMORIES)
		cli_expand_last(operands);
	for (int i = 0; i < n; i++) {
		if (!is_search_word(operands[i], c->among))
			return false;
	}
	find_all(c, operands, n, found, said);
	if (!found->n)
		find_none(kind, said->p, &cli_arena);
	return true;
}

/* Return what the results FOUND of C are called. */
static const char *noun_of(const struct choosing *c,
			   const struct results *found)
{
	const char *noun = kinds[c->among].noun;

	return noun ? noun : cli_select_noun(found);
}

int cli_choose(char **operands, int n, bool global, enum choose_among among)
{
	struct results found = {.order = RESULTS_AS_ADDED};
	struct choosing c = {.global = global, .among = among};
	const struct result *one;
	struct buf said = {0};

	if (!find_words(&c, operands, n, &found, &said))
		return n;
	one = found.n == 1 ? found.items
			   : ask_which(&found, noun_of(&c, &found), said.p,
				       &cli_arena);
	operands[0] = name_result(&found, one, among == CHOOSE_TRASH);
	if (n > 1)
		operands[1] = NULL;
	results_release(&found);
	close_stores(&c);
	buf_release(&said);
	return 1;
}

int cli_choose_several(char ***operands, int n, bool global,
		       enum choose_among among, const char *question)
{
	struct results found = {.order = RESULTS_AS_ADDED};
	struct choosing c = {.global = global, .among = among};
	struct buf said = {0};

	if (!find_words(&c, *operands, n, &found, &said))
		return n;
	/* The person can answer "all" and must see what that is. */
	if (found.n > 1)
		list_choices(&found, noun_of(&c, &found), said.p,
			     cli_on_terminal() ? found.n : SHOWN, &cli_arena);
	if (found.n > 1 && !cli_choose_some(&found, question))
		cli_end(ERR_NO);
	n = (int)found.n;
	*operands = arena_alloc(&cli_arena, (found.n + 1) * sizeof(**operands));
	for (int i = 0; i < n; i++)
		(*operands)[i] = arena_strdup(
			&cli_arena, name_result(&found, &found.items[i],
						among == CHOOSE_TRASH));
	(*operands)[n] = NULL;
	results_release(&found);
	close_stores(&c);
	buf_release(&said);
	return n;
}

const char *cli_choose_value(const char *value, bool global)
{
	char *one[] = {arena_strdup(&cli_arena, value), NULL};

	if (!*value || cli_is_id_list(value))
		return value;
	cli_choose(one, 1, global, CHOOSE_MEMORIES);
	return arena_strdup(&cli_arena, one[0]);
}

void cli_choose_one(char **operands, int n, bool global,
		    enum choose_among among)
{
	if (cli_choose(operands, n, global, among) > 1)
		cli_usage("unexpected operand '%s'", operands[1]);
}

char **cli_or_last(char **operands, int *n)
{
	static char id[ID_TEXT];
	static char *one[2] = {id};
	const char *last = *n ? NULL : cli_last_shown();

	if (!last)
		return operands;
	snprintf(id, sizeof(id), "%s", last);
	*n = 1;
	return one;
}

/* Reduce FOUND to those that ANSWER names, in that order: see find_named(). ANSWER is
 * modified. Return false if it names anything else, or one twice. */
static bool keep_chosen(struct results *found, char *answer)
{
	size_t kept = 0;
	char *rest;

	for (char *word = strtok_r(answer, " ,\t", &rest); word;
	     word = strtok_r(NULL, " ,\t", &rest)) {
		const struct result *named = find_named(found, word);
		const size_t i = named ? (size_t)(named - found->items) : 0;
		struct result swapped;

		if (!named || i < kept)
			return false;
		swapped = found->items[kept];
		found->items[kept++] = found->items[i];
		found->items[i] = swapped;
	}
	found->n = kept;
	return kept > 0;
}

bool cli_choose_some(struct results *found, const char *question)
{
	struct buf text = {0}, answer = {0};
	bool chosen;

	buf_addf(&text, "%s [ids, a(ll), n(one)]", question);
	chosen = cli_ask_line(text.p, &answer) && answer.len;
	if (chosen && strcmp(answer.p, "a") != 0 &&
	    strcmp(answer.p, "all") != 0)
		chosen = keep_chosen(found, answer.p);
	if (!chosen)
		cli_note("nothing was chosen");
	if (!chosen && answer.len && !strchr("nN", *answer.p))
		cli_hint("type ids that the list has, or names of articles, "
			 "with blanks between");
	buf_release(&text);
	buf_release(&answer);
	return chosen;
}
