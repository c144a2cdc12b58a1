/* transcript.c: any bytes as an agent's record of a session: a line that picks
 * the agent and the form, then the record.
 *
 * Holds: a record is read or refused with a sentence; what a person said is
 * text, inside the limits; a last line that is half written takes nothing away;
 * where lines stand for themselves a record twice says all of it twice; what is
 * asked for is stripped and of a length; and what the suite itself put into a
 * prompt asks for nothing, whatever stands in it.
 */
#include "../fuzz.h"

#include "agent/compaction.h"
#include "agent/remember.h"
#include "agent/transcript.h"
#include "base/utf8.h"
#include "text/injected.h"

#include <fcntl.h>
#include <unistd.h>

static char folder[] = "/tmp/co-fuzz-XXXXXX", path[64];

static void remove_folder(void)
{
	unlink(path);
	rmdir(folder);
}

/* The record is P, then MORE. */
static void store(const char *p, size_t len, const char *more, size_t more_len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	must(fd >= 0 && write(fd, p, len) == (ssize_t)len &&
		     write(fd, more, more_len) == (ssize_t)more_len &&
		     close(fd) == 0,
	     "there is a record");
}

static int ask(void *ctx, const char *p, size_t len)
{
	size_t *n = ctx, left = len;
	const char *stripped = p;

	utf8_strip(&stripped, &left);
	must(left == len && len >= REMEMBER_MIN && len <= REMEMBER_MAX,
	     "what is asked for is stripped, and of a length");
	++*n;
	return 0;
}

static void must_be_said(const struct transcript *t)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct said *said = &t->items[i];
		struct buf inside = {0};
		size_t n = 0;

		must(said->len &&
			     utf8_check(said->text, said->len) == said->len,
		     "what was said is text");
		remember_each(said->text, said->len, ask, &n);
		n = 0;
		buf_adds(&inside, "before\n");
		injected_add(&inside, said->text, said->len);
		remember_each(inside.p, inside.len, ask, &n);
		must(!n, "what the suite put in asks for nothing");
		buf_release(&inside);
	}
}

static bool equal(const struct transcript *a, const struct transcript *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++) {
		if (a->items[i].len != b->items[i].len ||
		    memcmp(a->items[i].text, b->items[i].text, a->items[i].len))
			return false;
	}
	return true;
}

static void read_lines(enum agent agent, const char *p, size_t len,
		       const struct transcript *t, struct arena *a)
{
	static const char half[] = "{\"type\":\"user\",\"message\":{\"ro";
	struct transcript more;
	struct err e;

	store(p, len, half, len && p[len - 1] == '\n' ? sizeof(half) - 1 : 0);
	must(transcript_read(&more, agent, path, a, &e) == 0, "half a line");
	must(equal(t, &more), "takes nothing away");
	transcript_release(&more);
	if (agent == AGENT_GEMINI || !len || p[len - 1] != '\n')
		return;
	store(p, len, p, len);
	must(transcript_read(&more, agent, path, a, &e) == 0, "twice");
	must(more.n == 2 * t->n, "says all of it twice");
	must(more.skipped == 2 * t->skipped, "and skips as much");
	transcript_release(&more);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *p = size ? (const char *)data : "";
	struct arena a = {0};
	struct transcript t;
	struct err e;
	enum agent agent;
	bool older;
	size_t line;

	if (!*path) {
		must(mkdtemp(folder) != NULL, "there is a folder");
		atexit(remove_folder);
	}
	fuzz_line(&p, &size, &line, &a);
	agent = (enum agent)(line % (AGENTS - 1));
	older = agent == AGENT_GEMINI && line >= AGENTS - 1;
	unlink(path);
	snprintf(path, sizeof(path), "%s/x.json%s", folder, older ? "" : "l");
	store(p, size, "", 0);
	if (transcript_read(&t, agent, path, &a, &e) < 0) {
		must_be_error(&e);
		must(older, "lines are always read");
	} else {
		must_be_said(&t);
		compaction_is_last(path);
		if (!older)
			read_lines(agent, p, size, &t, &a);
	}
	transcript_release(&t);
	arena_release(&a);
	return 0;
}
