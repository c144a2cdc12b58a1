/* aider.c: Markdown.  `#### ` begins each line of a person's, `> ` what the
 * program says, and all else is the model's, in whose fenced code neither means
 * anything.  A person's line with a slash is a command.
 *
 * Known limit: a heading of that level in a reply reads as a person's.
 */
#include "transcript/aider.h"

#include "base/utf8.h"
#include "sys/lines.h"
#include "transcript/backward.h"

#include <unistd.h>

#define SESSION "# aider chat started at "
#define PERSON "#### "

enum voice { NOBODY, PERSONS, MODELS };

struct history {
	struct reading *rd;
	enum voice voice;
	size_t fence; /* backticks that opened the code we are in, 0: none */
};

static bool starts(const char *p, size_t len, const char *word)
{
	return len >= strlen(word) && !memcmp(p, word, strlen(word));
}

/* Give what was heard until now. */
static int flush(struct history *h, enum voice next)
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

static int hear(struct history *h, enum voice voice, const char *p, size_t len)
{
	struct buf *text = &h->rd->text;
	int r = 0;

	if (h->voice != voice || text->len > READING_LINE_MAX)
		r = flush(h, voice);
	while (len && strchr(" \t\r", p[len - 1]))
		len--;
	buf_add(text, p, len);
	buf_addc(text, '\n');
	return r;
}

/* Note whether the line P of a reply opens or closes a fence. */
static void note_fence(struct history *h, const char *p, size_t len)
{
	size_t n = 0;

	while (n < len && p[n] == '`')
		n++;
	if (!h->fence)
		h->fence = n >= 3 ? n : 0;
	else if (n >= h->fence)
		h->fence = 0;
}

static int take_line(struct history *h, const char *p, size_t len)
{
	const size_t mark = strlen(PERSON);

	if (starts(p, len, SESSION)) {
		h->fence = 0;
		return flush(h, NOBODY);
	}
	if (!h->fence && starts(p, len, PERSON "/"))
		return flush(h, NOBODY);
	if (!h->fence && starts(p, len, PERSON))
		return hear(h, PERSONS, p + mark, len - mark);
	if (!h->fence && starts(p, len, ">"))
		return h->voice == MODELS ? flush(h, NOBODY) : 0;
	/* A blank line does not yet say who speaks. */
	if (h->voice != MODELS) {
		const char *q = p;
		size_t n = len;

		utf8_strip(&q, &n);
		if (!n)
			return 0;
	}
	note_fence(h, p, len);
	return hear(h, MODELS, p, len);
}

int aider_count(int fd, const char *path, struct err *e)
{
	struct lines lines = {.fd = fd,
			      .path = path,
			      .max = READING_LINE_MAX,
			      .longest = BACKWARD_LONGEST};
	const char *p;
	size_t len;
	int r = 0, n = 0;

	if (lseek(fd, 0, SEEK_SET) < 0)
		return err_sys(e, "cannot read '%s'", path);
	while (n < 2 && (r = lines_next(&lines, &p, &len, e)) != 0) {
		if (r < 0 && e->code != ERR_DATA)
			break;
		n += r > 0 && starts(p, len, SESSION);
	}
	lines_release(&lines);
	return r < 0 && e->code != ERR_DATA ? -1 : n;
}

int aider_read(struct reading *rd)
{
	struct history h = {.rd = rd};
	struct lines lines = {.fd = rd->fd,
			      .path = rd->path,
			      .max = READING_LINE_MAX,
			      .longest = BACKWARD_LONGEST};
	const char *p;
	struct err why;
	size_t len;
	int r, taken = 0;

	if (lseek(rd->fd, 0, SEEK_SET) < 0)
		return err_sys(rd->e, "cannot read '%s'", rd->path);
	while (!taken && (r = lines_next(&lines, &p, &len, &why)) != 0) {
		if (r < 0 && why.code != ERR_DATA) {
			*rd->e = why;
			break;
		}
		if (r < 0 || utf8_check(p, len) < len)
			rd->skipped++;
		else
			taken = take_line(&h, p, len);
	}
	lines_release(&lines);
	if (!taken && r < 0)
		return -1;
	return taken ? taken : flush(&h, NOBODY);
}
