/* sessions.c: for each agent, a pattern of file names finds its records. The
 * facts about a session are in the first and last lines. These are searched for
 * members by name, without parsing, since there may be thousands of records.
 */
#include "transcript/sessions.h"

#include "base/mem.h"
#include "format/json-read.h"
#include "format/value.h"
#include "sys/dirs.h"
#include "sys/file.h"
#include "text/request-mark.h"
#include "transcript/opencode.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOOK ((size_t)64 * 1024)
#define OPENCODE_FILE "/opencode.db"

struct agent_dir {
	const char *variable; /* environment variable that moves the directory;
			       * or NULL */
	const char *folder;   /* below it, or below $HOME if it is unset */
	const char *patterns[3];
};

static const struct agent_dir places[] = {
	[TRANSCRIPT_CLAUDE] = {"CLAUDE_CONFIG_DIR",
			       ".claude",
			       {"projects/*/*.jsonl"}},
	[TRANSCRIPT_CODEX] = {"CODEX_HOME",
			      ".codex",
			      {"sessions/*/*/*/rollout-*.jsonl",
			       "archived_sessions/rollout-*.jsonl"}},
	[TRANSCRIPT_GEMINI] = {NULL,
			       ".gemini",
			       {"tmp/*/chats/session-*.jsonl",
				"tmp/*/chats/session-*.json"}},
	[TRANSCRIPT_OPENCODE] = {NULL, ".local/share/opencode", {NULL}},
	[TRANSCRIPT_COPILOT] = {"COPILOT_HOME",
				".copilot",
				{"session-state/*/events.jsonl"}},
	[TRANSCRIPT_QWEN] = {"QWEN_HOME",
			     ".qwen",
			     {"projects/*/chats/*.jsonl"}},
	/* The directory also has sessions.json, a list of them. */
	[TRANSCRIPT_CONTINUE] = {"CONTINUE_GLOBAL_DIR",
				 ".continue",
				 {"sessions/*-*.json"}},
};

/* Return the directory of P, in A, or NULL if it does not exist. */
static const char *find_dir(const struct agent_dir *p, struct arena *a)
{
	const char *moved = p->variable ? getenv(p->variable) : NULL;
	const char *home = dirs_home(), *path;

	if (moved && *moved == '/')
		path = arena_strdup(a, moved);
	else if (home)
		path = arena_printf(a, "%s/%s", home, p->folder);
	else
		return NULL;
	return file_is_gone(AT_FDCWD, path, true) ? NULL : path;
}

/* Return the string value of the first member KEY in the LEN bytes of P, or
 * with LAST of the last one; in A. NULL: none. */
static const char *find_member(const char *p, size_t len, const char *key,
			       bool last, struct arena *a)
{
	const char *name = arena_printf(a, "\"%s\":", key);
	const char *found = NULL, *at = p, *end = p + len, *close;
	struct value v;
	struct err e;

	while ((at = memmem(at, (size_t)(end - at), name, strlen(name)))) {
		at += strlen(name);
		while (at < end && *at == ' ')
			at++;
		if (at < end && *at == '"')
			found = at;
		if (found && !last)
			break;
	}
	for (close = found ? found + 1 : end; close < end && *close != '"';
	     close++) {
		if (*close == '\\')
			close++;
	}
	if (!found || close >= end ||
	    json_parse(found, (size_t)(close + 1 - found), a, &v, &e) < 0 ||
	    memchr(v.u.s.p, '\0', v.u.s.len))
		return NULL;
	return v.u.s.p;
}

/* Set *AT to the time in the first or last member KEY of P. */
static bool find_time(const struct buf *p, const char *key, bool last,
		      struct instant *at, struct arena *a)
{
	const char *text = find_member(buf_str(p), p->len, key, last, a);

	return text && instant_parse(text, strlen(text), at);
}

/* Return the directory of Continue's record that begins with HEAD. Its editor
 * extensions write a URL. */
static const char *workspace_dir(const struct buf *head, struct arena *a)
{
	const char *path = find_member(buf_str(head), head->len,
				       "workspaceDirectory", false, a);
	const size_t scheme = strlen("file://");

	return path && !strncmp(path, "file://", scheme) ? path + scheme : path;
}

/* Read at most LOOK bytes of FD, from the offset AT, into OUT. */
static void read_chunk(struct buf *out, int fd, off_t at)
{
	ssize_t n;

	buf_cut(out, 0);
	buf_grow(out, LOOK);
	n = pread(fd, out->p, LOOK, at);
	out->len = n > 0 ? (size_t)n : 0;
	out->p[out->len] = '\0';
}

/* Return the last component of PATH, after removing ABOVE components, without
 * its file name extension. */
static const char *component_name(const char *path, size_t above,
				  struct arena *a)
{
	char *copy = arena_strdup(a, path), *slash, *dot;

	while (above--)
		*strrchr(copy, '/') = '\0';
	slash = strrchr(copy, '/');
	dot = strrchr(slash, '.');
	if (dot)
		*dot = '\0';
	return slash + 1;
}

/* Return the first line of the small file NAME in the parent of the directory
 * of the record at PATH. */
static const char *read_small_file(const char *path, const char *name,
				   struct arena *a)
{
	char *folder = arena_strdup(a, path);
	struct buf text = {0}, file = {0};
	const char *line = NULL;
	struct err e;

	*strrchr(folder, '/') = '\0';
	*strrchr(folder, '/') = '\0';
	buf_addf(&file, "%s/%s", folder, name);
	if (file_read(AT_FDCWD, file.p, file.p, LOOK, &text, &e) == 1 &&
	    text.len)
		line = arena_copy(a, text.p, strcspn(text.p, "\r\n"));
	buf_release(&text);
	buf_release(&file);
	return line;
}

static const char *session_id(const struct session *s, const struct buf *head,
			      struct arena *a)
{
	const char *name;

	switch (s->agent) {
	case TRANSCRIPT_CLAUDE:
	case TRANSCRIPT_QWEN:
	case TRANSCRIPT_CONTINUE:
		return component_name(s->path, 0, a);
	case TRANSCRIPT_CODEX:
		name = component_name(s->path, 0, a);
		return strlen(name) > 36 ? name + strlen(name) - 36 : name;
	case TRANSCRIPT_COPILOT:
		return component_name(s->path, 1, a);
	case TRANSCRIPT_GEMINI:
		return find_member(buf_str(head), head->len, "sessionId", false,
				   a);
	case TRANSCRIPT_OPENCODE:
	case TRANSCRIPT_AIDER:
	case TRANSCRIPT_TEXT:
		break;
	}
	return NULL;
}

static void add_session(struct sessions *list, const struct session *s)
{
	list->items = mem_grow(list->items, list->n, &list->cap,
			       sizeof(*list->items));
	list->items[list->n++] = *s;
}

/* Set the facts of S from the record FD, of SIZE bytes. */
static void describe_session(struct session *s, int fd, off_t size,
			     struct arena *a)
{
	struct buf head = {0}, tail = {0};

	read_chunk(&head, fd, 0);
	read_chunk(&tail, fd, size > (off_t)LOOK ? size - (off_t)LOOK : 0);
	s->id = session_id(s, &head, a);
	s->maybe_request = memmem(buf_str(&head), head.len, REQUEST_MARK_NAME,
				  strlen(REQUEST_MARK_NAME)) != NULL;
	if (s->agent == TRANSCRIPT_GEMINI)
		s->project = read_small_file(s->path, ".project_root", a);
	else if (s->agent == TRANSCRIPT_CONTINUE)
		s->project = workspace_dir(&head, a);
	else if (s->agent != TRANSCRIPT_AIDER)
		s->project =
			find_member(buf_str(&head), head.len, "cwd", false, a);
	s->has_start = find_time(&head, "startTime", false, &s->start, a) ||
		       find_time(&head, "timestamp", false, &s->start, a);
	if (!find_time(&tail, "timestamp", true, &s->end, a))
		find_time(&tail, "lastUpdated", true, &s->end, a);
	buf_release(&head);
	buf_release(&tail);
}

/* Add the record at PATH, unless it is gone. */
static int add_file(struct sessions *list, enum transcript_format agent,
		    const char *path, const char *project, struct err *e)
{
	struct session s = {.agent = agent,
			    .path = arena_strdup(list->a, path),
			    .project = project};
	const int fd =
		file_open(AT_FDCWD, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
	struct stat st;

	if (fd < 0)
		return file_is_gone(AT_FDCWD, path, true)
			       ? 0
			       : err_sys(e, "cannot open '%s'", path);
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		s.bytes = (uint64_t)st.st_size;
		s.end.sec = st.st_mtime;
		describe_session(&s, fd, st.st_size, list->a);
		add_session(list, &s);
	}
	close(fd);
	return 0;
}

static void add_pattern(struct buf *out, const char *folder,
			const char *pattern)
{
	for (const char *p = folder; *p; p++) {
		if (strchr("\\*?[", *p))
			buf_addc(out, '\\');
		buf_addc(out, *p);
	}
	buf_addf(out, "/%s", pattern);
}

/* The directory that glob() last failed to read in this thread: its callback
 * gets no other context. */
static _Thread_local char unread[PATH_MAX];

static int note_unread(const char *path, int error)
{
	if (error != ENOENT && error != ENOTDIR)
		snprintf(unread, sizeof(unread), "%s", path);
	return 0;
}

static int add_files(struct sessions *list, enum transcript_format agent,
		     const char *folder, const char *pattern, struct err *e)
{
	struct buf full = {0};
	glob_t found = {0};
	int rc, r = 0;

	add_pattern(&full, folder, pattern);
	*unread = '\0';
	rc = glob(full.p, GLOB_NOSORT, note_unread, &found);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		if (add_file(list, agent, found.gl_pathv[i], NULL, e) < 0)
			r = -1;
	}
	globfree(&found);
	buf_release(&full);
	if (rc == GLOB_NOSPACE)
		mem_none();
	return *unread ? err_set(e, ERR_SYSTEM, "cannot read '%s'", unread) : r;
}

struct database {
	struct sessions *list;
	const char *path;
};

static struct instant from_ms(int64_t ms)
{
	return (struct instant){ms / 1000, 0};
}

static int add_opencode(void *ctx, const struct opencode_session *o)
{
	struct database *db = ctx;
	struct arena *a = db->list->a;
	const struct session s = {
		.path = arena_printf(a, "%s#%s", db->path, o->id),
		.agent = TRANSCRIPT_OPENCODE,
		.id = arena_strdup(a, o->id),
		.project = arena_strdup(a, o->directory),
		.start = from_ms(o->created),
		.end = from_ms(o->updated),
		.has_start = true,
		.bytes = o->bytes,
		.maybe_request = true};

	add_session(db->list, &s);
	return 0;
}

static int find_opencode(struct sessions *s, const char *folder, struct err *e)
{
	const char *path = arena_printf(s->a, "%s" OPENCODE_FILE, folder);
	struct database db = {s, path};

	return file_is_gone(AT_FDCWD, path, true)
		       ? 0
		       : opencode_each(path, add_opencode, &db, e);
}

int sessions_find(struct sessions *s, enum transcript_format agent,
		  const char *project, struct err *e)
{
	const char *folder;
	int r = 0;

	if (agent == TRANSCRIPT_AIDER) {
		const char *path = arena_printf(
			s->a, "%s/.aider.chat.history.md", project);

		return add_file(s, agent, path, arena_strdup(s->a, project), e);
	}
	if (agent == TRANSCRIPT_TEXT)
		return 0;
	folder = find_dir(&places[agent], s->a);
	if (!folder)
		return 0;
	if (agent == TRANSCRIPT_OPENCODE)
		return find_opencode(s, folder, e);
	for (size_t i = 0; places[agent].patterns[i]; i++) {
		if (add_files(s, agent, folder, places[agent].patterns[i], e) <
		    0)
			r = -1;
	}
	return r;
}

const char *sessions_record(enum transcript_format agent, const char *id,
			    struct arena *a)
{
	const char *folder =
		agent == TRANSCRIPT_OPENCODE || agent == TRANSCRIPT_COPILOT
			? find_dir(&places[agent], a)
			: NULL;

	if (!folder)
		return NULL;
	return agent == TRANSCRIPT_OPENCODE
		       ? arena_printf(a, "%s" OPENCODE_FILE "#%s", folder, id)
		       : arena_printf(a, "%s/session-state/%s/events.jsonl",
				      folder, id);
}

bool sessions_is_in(const struct session *s, const char *folder)
{
	const size_t len = strlen(folder);

	return s->project && !strncmp(s->project, folder, len) &&
	       (!s->project[len] || s->project[len] == '/' ||
		(len && folder[len - 1] == '/'));
}

void sessions_release(struct sessions *s)
{
	free(s->items);
	s->items = NULL;
	s->n = s->cap = 0;
}
