/* aider.c: the record is Markdown. Lines of the user begin with `#### `, lines
 * of the program with `> `; all others are the model's. In the model's fenced
 * code, neither prefix has a meaning. A user's line that begins with a slash is
 * a command.
 *
 * Known limit: a heading of level four in a reply is taken for a user's line.
 */
#include "reader/reader.h"

#include "base/utf8.h"
#include "sys/io.h"

#define SESSION "# aider chat started at "
#define PERSON "#### "

enum voice { NOBODY, PERSONS, MODELS };

struct aider_reader {
	struct reading *rd;
	enum voice voice;
	size_t fence; /* backticks that opened the current code block; 0:
		       * none */
};

static bool starts_with(const char *p, size_t len, const char *word)
{
	return len >= strlen(word) && !memcmp(p, word, strlen(word));
}

/* Give the current turn, and begin one of NEXT. */
static int end_turn(struct aider_reader *h, enum voice next)
{
	struct buf *text = &h->rd->text;
	const char *role = h->voice == PERSONS ? TURN_USER : TURN_ASSISTANT;
	int r = 0;

	if (h->voice != NOBODY)
		r = reading_give(h->rd, role, buf_str(text), text->len, NULL);
	buf_cut(text, 0);
	h->voice = next;
	return r;
}

static int add_words(struct aider_reader *h, enum voice voice, const char *p,
		     size_t len)
{
	struct buf *text = &h->rd->text;
	int r = 0;

	if (h->voice != voice || text->len > READING_LINE_MAX)
		r = end_turn(h, voice);
	while (len && strchr(" \t\r", p[len - 1]))
		len--;
	buf_add(text, p, len);
	buf_addc(text, '\n');
	return r;
}

/* Update the fence if the line P of a reply opens or closes one. */
static void update_fence(struct aider_reader *h, const char *p, size_t len)
{
	size_t n = 0;

	while (n < len && p[n] == '`')
		n++;
	if (!h->fence)
		h->fence = n >= 3 ? n : 0;
	else if (n >= h->fence)
		h->fence = 0;
}

static int process_line(struct aider_reader *h, const char *p, size_t len)
{
	const size_t mark = strlen(PERSON);

	if (starts_with(p, len, SESSION)) {
		h->fence = 0;
		return end_turn(h, NOBODY);
	}
	if (!h->fence && starts_with(p, len, PERSON "/"))
		return end_turn(h, NOBODY);
	if (!h->fence && starts_with(p, len, PERSON))
		return add_words(h, PERSONS, p + mark, len - mark);
	if (!h->fence && starts_with(p, len, ">"))
		return h->voice == MODELS ? end_turn(h, NOBODY) : 0;
	/* A blank line does not tell yet who speaks. */
	if (h->voice != MODELS) {
		const char *q = p;
		size_t n = len;

		utf8_strip(&q, &n);
		if (!n)
			return 0;
	}
	update_fence(h, p, len);
	return add_words(h, MODELS, p, len);
}

static int count_sessions(int fd, const char *path, struct err *e)
{
	struct reading rd = {.fd = fd, .path = path, .e = e};
	struct lines lines;
	const char *p;
	size_t len;
	int r = 0, n = 0;

	if (reading_open_lines(&rd, &lines) < 0)
		return -1;
	while (n < 2 && (r = io_lines_next(&lines, &p, &len, e)) != 0) {
		if (r < 0 && e->code != ERR_DATA)
			break;
		n += r > 0 && starts_with(p, len, SESSION);
	}
	io_lines_release(&lines);
	return r < 0 && e->code != ERR_DATA ? -1 : n;
}

static int read_aider(struct reading *rd)
{
	struct aider_reader h = {.rd = rd};
	struct lines lines;
	const char *p;
	struct err why;
	size_t len;
	int r, taken = 0;

	if (reading_open_lines(rd, &lines) < 0)
		return -1;
	while (!taken && (r = io_lines_next(&lines, &p, &len, &why)) != 0) {
		if (r < 0 && why.code != ERR_DATA) {
			*rd->e = why;
			break;
		}
		if (r < 0 || utf8_check(p, len) < len)
			rd->skipped++;
		else
			taken = process_line(&h, p, len);
	}
	io_lines_release(&lines);
	if (!taken && r < 0)
		return -1;
	return taken ? taken : end_turn(&h, NOBODY);
}

const struct reader reader_aider = {"aider",
				    .resume = "aider --restore-chat-history",
				    .resumes_last = true,
				    .begins = "# aider chat started at ",
				    .read = read_aider,
				    .count = count_sessions,
				    .by_directory = true};
