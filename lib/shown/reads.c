/* reads.c: see reads.h. */
#include "shown/reads.h"

#include "base/utf8.h"
#include "format/json-read.h"
#include "shown/shown-file.h"
#include "sys/file.h"
#include "text/sanitize.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define READS_FILE "reads.jsonl"
#define LOST_FILE \
	READS_FILE ".lost" /* its time is that of the last lost line */

static const struct log_file file = {SHOWN_FILE_FOLDER, READS_FILE,
				     SHOWN_FILE_MAX};

bool reads_add_page(struct buf *out, const char *url)
{
	const size_t start = out->len;
	const char *host;

	if (strncmp(url, "https://", 8) != 0 && strncmp(url, "http://", 7) != 0)
		return false;
	host = strstr(url, "://") + 3;
	buf_add(out, url, (size_t)(host - url));
	for (const char *at = host + strcspn(host, "/?#"); at > host; at--) {
		if (at[-1] == '@') {
			host = at;
			break;
		}
	}
	sanitize_line(out, host, strcspn(host, "?#"));
	if (out->len - start > READS_PAGE)
		buf_cut(out, start + utf8_cut(out->p + start, out->len - start,
					      READS_PAGE));
	return true;
}

/* Append the path of the file NAME in the directory of reads. Return false if there is
 * none. */
static bool add_file_path(struct buf *out, const char *name)
{
	struct err none;

	if (log_add_path(out, &file, &none) < 0)
		return false;
	buf_addf(out, "/%s", name);
	return true;
}

/* Mark that a line could not be written now. An empty file needs no room on a full
 * disk. */
static void mark_lost(void)
{
	const struct timespec now = {.tv_sec = (time_t)instant_now().sec};
	const struct timespec times[] = {now, now};
	struct buf path = {0};
	int fd = -1;

	if (add_file_path(&path, LOST_FILE))
		fd = file_open(AT_FDCWD, path.p,
			       O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK |
				       O_NOCTTY,
			       0600);
	if (fd >= 0)
		futimens(fd, times);
	file_close(fd);
	buf_release(&path);
}

/* Return true if a line was lost at SINCE or later, or if that cannot be found out. */
static bool has_lost(int64_t since)
{
	struct buf path = {0};
	struct stat st;
	bool lost = false;

	if (add_file_path(&path, LOST_FILE))
		lost = lstat(path.p, &st) == 0
			       ? st.st_mtime >= since
			       : errno != ENOENT && errno != ENOTDIR;
	buf_release(&path);
	return lost;
}

void reads_note(const char *agent, const char *session, const char *from)
{
	struct buf line = {0};
	char now[INSTANT_TEXT];

	json_write_open(&line, NULL, '{');
	json_write_text(&line, "at", instant_format(instant_now(), now));
	json_write_text(&line, "agent", agent);
	json_write_text(&line, "session", session);
	json_write_text(&line, "read", from);
	json_write_close(&line, '}');
	if (!log_add_data(&file, &line))
		mark_lost();
	buf_release(&line);
}

/* Return 0 if the file is absent, or can be read and written to, or -1. */
static int check_usable(struct err *e)
{
	struct buf path = {0};
	int r = log_add_path(&path, &file, e);
	bool usable;

	if (r == 0) {
		usable = access(path.p, R_OK | W_OK | X_OK) == 0 ||
			 errno == ENOENT;
		buf_adds(&path, "/" READS_FILE);
		usable = usable &&
			 (access(path.p, R_OK | W_OK) == 0 || errno == ENOENT);
		if (!usable)
			r = err_sys(e, "cannot use '%s'", path.p);
	}
	buf_release(&path);
	return r;
}

static void add_place(struct strings *from, const char *place, struct arena *a)
{
	if (from->n < READS_MAX && !strings_has(from, place))
		strings_add(from, arena_strdup(a, place));
}

/* Return true if V is a line of SESSION of AGENT. A line without a session may be. */
static bool is_of(const struct value *v, const char *agent, const char *session,
		  int64_t since)
{
	const char *at = value_text(v, "at"), *is = value_text(v, "session");
	struct instant time;

	if (!value_is(value_get(v, "agent"), agent) || !at || !is ||
	    !value_text(v, "read") || !instant_parse(at, strlen(at), &time))
		return false;
	if (*session && *is)
		return !strcmp(session, is);
	return time.sec >= since;
}

int64_t reads_recent(void)
{
	return instant_now().sec - READS_SECONDS;
}

int reads_find(struct strings *from, const char *agent, const char *session,
	       int64_t since, struct arena *a, struct err *e)
{
	struct buf text = {0};
	struct arena lines = {0};
	const char *line;
	size_t at = 0, len;
	struct value v;
	const int r = log_read(&file, &text, e) < 0 ? -1 : check_usable(e);

	if (r < 0)
		add_place(from, "unknown: co cannot use " READS_FILE, a);
	if (has_lost(since))
		add_place(from, "unknown: " READS_FILE " could not be written",
			  a);
	while (buf_next_line(&text, &at, &line, &len)) {
		arena_reset(&lines);
		if (json_parse(line, len, &lines, &v, NULL) == 0 &&
		    is_of(&v, agent, session, since))
			add_place(from, value_text(&v, "read"), a);
	}
	arena_release(&lines);
	buf_release(&text);
	return r;
}

void reads_carry(const char *agent, const char *earlier, const char *session)
{
	struct strings from = {0};
	struct arena a = {0};

	reads_find(&from, agent, earlier, reads_recent(), &a, NULL);
	for (size_t i = 0; i < from.n; i++)
		reads_note(agent, session, from.items[i]);
	free(from.items);
	arena_release(&a);
}
