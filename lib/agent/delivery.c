/* delivery.c: a line of the log has the time, the agent, the event, the session,
 * the milliseconds, and what delivery_add() says.
 *
 * Known limits: a hook that is cut off between its note and its answer counts
 * as one that answered; the agent is then told that the context is missing.
 * Hook and server of the very first session, that look at the same time, both
 * bring it.
 */
#include "agent/delivery.h"

#include "agent/log.h"
#include "base/instant.h"
#include "sys/dirs.h"
#include "sys/file.h"
#include "text/sanitize.h"

#include <fcntl.h>
#include <unistd.h>

#define HOOK "SessionStart"
#define SERVER "mcp"
#define CUT ", cut"

static void add_folder(struct buf *out)
{
	char *cwd = getcwd(NULL, 0);

	if (cwd)
		sanitize_terminal(out, cwd, strlen(cwd), false);
	free(cwd);
}

void delivery_add(struct buf *out, size_t bytes)
{
	buf_addf(out, "%zu bytes, in ", bytes);
	add_folder(out);
}

void delivery_note(enum agent agent, const char *session, size_t bytes,
		   bool whole)
{
	struct buf line = {0};

	buf_addf(&line, "%s " SERVER " %s 0 ms: %zu bytes%s, in ",
		 agent_name(agent), session && *session ? session : "-", bytes,
		 whole ? "" : CUT);
	add_folder(&line);
	log_add(DELIVERY_LOG, line.p);
	buf_release(&line);
}

/* What a line says. */
struct note {
	int64_t at; /* s */
	bool server, whole;
	char session[81];
	size_t bytes;
};

/* Take LINE, where it is a note on AGENT in FOLDER. */
static bool take(const char *line, enum agent agent, const char *folder,
		 struct note *n)
{
	char when[32], name[16], event[16];
	struct instant at;
	int end = 0;

	if (sscanf(line, "%31s %15s %15s %80s %*d ms: %zu bytes%n", when, name,
		   event, n->session, &n->bytes, &end) < 5 ||
	    !end || strcmp(name, agent_name(agent)) != 0 ||
	    !instant_parse(when, strlen(when), &at))
		return false;
	n->at = at.sec;
	n->server = !strcmp(event, SERVER);
	n->whole = strncmp(line + end, CUT, strlen(CUT)) != 0;
	end += n->whole ? 0 : (int)strlen(CUT);
	return (n->server || !strcmp(event, HOOK)) &&
	       !strncmp(line + end, ", in ", 5) &&
	       !strcmp(line + end + 5, folder);
}

/* Replace LOG's contents by the log. */
static void read_log(struct buf *log)
{
	struct err none;
	char *path;
	int dir;

	if (dirs_state(&path, &none) < 0)
		return;
	if (file_open_dir(AT_FDCWD, path, path, &dir, &none) == 1) {
		if (file_read(dir, DELIVERY_LOG, path, 2 * LOG_MAX, log,
			      &none) != 1)
			buf_cut(log, 0);
		close(dir);
	}
	free(path);
}

/* The next line of the log, without its end, from *AT on; NULL at the end. */
static char *next_line(char **at)
{
	char *line = *at, *end = line ? strchr(line, '\n') : NULL;

	if (!end)
		return NULL;
	*end = '\0';
	*at = end + 1;
	return line;
}

bool delivery_by_hook(enum agent agent, const char *session)
{
	const int64_t now = instant_now().sec;
	struct buf log = {0}, folder = {0};
	bool was = false, here = false;
	int64_t started = 0, hooked = -1; /* the last ones of before */
	struct note n;
	char *at, *line;

	add_folder(&folder);
	read_log(&log);
	for (at = log.p; (line = next_line(&at));) {
		if (!take(line, agent, buf_str(&folder), &n))
			continue;
		if (n.server) {
			started = n.at;
		} else if (session ? !strcmp(n.session, session)
				   : now - n.at <= DELIVERY_SECONDS &&
					     n.at <= now) {
			here = true;
			was = was || n.bytes;
		} else {
			hooked = n.at;
		}
	}
	buf_release(&log);
	buf_release(&folder);
	return here ? was : hooked >= 0 && hooked >= started - DELIVERY_SECONDS;
}

bool delivery_by_server(enum agent agent, const char *session)
{
	struct buf log = {0}, folder = {0};
	bool was = false;
	struct note n;
	char *at, *line;

	add_folder(&folder);
	read_log(&log);
	for (at = log.p; (line = next_line(&at));) {
		if (take(line, agent, buf_str(&folder), &n) && n.server &&
		    !strcmp(n.session, session))
			was = n.whole && n.bytes;
	}
	buf_release(&log);
	buf_release(&folder);
	return was && *session;
}

bool delivery_is_late(char when[INSTANT_TEXT])
{
	static const char late[] = " ms: no answer within ";
	struct buf log = {0};
	bool found = false;
	char *at, *line;
	size_t n;

	read_log(&log);
	for (at = log.p; (line = next_line(&at)) && !(found && !when);) {
		n = strcspn(line, " ");
		if (!strstr(line, late) || n >= INSTANT_TEXT)
			continue;
		found = true;
		if (when)
			snprintf(when, INSTANT_TEXT, "%.*s", (int)n, line);
	}
	buf_release(&log);
	return found;
}

bool delivery_said(const char *text)
{
	const size_t len = strlen(text);
	struct buf log = {0};
	bool said = false;
	char *at, *line;

	read_log(&log);
	for (at = log.p; !said && (line = next_line(&at));) {
		const size_t n = strlen(line);

		said = n >= len && !strcmp(line + n - len, text);
	}
	buf_release(&log);
	return said;
}
