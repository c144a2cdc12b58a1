/* delivery.c: a line of the log has the time, the agent, the event, the session,
 * the milliseconds, and what delivery_add() says.
 *
 * Known limit: a hook that is cut off between its note and its answer counts as
 * one that answered; the agent is then told that the context is missing.
 */
#include "agent/delivery.h"

#include "agent/log.h"
#include "base/instant.h"
#include "sys/dirs.h"
#include "sys/file.h"
#include "text/sanitize.h"

#include <fcntl.h>
#include <unistd.h>

#define START "SessionStart"

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

/* True if WHEN, an instant as the log has it, is of the last seconds. */
static bool is_recent(const char *when)
{
	struct instant at;
	int64_t age;

	if (!instant_parse(when, strlen(when), &at))
		return false;
	age = instant_now().sec - at.sec;
	return age >= 0 && age <= DELIVERY_SECONDS;
}

/* True if LINE tells of it. */
static bool tells(const char *line, enum agent agent, const char *session,
		  const char *folder)
{
	char when[32], name[16], id[81];
	size_t bytes = 0;
	int at = 0;

	if (sscanf(line, "%31s %15s " START " %80s %*d ms: %zu bytes, in %n",
		   when, name, id, &bytes, &at) < 4 ||
	    !at || !bytes)
		return false;
	return !strcmp(name, agent_name(agent)) && !strcmp(line + at, folder) &&
	       (session ? !strcmp(id, session) : is_recent(when));
}

static bool look(struct buf *log, enum agent agent, const char *session)
{
	struct buf folder = {0};
	bool found = false;
	char *line = log->p, *end;

	add_folder(&folder);
	for (; !found && (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		found = tells(line, agent, session, buf_str(&folder));
	}
	buf_release(&folder);
	return found;
}

bool delivery_was(enum agent agent, const char *session)
{
	struct buf log = {0};
	bool was = false;
	struct err none;
	char *path;
	int dir;

	if (dirs_state(&path, &none) < 0)
		return false;
	if (file_open_dir(AT_FDCWD, path, path, &dir, &none) == 1) {
		was = file_read(dir, DELIVERY_LOG, path, 2 * LOG_MAX, &log,
				&none) == 1 &&
		      log.len && look(&log, agent, session);
		close(dir);
	}
	buf_release(&log);
	free(path);
	return was;
}
