/* rank.c: DOCS [-s] [-n N] [-c COSINE,...] [-a] [-r] QUESTION: print the
 * documents of DOCS that match QUESTION, best first: the number of each, how
 * many words of the question it has, and "partial" for a partial match; with -s
 * its signals. -c gives a cosine for each document, -a ranks by cosines only,
 * -r fuses by ranks.
 *
 * DOCS has one document per line: created, tags separated by commas, source,
 * text, separated by |. In the text, ^ is a line break. A source article/NAME
 * makes sections of an article.
 */
#include "read-documents.h"
#include "sys/file.h"

#include <unistd.h>

static struct held held;
static struct arena arena;
static float cosines[4096];
static bool signals;

static char *cut(char **line, char end)
{
	char *field = *line, *at = strchr(field, end);

	if (at)
		*at++ = '\0';
	*line = at ? at : field + strlen(field);
	return field;
}

static void add(char *line)
{
	const char **tags = arena_alloc(&arena, 16 * sizeof(*tags));
	struct rank_doc d = {.tags = tags};
	char *created = cut(&line, '|'), *all = cut(&line, '|');
	const char *source = cut(&line, '|');

	instant_parse_day(created, strlen(created), &d.created);
	while (*all && d.ntags < 16)
		tags[d.ntags++] = cut(&all, ',');
	d.source = *source ? source : NULL;
	d.text = line;
	d.text_len = strlen(line);
	for (char *p = line; (p = strchr(p, '^'));)
		*p = '\n';
	held_add(&held, d, NULL);
	if (!strncmp(source, "article/", 8)) {
		held.families[held.doc] =
			held_number(&held, source) | FAMILIES_ARTICLE;
		held.places[held.doc] = held.doc;
	}
}

static void show(const struct rank_result *r)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct rank_hit *h = &r->hits[i];

		printf("%u %u/%zu%s", h->doc + 1, h->words, r->words,
		       h->partial ? " partial" : "");
		for (size_t k = 0; k < RANK_NSIGNALS && signals; k++) {
			if (h->signals[k] != 0)
				printf(" %s %.3f", rank_signal_names[k],
				       (double)h->signals[k]);
		}
		putchar('\n');
	}
}

static void read_cosines(char *list)
{
	for (size_t i = 0; *list && i < ARRAY_LEN(cosines); i++)
		cosines[i] = strtof(cut(&list, ','), NULL);
}

/* Read the options. Return false if one is wrong. */
static bool read_options(int argc, char **argv, struct rank_ask *ask)
{
	int opt;

	while ((opt = getopt(argc, argv, "sn:c:a")) != -1) {
		if (opt == 's') {
			signals = true;
		} else if (opt == 'n') {
			ask->max = strtoul(optarg, NULL, 10);
		} else if (opt == 'c') {
			read_cosines(optarg);
			ask->cosine = cosines;
		} else if (opt == 'a') {
			ask->cosine_alone = true;
		} else {
			return false;
		}
	}
	return optind + 2 == argc;
}

int main(int argc, char **argv)
{
	struct query q;
	struct rank_ask ask = {.query = &q, .max = 10};
	struct rank_result result;
	struct buf docs = {0};
	struct err e;
	const char *text;
	char *at;

	if (!read_options(argc, argv, &ask) ||
	    file_read_path(argv[optind], SIZE_MAX / 2, &docs, &e) < 0)
		return 2;
	text = argv[optind + 1];
	for (at = docs.p; at && *at;)
		add(cut(&at, '\n'));
	query_parse(&q, text, strlen(text), &arena);
	if (rank(held_finish(&held), &ask, &arena, &result, &e) < 0)
		return 1;
	show(&result);
	held_release(&held);
	buf_release(&docs);
	arena_release(&arena);
	return 0;
}
