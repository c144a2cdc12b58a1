/* confirm.c: as review shows what is alike. */
#include "cli/confirm.h"

#include "base/utf8.h"
#include "cli/cli.h"
#include "search/similar.h"
#include "sys/io.h"
#include "sys/terminal.h"

#include <sys/stat.h>
#include <unistd.h>

/* Ask until there is an answer; ID is NULL where nothing can be replaced. */
static enum confirm ask(const char *id)
{
	char question[80], replaces[80] = "";

	snprintf(question, sizeof(question), "Save it all the same [y,n,%s?]?",
		 id ? "r," : "");
	if (id)
		snprintf(replaces, sizeof(replaces),
			 "r - save it in the place of memory %s\n", id);
	for (;;) {
		switch (cli_ask_key(question)) {
		case 'y':
			return CONFIRM_SAVE;
		case 'r':
			if (id)
				return CONFIRM_REPLACE;
			break;
		case 'n':
		case 'q':
		case 0:
			return CONFIRM_DECLINED;
		}
		cli_outf("y - save it beside these\nn - do not save it\n%s",
			 replaces);
	}
}

/* What is about to be saved as NEW. */
static struct record asked_as(const struct store_new *new)
{
	struct record r = {.path = "",
			   .content = new->content,
			   .content_len = new->len,
			   .at = instant_now()};

	if (new->created &&
	    !instant_parse(new->created, strlen(new->created), &r.at))
		instant_parse_day(new->created, strlen(new->created), &r.at);
	utf8_strip(&r.content, &r.content_len);
	return r;
}

static const struct coloring *colors(void)
{
	static const struct coloring coloring;

	return terminal_has_colors(STDERR_FILENO) ? &coloring : NULL;
}

/* Say by which option those of the N HITS are replaced that say otherwise. */
static void say_replaces(const struct similar_hit *hits, size_t n)
{
	struct buf ids = {0};
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		if (hits[i].otherwise)
			buf_addf(&ids, "%s%s%lld", count++ ? "," : "",
				 hits[i].record->scope == SCOPE_GLOBAL ? "g"
								       : "",
				 (long long)hits[i].record->id);
	}
	if (count)
		cli_note("'co learn --replaces=%s' puts this in %s place",
			 ids.p, count > 1 ? "their" : "its");
	buf_release(&ids);
}

/* Of the N HITS, that which most likely is to be replaced, NULL: none. */
static const struct similar_hit *outdated(const struct similar_hit *hits,
					  size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (hits[i].otherwise)
			return &hits[i];
	}
	return n && hits[0].area == AREA_MEMORIES ? &hits[0] : NULL;
}

enum confirm confirm_save(struct store *s, const struct store_new *new,
			  struct arena *a, const char **id)
{
	const struct record asked = asked_as(new);
	const bool asks = cli_on_terminal();
	struct err e; /* of what cannot be read the save tells */
	struct similar *all =
		cli_quiet && !asks ? NULL
				   : similar_to(s, new->content, new->len, &e);
	struct similar_hit hits[SIMILAR_SHOWN];
	const struct similar_hit *old = NULL;
	struct record same;
	struct buf text = {0};
	enum confirm answer = CONFIRM_SAVE;
	const size_t n =
		all ? similar_find(all, &asked, hits, SIMILAR_SHOWN) : 0;
	/* The very text is not saved again, and that is said. */
	const bool known = n && hits[0].percent == 100 &&
			   store_find_equal(s, asked.content, asked.content_len,
					    a, &same, &e);

	*id = NULL;
	if (n && !known) {
		similar_show(&text, hits, n, colors());
		old = outdated(hits, n);
	}
	cli_flush();
	io_write(STDERR_FILENO, buf_str(&text), text.len);
	if (old)
		*id = arena_printf(a, "%lld", (long long)old->record->id);
	if (text.len && asks)
		answer = ask(*id);
	else if (old)
		say_replaces(hits, n);
	if (answer != CONFIRM_REPLACE)
		*id = NULL;
	buf_release(&text);
	similar_free(all);
	return answer;
}

void confirm_saved(struct store *s, struct record *r, struct arena *a)
{
	struct err e;
	struct similar *all = cli_quiet
				      ? NULL
				      : similar_to_memories(s, r->content,
							    r->content_len, &e);
	struct similar_hit hits[SIMILAR_SHOWN];
	size_t n = 0,
	       found = all ? similar_find(all, r, hits, SIMILAR_SHOWN) : 0;
	struct buf text = {0};
	int64_t *ids = arena_alloc(a, sizeof(*ids) * SIMILAR_SHOWN);

	for (size_t i = 0; i < found; i++) {
		if (!hits[i].otherwise)
			continue;
		ids[n] = hits[i].record->id;
		hits[n++] = hits[i];
	}
	similar_show(&text, hits, n, colors());
	cli_flush();
	io_write(STDERR_FILENO, buf_str(&text), text.len);
	say_replaces(hits, n);
	r->otherwise = n ? ids : NULL;
	r->notherwise = n;
	buf_release(&text);
	similar_free(all);
}

static bool is_name(const char *p)
{
	struct stat st;

	if (!*p || p[strcspn(p, " \t\n")])
		return false;
	return strstr(p, "://") || !strncmp(p, "./", 2) ||
	       !strncmp(p, "../", 3) ||
	       (stat(p, &st) == 0 && S_ISREG(st.st_mode));
}

void confirm_refuse_names(char **operands)
{
	const char *first = *operands;

	for (char **p = operands; *p; p++) {
		if (!is_name(*p))
			return;
	}
	if (first && strstr(first, "://"))
		cli_usage("'%s' is an address: 'co learn URL' keeps a page of "
			  "http or https as an article, --text saves the "
			  "address alone",
			  first);
	if (first && access(first, F_OK) < 0)
		cli_usage("no such file: '%s'; --text saves the name itself",
			  first);
	if (first)
		cli_usage("'%s' is a file's name: 'co learn ./FILE' keeps it "
			  "as an article, 'co learn < %s' saves what it holds, "
			  "--text the name alone",
			  first, first);
}
