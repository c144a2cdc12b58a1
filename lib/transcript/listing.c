/* listing.c: for each agent, a pattern of file names finds its records. The
 * facts about a session are in the first and last lines. These are searched for
 * members by name, without parsing, since there may be thousands of records.
 */
#include "transcript/listing.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "format/json-read.h"
#include "repo/gitdir.h"
#include "repo/root.h"
#include "sys/dirs.h"
#include "sys/file.h"
#include "text/injected.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <unistd.h>

#define LOOK ((size_t)64 * 1024)
#define EARLIER_MAX 8 /* sessions that one continues */
#define REGISTRY_MAX ((size_t)4 * 1024 * 1024)

/* A directory: BELOW in the one that VARIABLE names, or FOLDER in $HOME if
 * VARIABLE is NULL or unset. */
struct home {
	const char *variable, *below, *folder;
};

/* The place of an agent's records. */
struct place {
	struct home homes[3];	 /* all up to one whose variable is set */
	const char *extension;	 /* of editors, whose storage is searched, too;
				  * or NULL */
	const char *patterns[3]; /* names of records below a home */
	const char *in_project;	 /* a record in the project; or NULL */
	const char *time;	 /* a member with a time in ms; or NULL */

	const char *database; /* a database below a home; or NULL */

	/* A file below a home that lists projects, with the directories that
	 * have a database each. NULL: the home has the only one. So what a clone
	 * brought is no conversation. */
	const char *registry;

	/* Return a session's id and its project, of the record that begins with
	 * HEAD, in A; or NULL. */
	const char *(*id)(const struct session *s, const struct buf *head,
			  struct arena *a);
	const char *(*project)(const struct session *s, const struct buf *head,
			       struct arena *a);

	/* Return true if the record at PATH is a sub-agent's; or NULL. */
	bool (*is_sub_agents)(const char *path, struct arena *a);

	/* A member whose values name the sessions that a record continues; or
	 * NULL. */
	const char *earlier;

	const char *named; /* the record below a home of the session %s, for
			    * listing_record(); or NULL */
};

#define APPLE "Library/Application Support/"

/* Where editors that run VS Code's extensions keep their data. */
#define EDITOR(name)                                                \
	{"XDG_CONFIG_HOME", name "/User", ".config/" name "/User"}, \
	{                                                           \
		NULL, NULL, APPLE name "/User"                      \
	}
static const struct home editors[] = {
	EDITOR("Code"),
	EDITOR("Code - Insiders"),
	EDITOR("Code - OSS"),
	EDITOR("VSCodium"),
	EDITOR("Cursor"),
	EDITOR("Windsurf"),
	{NULL, NULL, ".vscode-server/data/User"},
	{NULL, NULL, ".vscode-server-insiders/data/User"},
	{NULL, NULL, ".cursor-server/data/User"},
};

/* Return the directory that the variable of H names, or NULL. */
static const char *moved_dir(const struct home *h)
{
	const char *moved = h->variable ? getenv(h->variable) : NULL;

	return moved && *moved == '/' ? moved : NULL;
}

/* Return the directory of H, in A, or NULL if it does not exist. */
static const char *find_dir(const struct home *h, struct arena *a)
{
	const char *moved = moved_dir(h);
	const char *home = dirs_home(), *path;

	if (moved)
		path = arena_printf(a, "%s%s%s", moved, *h->below ? "/" : "",
				    h->below);
	else if (home && h->folder)
		path = arena_printf(a, "%s/%s", home, h->folder);
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

/* Set *AT to the first or last number KEY of P, in ms. */
static bool find_ms(const struct buf *p, const char *key, bool last,
		    struct instant *at, struct arena *a)
{
	const char *name = arena_printf(a, "\"%s\":", key);
	const char *q = buf_str(p), *end = q + p->len;
	bool found = false;

	while ((!found || last) &&
	       (q = memmem(q, (size_t)(end - q), name, strlen(name)))) {
		int64_t ms = 0;

		q += strlen(name);
		q += strspn(q, " ");
		if (!ascii_is_digit(*q))
			continue;
		while (ascii_is_digit(*q) && ms < INT64_C(1000000000000000))
			ms = ms * 10 + (*q++ - '0');
		*at = (struct instant){ms / 1000, 0};
		found = true;
	}
	return found;
}

/* Read at most MAX bytes of FD, which has SIZE, into OUT: of its start, or of its END.
 * OUT is empty if that is impossible. */
static void read_part(struct buf *out, int fd, off_t size, size_t max, bool end)
{
	ssize_t n;

	buf_cut(out, 0);
	buf_grow(out, max);
	n = pread(fd, out->p, max,
		  end && size > (off_t)max ? size - (off_t)max : 0);
	out->len = n > 0 ? (size_t)n : 0;
	out->p[out->len] = '\0';
}

/* Return PATH without its last ABOVE components, in A. */
static char *cut_components(const char *path, size_t above, struct arena *a)
{
	char *copy = arena_strdup(a, path);

	while (above--)
		*strrchr(copy, '/') = '\0';
	return copy;
}

/* Return the last component of PATH, after removing ABOVE components, without
 * its file name extension. */
static const char *component_name(const char *path, size_t above,
				  struct arena *a)
{
	char *name = strrchr(cut_components(path, above, a), '/') + 1;
	char *dot = strrchr(name, '.');

	if (dot)
		*dot = '\0';
	return name;
}

/* Call read_part() for the file at PATH. */
static void read_file(const char *path, size_t max, bool end, struct buf *out)
{
	const int fd =
		file_open(AT_FDCWD, path,
			  O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
	struct stat st;

	buf_cut(out, 0);
	if (fd >= 0 && fstat(fd, &st) == 0)
		read_part(out, fd, st.st_size, max, end);
	file_close(fd);
}

/* Read at most MAX bytes of the start of the file NAME, in the ABOVEth directory
 * above the record at PATH, into OUT. */
static void read_near(const char *path, size_t above, const char *name,
		      size_t max, struct buf *out, struct arena *a)
{
	const char *folder = cut_components(path, above, a);

	read_file(arena_printf(a, "%s/%s", folder, name), max, false, out);
}

/* Return the first member KEY, or with LAST the last one, of the file NAME next to the
 * record at PATH, in A, as find_member() does. */
static const char *find_near(const char *path, const char *name,
			     const char *key, bool last, struct arena *a)
{
	struct buf near = {0};
	const char *found;

	read_near(path, 1, name, LOOK, &near, a);
	found = find_member(buf_str(&near), near.len, key, last, a);
	buf_release(&near);
	return found;
}

/* Return the path in URL, of a file, in A. Return any other text as it is. */
static const char *path_of_url(const char *url, struct arena *a)
{
	static const char scheme[] = "file://";
	char *path, *out;

	if (!url || strncmp(url, scheme, strlen(scheme)) != 0)
		return url;
	path = out = arena_strdup(a, url + strlen(scheme));
	for (const char *p = path; *p; p++) {
		uint32_t byte;

		if (*p == '%' && utf8_hex(p + 1, 2, &byte) && byte) {
			*out++ = (char)byte;
			p += 2;
		} else {
			*out++ = *p;
		}
	}
	*out = '\0';
	return path;
}

static const char *id_of_file(const struct session *s, const struct buf *head,
			      struct arena *a)
{
	(void)head;
	return component_name(s->path, 0, a);
}

static const char *id_of_dir(const struct session *s, const struct buf *head,
			     struct arena *a)
{
	(void)head;
	return component_name(s->path, 1, a);
}

static const char *id_of_rollout(const struct session *s,
				 const struct buf *head, struct arena *a)
{
	const char *name = component_name(s->path, 0, a);

	(void)head;
	return strlen(name) > 36 ? name + strlen(name) - 36 : name;
}

/* The name of the file is TIME_ID. */
static const char *id_after_time(const struct session *s,
				 const struct buf *head, struct arena *a)
{
	const char *name = component_name(s->path, 0, a);
	const char *mark = strchr(name, '_');

	(void)head;
	return mark ? mark + 1 : name;
}

static const char *id_in_head(const struct session *s, const struct buf *head,
			      struct arena *a)
{
	(void)s;
	return find_member(buf_str(head), head->len, "sessionId", false, a);
}

static const char *project_in_head(const struct session *s,
				   const struct buf *head, struct arena *a)
{
	(void)s;
	return find_member(buf_str(head), head->len, "cwd", false, a);
}

static const char *project_of_gemini(const struct session *s,
				     const struct buf *head, struct arena *a)
{
	struct buf line = {0};
	const char *path = NULL;

	(void)head;
	read_near(s->path, 2, ".project_root", LOOK, &line, a);
	if (line.len)
		path = arena_copy(a, line.p, strcspn(line.p, "\r\n"));
	buf_release(&line);
	return path;
}

/* Continue's editor extensions write a URL. */
static const char *project_of_continue(const struct session *s,
				       const struct buf *head, struct arena *a)
{
	(void)s;
	return path_of_url(find_member(buf_str(head), head->len,
				       "workspaceDirectory", false, a),
			   a);
}

/* Return the directory that the first request to the model names in P. */
static const char *find_request_dir(const struct buf *p, struct arena *a)
{
	static const char *const marks[] = {"# Current Working Directory (",
					    "# Current Workspace Directory ("};

	for (size_t i = 0; i < ARRAY_LEN(marks); i++) {
		const char *at =
			memmem(buf_str(p), p->len, marks[i], strlen(marks[i]));
		const char *end;

		at = at ? at + strlen(marks[i]) : NULL;
		end = at ? memmem(at, (size_t)(p->p + p->len - at), ") Files",
				  strlen(") Files"))
			 : NULL;
		if (end && *at == '/' &&
		    !memchr(at, '\\', (size_t)(end - at)) &&
		    !memchr(at, '\0', (size_t)(end - at)))
			return arena_copy(a, at, (size_t)(end - at));
	}
	return NULL;
}

/* A session of Cline is described in the file next to its messages; a task of
 * Roo Code in another one. Both may have told the model. */
static const char *project_of_cline(const struct session *s,
				    const struct buf *head, struct arena *a)
{
	struct buf near = {0};
	const char *path = find_near(s->path, arena_printf(a, "%s.json", s->id),
				     "cwd", false, a);

	(void)head;
	if (!path)
		path = find_near(s->path, "history_item.json", "workspace",
				 true, a);
	if (!path) {
		read_near(s->path, 1, "api_conversation_history.json",
			  16 * LOOK, &near, a);
		path = find_request_dir(&near, a);
	}
	buf_release(&near);
	return path;
}

/* The record of a session has the name of its directory. */
static bool is_sub_agent_of_cline(const char *path, struct arena *a)
{
	static const char suffix[] = ".messages.json";
	const char *name = strrchr(path, '/') + 1;
	const char *end = strstr(name, suffix);
	const char *folder = component_name(path, 1, a);

	return end && (strlen(folder) != (size_t)(end - name) ||
		       strncmp(folder, name, (size_t)(end - name)) != 0);
}

/* Return the member KEY of the description of the session at PATH, in A, or NULL. */
static const char *find_in_kiro(const char *path, const char *key,
				struct arena *a)
{
	return find_near(path,
			 arena_printf(a, "%s.json", component_name(path, 0, a)),
			 key, false, a);
}

static bool is_sub_agent_of_kiro(const char *path, struct arena *a)
{
	return find_in_kiro(path, "parent_session_id", a) != NULL;
}

static const char *project_of_kiro(const struct session *s,
				   const struct buf *head, struct arena *a)
{
	(void)head;
	return find_in_kiro(s->path, "cwd", a);
}

/* A thread of Amp lists the directories where it began, before its messages or
 * after them. */
static const char *project_of_amp(const struct session *s,
				  const struct buf *head, struct arena *a)
{
	static const char mark[] = "\"trees\":";
	struct buf end = {0};
	const char *at = memmem(buf_str(head), head->len, mark, strlen(mark));
	const char *uri = NULL;

	if (at) {
		uri = find_member(at, head->len - (size_t)(at - head->p), "uri",
				  false, a);
	} else {
		read_file(s->path, LOOK, true, &end);
		at = memmem(buf_str(&end), end.len, mark, strlen(mark));
		if (at)
			uri = find_member(at, end.len - (size_t)(at - end.p),
					  "uri", false, a);
	}
	buf_release(&end);
	uri = path_of_url(uri, a);
	return uri && *uri == '/' ? uri : NULL;
}

static bool is_sub_agent_of_amp(const char *path, struct arena *a)
{
	struct buf text = {0};
	bool is;

	read_file(path, LOOK, false, &text);
	is = find_member(buf_str(&text), text.len, "mainThreadID", false, a);
	read_file(path, LOOK, true, &text);
	is = is ||
	     find_member(buf_str(&text), text.len, "mainThreadID", true, a);
	buf_release(&text);
	return is;
}

static const struct place places[] = {
	[TRANSCRIPT_CLAUDE] = {.homes = {{"CLAUDE_CONFIG_DIR", "", ".claude"}},
			       .patterns = {"projects/*/*.jsonl"},
			       .id = id_of_file,
			       .project = project_in_head,
			       .earlier = "sessionId"}, /* also in forkedFrom */
	[TRANSCRIPT_CODEX] = {.homes = {{"CODEX_HOME", "", ".codex"}},
			      .patterns = {"sessions/*/*/*/rollout-*.jsonl",
					   "archived_sessions/rollout-*.jsonl"},
			      .id = id_of_rollout,
			      .project = project_in_head,
			      .earlier = "forked_from_id"},
	[TRANSCRIPT_GEMINI] = {.homes = {{NULL, NULL, ".gemini"}},
			       .patterns = {"tmp/*/chats/session-*.jsonl",
					    "tmp/*/chats/session-*.json"},
			       .id = id_in_head,
			       .project = project_of_gemini},
	[TRANSCRIPT_OPENCODE] = {.homes = {{"XDG_DATA_HOME", "opencode",
					    ".local/share/opencode"}},
				 .database = "opencode.db",
				 .named = "opencode.db#%s"},
	[TRANSCRIPT_COPILOT] = {.homes = {{"COPILOT_HOME", "", ".copilot"}},
				.patterns = {"session-state/*/events.jsonl"},
				.id = id_of_dir,
				.project = project_in_head,
				.named = "session-state/%s/events.jsonl"},
	[TRANSCRIPT_QWEN] = {.homes = {{"QWEN_HOME", "", ".qwen"}},
			     .patterns = {"projects/*/chats/*.jsonl"},
			     .id = id_of_file,
			     .project = project_in_head},
	/* The directory also has sessions.json, a list of them. */
	[TRANSCRIPT_CONTINUE] = {.homes = {{"CONTINUE_GLOBAL_DIR", "",
					    ".continue"}},
				 .patterns = {"sessions/*-*.json"},
				 .id = id_of_file,
				 .project = project_of_continue},
	[TRANSCRIPT_AIDER] = {.in_project = ".aider.chat.history.md"},
	[TRANSCRIPT_PI] = {.homes = {{"PI_CODING_AGENT_SESSION_DIR", "", NULL},
				     {"PI_CODING_AGENT_DIR", "sessions",
				      ".pi/agent/sessions"}},
			   .patterns = {"*/*_*.jsonl", "*_*.jsonl"},
			   .id = id_after_time,
			   .project = project_in_head},
	[TRANSCRIPT_CLINE] = {.homes = {{"CLINE_DATA_DIR", "", NULL},
					{"CLINE_DIR", "data", ".cline/data"}},
			      .extension = "saoudrizwan.claude-dev",
			      .patterns = {"sessions/*/*.messages.json",
					   "tasks/*/ui_messages.json"},
			      .is_sub_agents = is_sub_agent_of_cline,
			      .time = "ts",
			      .id = id_of_dir,
			      .project = project_of_cline},
	[TRANSCRIPT_ROO] = {.extension = "rooveterinaryinc.roo-cline",
			    .patterns = {"tasks/*/ui_messages.json"},
			    .time = "ts",
			    .id = id_of_dir,
			    .project = project_of_cline},
	[TRANSCRIPT_GOOSE] =
		{.homes = {{"GOOSE_PATH_ROOT", "data/sessions", NULL},
			   {"XDG_DATA_HOME", "goose/sessions",
			    ".local/share/goose/sessions"},
			   {NULL, NULL, APPLE "Block/goose/sessions"}},
		 .database = "sessions.db"},
	[TRANSCRIPT_CRUSH] = {.homes = {{"CRUSH_GLOBAL_DATA", "", NULL},
					{"XDG_DATA_HOME", "crush",
					 ".local/share/crush"}},
			      .registry = "projects.json",
			      .database = "crush.db"},
	[TRANSCRIPT_CURSOR] = {.homes = {EDITOR("Cursor")},
			       .database = "globalStorage/state.vscdb"},
	[TRANSCRIPT_KIRO] = {.homes = {{"KIRO_HOME", "", ".kiro"},
				       {"XDG_DATA_HOME", "kiro-cli",
					".local/share/kiro-cli"},
				       {NULL, NULL, APPLE "kiro-cli"}},
			     .patterns = {"sessions/cli/*.jsonl"},
			     .database = "data.sqlite3",
			     .id = id_of_file,
			     .project = project_of_kiro,
			     .is_sub_agents = is_sub_agent_of_kiro},
	[TRANSCRIPT_AMP] = {.homes = {{"XDG_DATA_HOME", "amp/threads",
				       ".local/share/amp/threads"}},
			    .patterns = {"T-*.json"},
			    .time = "sentAt",
			    .id = id_of_file,
			    .project = project_of_amp,
			    .is_sub_agents = is_sub_agent_of_amp},
	[TRANSCRIPT_ZED] = {.homes = {{"XDG_DATA_HOME", "zed/threads",
				       ".local/share/zed/threads"},
				      {NULL, NULL, APPLE "Zed/threads"},
				      {NULL, NULL,
				       ".var/app/dev.zed.Zed/data/zed/"
				       "threads"}},
			    .database = "threads.db"},
	[TRANSCRIPT_TEXT] = {.in_project = NULL},
};

/* Set the facts of S from the record FD, of SIZE bytes. */
static void describe_session(struct session *s, int fd, off_t size,
			     struct arena *a)
{
	const struct place *place = &places[s->agent];
	struct buf head = {0}, tail = {0};

	read_part(&head, fd, size, LOOK, false);
	read_part(&tail, fd, size, LOOK, true);
	s->maybe_request = memmem(buf_str(&head), head.len, REQUEST_MARK_NAME,
				  strlen(REQUEST_MARK_NAME)) != NULL;
	if (place->id)
		s->id = place->id(s, &head, a);
	if (place->project)
		s->project = place->project(s, &head, a);
	s->has_start = find_time(&head, "startTime", false, &s->start, a) ||
		       find_time(&head, "timestamp", false, &s->start, a);
	if (!find_time(&tail, "timestamp", true, &s->end, a))
		find_time(&tail, "lastUpdated", true, &s->end, a);
	if (place->time) {
		s->has_start = find_ms(&head, place->time, false, &s->start, a);
		find_ms(&tail, place->time, true, &s->end, a);
	}
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
	struct stat st;
	int fd, r = 0;

	if (list->is_known && stat(path, &st) == 0 &&
	    list->is_known(list->ctx, s.path, &st)) {
		s.known = true;
		s.bytes = (uint64_t)st.st_size;
		s.end.sec = st.st_mtime;
		*MEM_ADD(list->items, list->n, list->cap) = s;
		return 0;
	}
	fd = file_open(AT_FDCWD, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
	if (fd < 0)
		return file_is_gone(AT_FDCWD, path, true)
			       ? 0
			       : err_sys(e, "cannot open '%s'", path);
	if (fstat(fd, &st) == 0 && !S_ISREG(st.st_mode)) {
		if (list->report && !S_ISDIR(st.st_mode))
			r = err_set(e, ERR_DATA,
				    "refusing '%s': it is not a regular file",
				    path);
	} else {
		s.bytes = (uint64_t)st.st_size;
		s.end.sec = st.st_mtime;
		describe_session(&s, fd, st.st_size, list->a);
		*MEM_ADD(list->items, list->n, list->cap) = s;
	}
	close(fd);
	return r;
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

/* The directory that glob() last failed to read in this thread, and errno: its
 * callback gets no other context. */
static _Thread_local char unread[PATH_MAX];
static _Thread_local int unread_error;

static int note_unread(const char *path, int error)
{
	if (error != ENOENT && error != ENOTDIR) {
		snprintf(unread, sizeof(unread), "%s", path);
		unread_error = error;
	}
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
		if (places[agent].is_sub_agents &&
		    places[agent].is_sub_agents(found.gl_pathv[i], list->a))
			continue;
		if (add_file(list, agent, found.gl_pathv[i], NULL, e) == 0)
			continue;
		if (list->report)
			err_report(list->report, e);
		else
			r = -1;
	}
	globfree(&found);
	buf_release(&full);
	if (rc == GLOB_NOSPACE)
		mem_none();
	if (!*unread)
		return r;
	errno = unread_error;
	return err_sys(e, "cannot read '%s'", unread);
}

struct database_list {
	struct sessions *list;
	enum transcript_format agent;
	const char *path;
	const char *project; /* of sessions without one; or NULL */
};

static struct instant from_ms(int64_t ms)
{
	return (struct instant){ms / 1000, (int32_t)(ms % 1000) * 1000000};
}

static int add_stored(void *ctx, const struct stored_session *o)
{
	struct database_list *db = ctx;
	struct sessions *list = db->list;
	struct arena *a = list->a;

	*MEM_ADD(list->items, list->n, list->cap) = (struct session){
		.path = arena_printf(a, "%s#%s", db->path, o->id),
		.agent = db->agent,
		.id = arena_strdup(a, o->id),
		.project = o->directory ? arena_strdup(a, o->directory)
					: db->project,
		.start = from_ms(o->created),
		.end = from_ms(o->updated),
		.has_start = o->created != 0,
		.bytes = o->bytes,
		.maybe_request = true};
	return 0;
}

/* Return 1 if git tracks the file at PATH, 0, or -1. */
static int is_tracked_at(const char *path, struct err *e)
{
	char *folder = mem_strdup(path);
	struct gitdir g;
	int r;

	*strrchr(folder, '/') = '\0';
	r = gitdir_find(&g, *folder ? folder : "/", e);
	if (r == 1) {
		r = gitdir_tracks(&g, path + (g.top[1] ? strlen(g.top) : 0) + 1,
				  e);
		gitdir_release(&g);
	}
	free(folder);
	return r;
}

/* Return 1 if git tracks the file at PATH, or the one to which links lead from there: a
 * clone may have brought it. Return 0 if it does not, or there is no such file; or -1. */
static int is_tracked(const char *path, struct err *e)
{
	char *real = realpath(path, NULL);
	int r = 0;

	if (!file_is_gone(AT_FDCWD, path, false))
		r = is_tracked_at(path, e);
	if (!r && real && strcmp(real, path) != 0)
		r = is_tracked_at(real, e);
	free(real);
	return r;
}

static int add_database(struct sessions *s, enum transcript_format agent,
			const char *path, const char *project, struct err *e)
{
	struct database_list db = {s, agent, path, project};
	struct stat st;

	if (file_is_gone(AT_FDCWD, path, true) ||
	    (s->is_known_database && stat(path, &st) == 0 &&
	     s->is_known_database(s->ctx, path, &st)))
		return 0;
	return reader_each_session(reader_of(agent), path, add_stored, &db, e);
}

/* Call add_database() for a database in the directory of a project. */
static int add_projects_database(struct sessions *s,
				 enum transcript_format agent, const char *path,
				 const char *project, struct err *e)
{
	const int tracked = is_tracked(path, e);

	return tracked ? (tracked < 0 ? -1 : 0)
		       : add_database(s, agent, path, project, e);
}

/* Add the record of AGENT in the directory PROJECT. */
static int add_projects_file(struct sessions *s, enum transcript_format agent,
			     const char *project, struct err *e)
{
	const char *path =
		arena_printf(s->a, "%s/%s", project, places[agent].in_project);
	const int tracked = is_tracked(path, e);

	return tracked ? (tracked < 0 ? -1 : 0)
		       : add_file(s, agent, path, arena_strdup(s->a, project),
				  e);
}

/* Add the sessions of AGENT in the databases of all projects that the file
 * REGISTRY lists. */
static int add_registered(struct sessions *s, enum transcript_format agent,
			  const char *registry, struct err *e)
{
	struct buf text = {0};
	struct value v;
	const struct value *list, *one;
	struct err why;
	int r = file_read(AT_FDCWD, registry, registry, REGISTRY_MAX, &text, e);

	if (r > 0 && json_parse(text.p, text.len, s->a, &v, &why) < 0)
		r = err_set(e, ERR_DATA, "'%s':%s", registry, why.text);
	list = r > 0 ? value_get(&v, "projects") : NULL;
	r = r < 0 ? -1 : 0;
	for (size_t i = 0; (one = value_item(list, i)); i++) {
		const char *path = value_text(one, "path");
		const char *folder = value_text(one, "data_dir");

		if (path && folder && *path == '/' && *folder == '/' &&
		    add_projects_database(s, agent,
					  arena_printf(s->a, "%s/%s", folder,
						       places[agent].database),
					  path, e) < 0)
			r = -1;
	}
	buf_release(&text);
	return r;
}

/* Add the sessions of AGENT below its home FOLDER. */
static int add_home(struct sessions *s, enum transcript_format agent,
		    const char *folder, struct err *e)
{
	const struct place *p = &places[agent];
	int r = 0;

	if (p->registry)
		r = add_registered(
			s, agent,
			arena_printf(s->a, "%s/%s", folder, p->registry), e);
	else if (p->database)
		r = add_database(
			s, agent,
			arena_printf(s->a, "%s/%s", folder, p->database), NULL,
			e);
	for (size_t i = 0; i < ARRAY_LEN(p->patterns) && p->patterns[i]; i++) {
		if (add_files(s, agent, folder, p->patterns[i], e) < 0)
			r = -1;
	}
	return r;
}

int listing_add(struct sessions *s, enum transcript_format agent,
		const char *project, struct err *e)
{
	const struct place *p = &places[agent];
	int r = 0;

	if (p->in_project)
		r = add_projects_file(s, agent, project, e);
	for (size_t i = 0; i < ARRAY_LEN(p->homes); i++) {
		const char *folder = find_dir(&p->homes[i], s->a);

		if (folder && add_home(s, agent, folder, e) < 0)
			r = -1;
		if (moved_dir(&p->homes[i]))
			break;
	}
	for (size_t i = 0; p->extension && i < ARRAY_LEN(editors); i++) {
		const char *folder = find_dir(&editors[i], s->a);

		if (folder && add_home(s, agent,
				       arena_printf(s->a, "%s/globalStorage/%s",
						    folder, p->extension),
				       e) < 0)
			r = -1;
	}
	return r;
}

const char *listing_record(enum transcript_format agent, const char *id,
			   struct arena *a)
{
	const struct place *p = &places[agent];
	const char *folder = p->named ? find_dir(&p->homes[0], a) : NULL;
	const char *mark;

	if (!folder)
		return NULL;
	mark = strstr(p->named, "%s");
	return arena_printf(a, "%s/%.*s%s%s", folder, (int)(mark - p->named),
			    p->named, id, mark + 2);
}

const char *listing_session_id(const struct transcript *t, struct arena *a)
{
	const struct session s = {.agent = t->format, .path = t->path};
	const struct place *place = &places[t->format];
	struct buf head = {0};
	const char *id = NULL;
	struct stat st;

	if (t->session)
		return arena_strdup(a, t->session);
	if (!place->id || fstat(t->fd, &st) < 0)
		return NULL;
	read_part(&head, t->fd, st.st_size, LOOK, false);
	id = place->id(&s, &head, a);
	buf_release(&head);
	return id;
}

void listing_earlier(enum transcript_format agent, const char *path,
		     const char *id, struct strings *earlier, struct arena *a)
{
	const char *key = places[agent].earlier, *name, *at, *end, *value;
	struct buf head = {0};

	if (!key)
		return;
	name = arena_printf(a, "\"%s\":", key);
	read_file(path, LOOK, false, &head);
	at = buf_str(&head);
	end = at + head.len;
	while ((at = memmem(at, (size_t)(end - at), name, strlen(name)))) {
		value = find_member(at, (size_t)(end - at), key, false, a);
		at += strlen(name);
		if (value && strcmp(value, id) != 0 &&
		    earlier->n < EARLIER_MAX && !strings_has(earlier, value))
			strings_add(earlier, value);
	}
	buf_release(&head);
}

const char *listing_mark(const struct session *s)
{
	return reader_of(s->agent)->sessions ? strrchr(s->path, '#') : NULL;
}

/* Return true if S was started in FOLDER or below. */
static bool is_in(const struct session *s, const char *folder)
{
	const size_t len = strlen(folder);

	return s->project && !strncmp(s->project, folder, len) &&
	       (!s->project[len] || s->project[len] == '/' ||
		(len && folder[len - 1] == '/'));
}

void listing_release(struct sessions *s)
{
	free(s->items);
	s->items = NULL;
	s->n = s->cap = 0;
}

/* Set the last two members of F, if NAME is an absolute path of the directory f->path[1]
 * that differs from it. */
static void add_named(struct listing_dirs *f, const char *name, struct arena *a)
{
	const size_t top = strlen(f->path[0]);
	const char *below = strncmp(f->path[1], f->path[0], top) != 0
				    ? NULL
				    : f->path[1] + top;
	size_t len = name && *name == '/' ? strlen(name) : 0;

	while (len > 1 && name[len - 1] == '/')
		len--;
	if (!len || !strncmp(name, f->path[1], len + 1) ||
	    !file_is_same(name, f->path[1]))
		return;
	f->path[3] = arena_copy(a, name, len);
	if (!below || len <= strlen(below) ||
	    strcmp(f->path[3] + len - strlen(below), below) != 0)
		return;
	name = arena_copy(a, name, len - strlen(below));
	if (file_is_same(name, f->path[0]))
		f->path[2] = name;
}

int listing_dirs(struct listing_dirs *f, const char *project, struct arena *a,
		 struct err *e)
{
	struct root root;
	char *path;

	*f = (struct listing_dirs){{NULL}};
	if (!project) {
		if (root_find(&root, SCOPE_PROJECT, e) < 0)
			return -1;
		f->path[0] = arena_copy(
			a, root.path,
			(size_t)(strrchr(root.path, '/') - root.path));
		root_release(&root);
	}
	path = realpath(project ? project : ".", NULL);
	if (!path)
		return project ? err_sys(e, "cannot find '%s'", project)
			       : err_sys(e,
					 "cannot find the working directory");
	f->path[1] = arena_strdup(a, path);
	free(path);
	if (project)
		f->path[0] = f->path[1];
	add_named(f, project ? project : getenv("PWD"), a);
	return 0;
}

bool listing_is_ours(const struct session *s, const struct listing_dirs *d)
{
	bool is = false;

	for (size_t i = 0; i < ARRAY_LEN(d->path); i++)
		is |= d->path[i] && is_in(s, d->path[i]);
	return is;
}

static int compare_sessions(const void *x, const void *y)
{
	const struct session *a = x, *b = y;
	int r;

	if (a->ours != b->ours)
		return a->ours ? -1 : 1;
	r = instant_cmp(b->end, a->end);
	return r ? r : strcmp(a->path, b->path);
}

bool listing_is_request(const struct session *s)
{
	struct transcript t;
	struct err e;
	bool is;

	if (!s->maybe_request || transcript_open(&t, s->path, &e) < 0)
		return false;
	t.format = s->agent;
	is = transcript_is_request(&t, &e) == 1;
	transcript_close(&t);
	return is;
}

static void select_sessions(struct sessions *s, const struct listing *l,
			    const struct listing_dirs *f)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		struct session *one = &s->items[i];

		one->ours = listing_is_ours(one, f);
		if ((one->ours || l->all) &&
		    (!l->since || instant_cmp(one->end, *l->since) >= 0) &&
		    !listing_is_request(one))
			s->items[n++] = *one;
	}
	s->n = n;
	MEM_SORT(s->items, n, compare_sessions);
}

int listing_find(struct sessions *s, const struct listing *l,
		 const struct report *r, struct err *e)
{
	enum transcript_format f, only;
	const bool one = l->agent && transcript_format_find(l->agent, &only);
	struct listing_dirs folders = {0};
	struct err why;

	if (listing_dirs(&folders, l->project, s->a, e) < 0)
		return -1;
	for (f = 0; f < TRANSCRIPT_TEXT; f++) {
		if ((!one || f == only) &&
		    listing_add(s, f, folders.path[0], &why) < 0)
			err_report(r, &why);
	}
	select_sessions(s, l, &folders);
	return 0;
}

size_t listing_count(void)
{
	const struct listing here = {.project = NULL};
	struct arena a = {0};
	struct sessions found = {.a = &a};
	struct err e;
	const size_t n =
		listing_find(&found, &here, NULL, &e) < 0 ? 0 : found.n;

	listing_release(&found);
	arena_release(&a);
	return n;
}
