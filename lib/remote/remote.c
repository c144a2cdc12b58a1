/* remote.c: one run of the program for each request, so that a hung or damaged one never
 * holds up the next.
 */
#include "remote/remote.h"

#include "base/instant.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "format/json-read.h"
#include "setup/settings-write.h"
#include "sys/dirs.h"
#include "sys/file.h"
#include "sys/io.h"
#include "text/sanitize.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#define PROJECTS "remote.projects"
#define PROGRAM "co-remote-postgres"
#define URL_VARIABLE "CO_REMOTE_URL"
#define TIMEOUT_VARIABLE "CO_REMOTE_TIMEOUT_MS"
#define SAID_MAX 200 /* bytes of its message that are shown */

/* Limits of an answer. */
struct limits {
	size_t bytes, lines;
	size_t values; /* in a line */
};
static const struct limits of_request = {REMOTE_ANSWER_MAX, SIZE_MAX, 1000},
			   of_question = {REMOTE_ANSWER_MAX / 4,
					  REMOTE_HITS_MAX + 1, 1000};

/* NAME is the kind of an error in an answer; NULL: found here. */
static const struct {
	const char *name, *text;
} faults[] = {
	[REMOTE_NONE] = {NULL, ""},
	[REMOTE_UNREACHABLE] = {"unreachable", "is unreachable"},
	[REMOTE_REFUSED] = {"refused", "refused the request"},
	[REMOTE_SCHEMA] = {"schema", "is of another version"},
	[REMOTE_TIMEOUT] = {"timeout", "did not answer in time"},
	[REMOTE_LIMIT] = {"limit", "reached a limit"},
	[REMOTE_INVALID] = {"invalid", "did not understand the request"},
	[REMOTE_CONFLICT] = {"conflict", "was changed by others meanwhile"},
	[REMOTE_INTERNAL] = {"internal", "failed"},
	[REMOTE_NONSENSE] = {NULL, "gave a malformed answer"},
	[REMOTE_ABSENT] = {NULL, "cannot be asked"},
};

bool remote_is_name(const char *name)
{
	static const char set[] = "abcdefghijklmnopqrstuvwxyz"
				  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/";
	const size_t len = strlen(name);

	return len && len <= REMOTE_NAME_MAX && strspn(name, set) == len &&
	       !strchr("-/.", *name) && name[len - 1] != '/';
}

bool remote_is_commit(const char *text)
{
	const size_t len = strlen(text);

	return (len == 40 || len == 64) &&
	       strspn(text, "0123456789abcdef") == len;
}

/* Read the list remote.projects. */
static void read_projects(struct remote *r, const struct settings *s,
			  struct arena *a)
{
	const char *const *words = settings_words(s, PROJECTS, a);
	size_t n = 0;

	while (words[n])
		n++;
	r->projects = arena_alloc(a, (n + 1) * sizeof(*r->projects));
	for (size_t i = 0; i < n; i++) {
		const char *equal = strchr(words[i], '=');
		struct remote_project one = {NULL, words[i]};

		if (equal) {
			one.id = arena_copy(a, words[i],
					    (size_t)(equal - words[i]));
			one.name = equal + 1;
		}
		if (remote_is_name(one.name) &&
		    (!one.id || project_id_is(one.id)))
			r->projects[r->nprojects++] = one;
	}
}

int remote_open(struct remote *r, const char *argv0, struct arena *a,
		const struct report *report, struct err *e)
{
	static const char *const program[] = {PROGRAM, NULL};
	const struct settings *s;

	*r = (struct remote){.argv0 = argv0};
	if (settings_user(&s, a, report, e) < 0)
		return -1;
	r->url = settings_str(s, "remote.url");
	r->command = settings_words(s, "remote.command", a);
	r->timeout_ms = (int)settings_int(s, "remote.timeout_ms");
	r->always = !strcmp(settings_str(s, "remote.recall"), "on");
	read_projects(r, s, a);
	if (r->command[0])
		return 0;
	r->command = program;
	return *r->url ? 0
		       : err_set(e, ERR_USAGE,
				 "no remote index is set: 'co config --global "
				 "remote.url URL' names its server");
}

const char *remote_name_of(const struct remote *r, const char *id)
{
	for (size_t i = 0; id && *id && i < r->nprojects; i++) {
		if (r->projects[i].id && !strcmp(r->projects[i].id, id))
			return r->projects[i].name;
	}
	return NULL;
}

/* Set E to FAULT; SAID is what the program says of it, or NULL. Return -1. */
static int set_fault(const struct remote *r, enum remote_fault fault,
		     const char *said, struct err *e)
{
	struct buf line = {0};

	if (said && *said) {
		const size_t len = strlen(said);

		buf_adds(&line, ": ");
		sanitize_line(&line, said, utf8_cut(said, len, SAID_MAX));
	}
	err_set(e, fault == REMOTE_CONFLICT ? ERR_BUSY : ERR_HELPER,
		"the remote index%s%s%s %s%s", *r->url ? " '" : "", r->url,
		*r->url ? "'" : "", faults[fault].text, buf_str(&line));
	buf_release(&line);
	return -1;
}

/* A process_take_fn that keeps all output, up to the limit. */
static bool limit_answer(void *ctx, struct buf *output)
{
	const struct limits *limits = ctx;

	return output->len <= limits->bytes;
}

static int start_program(const struct remote *r, const struct buf *request,
			 int ms, const struct limits *limits, struct process *c,
			 struct err *e)
{
	const struct helper h = {
		.words = r->command, .argv0 = r->argv0, .timeout_ms = ms};
	char number[16];
	int result;

	snprintf(number, sizeof(number), "%d", ms);
	setenv(URL_VARIABLE, r->url, 1);
	setenv(TIMEOUT_VARIABLE, number, 1);
	result = process_start_helper(&h, request, c, e);
	unsetenv(URL_VARIABLE);
	unsetenv(TIMEOUT_VARIABLE);
	c->take = limit_answer;
	c->ctx = (struct limits *)(uintptr_t)limits;
	return result;
}

int remote_start(const struct remote *r, const struct buf *question,
		 struct process *c, struct err *e)
{
	return start_program(r, question, r->timeout_ms, &of_question, c, e);
}

static enum remote_fault fault_named(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_LEN(faults); i++) {
		if (faults[i].name && !strcmp(faults[i].name, name))
			return (enum remote_fault)i;
	}
	return REMOTE_NONSENSE;
}

/* Read the lines of TEXT into OUT. Return false unless each is an object and the last
 * one says how it ended. */
static bool read_lines(struct remote_reply *out, const struct buf *text,
		       const struct limits *limits, struct arena *a)
{
	const char *p = buf_str(text), *const end = p + text->len;
	const struct value *ok;
	size_t n = 0;

	/* So that newlines alone cost no memory. */
	if (p == end || *p != '{')
		return false;
	for (const char *c = p; c < end; c++)
		n += *c == '\n';
	if (!n || n > limits->lines || end[-1] != '\n')
		return false;
	out->lines = arena_alloc(a, n * sizeof(*out->lines));
	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		const size_t len = (size_t)(nl - p);
		struct value *v = &out->lines[out->n++];

		if (!json_within(p, len, limits->values) ||
		    json_parse(p, len, a, v, NULL) < 0 || v->kind != VALUE_MAP)
			return false;
		p = nl + 1;
	}
	out->last = out->lines[--out->n];
	ok = value_get(&out->last, "ok");
	return ok && ok->kind == VALUE_BOOL;
}

/* Return how C ended, and read its answer. *SAID, in A, is what it says of an error. */
static enum remote_fault read_reply(const struct process *c,
				    struct remote_reply *out, const char **said,
				    struct arena *a)
{
	const struct value *error;
	const char *errors = buf_str(&c->errors);

	if (c->late)
		return REMOTE_TIMEOUT;
	if (c->flooded) {
		*said = "it is too long";
		return REMOTE_NONSENSE;
	}
	if (!read_lines(out, &c->output, c->ctx, a)) {
		*said = arena_copy(a, errors, strcspn(errors, "\n"));
		return REMOTE_NONSENSE;
	}
	if (value_is_true(value_get(&out->last, "ok")))
		return c->status ? REMOTE_NONSENSE : REMOTE_NONE;
	error = value_get(&out->last, "error");
	*said = value_text(error, "message");
	return fault_named(value_text(error, "kind"));
}

int remote_finish(const struct remote *r, struct process *c,
		  struct remote_reply *out, struct arena *a, struct err *e)
{
	const char *said = NULL;

	*out = (struct remote_reply){0};
	process_finish(c);
	out->fault = read_reply(c, out, &said, a);
	process_release(c);
	if (!out->fault)
		return 0;
	out->n = 0;
	return set_fault(r, out->fault, said, e);
}

int remote_ask(const struct remote *r, const struct buf *request, int ms,
	       struct remote_reply *out, struct arena *a, struct err *e)
{
	struct process c = {0};

	if (start_program(r, request, ms, &of_request, &c, e) == 0)
		return remote_finish(r, &c, out, a, e);
	*out = (struct remote_reply){.fault = REMOTE_ABSENT};
	process_release(&c);
	return -1;
}

/* Write the name of R's mark to NAME, and open its directory. Return a descriptor, or
 * -1. */
static int open_marks(const struct remote *r, char name[SHA256_HEX], bool make)
{
	char *cache = NULL;
	struct buf path = {0};
	struct sha256 sum;
	int fd = -1;

	sha256_begin(&sum);
	sha256_take(&sum, r->url, strlen(r->url) + 1);
	for (size_t i = 0; r->command[i]; i++)
		sha256_take(&sum, r->command[i], strlen(r->command[i]) + 1);
	sha256_end(&sum, name);
	if (dirs_cache(&cache, NULL) == 0) {
		buf_addf(&path, "%s/remote", cache);
		if (make ? file_make_path(path.p, 0700, &fd, NULL) < 0
			 : file_open_dir(AT_FDCWD, path.p, path.p, &fd, NULL) <
				    1)
			fd = -1;
	}
	free(cache);
	buf_release(&path);
	return fd;
}

bool remote_is_paused(const struct remote *r, struct err *e)
{
	char name[SHA256_HEX];
	const int dir = open_marks(r, name, false);
	const int64_t now = instant_now().sec;
	struct instant at;
	struct buf text = {0};
	size_t len;
	int64_t ago = -1;

	if (dir < 0)
		return false;
	if (file_read(dir, name, name, INSTANT_TEXT + 64, &text, NULL) == 1) {
		len = strcspn(buf_str(&text), " \n");
		if (instant_parse(buf_str(&text), len, &at))
			ago = now - at.sec;
	}
	buf_release(&text);
	close(dir);
	if (ago < 0 || ago >= REMOTE_PAUSE)
		return false;
	err_set(e, ERR_HELPER,
		"the remote index failed %" PRId64 " s ago: it is asked again "
		"after %d s",
		ago, REMOTE_PAUSE);
	return true;
}

/* The mark is only a hint: unlike other files it is overwritten, and not synced, since
 * the search that failed must not wait for the disk. */
void remote_note(const struct remote *r, enum remote_fault fault)
{
	char name[SHA256_HEX], now[INSTANT_TEXT];
	const int dir = open_marks(r, name, fault != REMOTE_NONE);
	int fd = -1;

	if (dir < 0)
		return;
	if (!fault)
		unlinkat(dir, name, 0);
	else
		fd = file_open(dir, name,
			       O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW |
				       O_NONBLOCK,
			       0600);
	if (fd >= 0) {
		instant_format(instant_now(), now);
		io_write(fd, now, strlen(now));
		close(fd);
	}
	close(dir);
}

int remote_own_project(struct project *project, const struct store *s,
		       struct err *e)
{
	const struct root *root = &s->repo.root;

	*project = (struct project){.closed = false};
	if (root->fd >= 0 && project_read(project, root->fd, root->path))
		return 0;
	return err_set(e, ERR_NO,
		       root->fd < 0 ? "this directory is in no project"
				    : "this project has no id: 'co setup git' "
				      "draws one");
}

const char *remote_own_name(const struct remote *r, const struct store *s)
{
	struct project project;

	return remote_own_project(&project, s, NULL) == 0
		       ? remote_name_of(r, project.id)
		       : NULL;
}

int remote_join(struct store *user, const char *id, const char *name,
		struct err *e)
{
	const struct root *root = &user->repo.root;
	struct arena a = {0};
	const struct settings *s =
		settings_load(root->fd, root->path, -1, "", &a, NULL);
	const char *const *words = settings_words(s, PROJECTS, &a);
	struct value list = {.kind = VALUE_LIST};
	size_t n = 0;
	int r;

	while (words[n])
		n++;
	list.u.list.items = arena_alloc(&a, (n + 1) * sizeof(struct value));
	for (size_t i = 0; i < n; i++) {
		if (strncmp(words[i], id, strlen(id)) != 0 ||
		    words[i][strlen(id)] != '=')
			list.u.list.items[list.u.list.n++] =
				value_str(words[i]);
	}
	if (!name && list.u.list.n == n) {
		arena_release(&a);
		return 0;
	}
	if (name)
		list.u.list.items[list.u.list.n++] =
			value_str(arena_printf(&a, "%s=%s", id, name));
	r = settings_write(user, PROJECTS, list.u.list.n ? &list : NULL, false,
			   e);
	arena_release(&a);
	return r;
}
