/* remote-status.c: ask the server what it has, and describe it. */
#include "remote/remote.h"

#include "format/json-write.h"
#include "sys/git.h"
#include "text/sanitize.h"

#include <inttypes.h>
#include <stdlib.h>

static void write_request(struct buf *out, const struct remote *r)
{
	json_write_open(out, NULL, '{');
	json_write_text(out, "verb", "describe");
	json_write_open(out, "projects", '[');
	for (size_t i = 0; i < r->nprojects && i < REMOTE_PROJECTS_MAX; i++)
		json_write_text(out, NULL, r->projects[i].name);
	json_write_close(out, ']');
	json_write_end(out);
}

/* Return the number of commits after COMMIT, up to HEAD, that change the knowledge of
 * the store S; -1 if it is not known. */
static int64_t count_behind(const struct store *s, const char *commit,
			    struct arena *a)
{
	const char *range = arena_printf(a, "%s..HEAD", commit);
	const char *const words[] = {"rev-list", "--count",   range,
				     "--",	 "knowledge", NULL};
	struct buf out = {0};
	int64_t n = -1;

	if (git_ask(s->repo.root.path, words, "", 0, &out, NULL) == 0)
		n = strtoll(buf_str(&out), NULL, 10);
	buf_release(&out);
	return n;
}

/* Set the project of V, a line of the answer. */
static void set_project(struct remote_status *s, const struct value *v)
{
	const char *name = value_text(v, "project"),
		   *commit = value_text(v, "commit"), *at = value_text(v, "at");
	struct instant time;

	for (size_t i = 0; name && i < s->n; i++) {
		struct remote_state *one = &s->projects[i];

		if (strcmp(one->name, name) != 0)
			continue;
		if (commit && remote_is_commit(commit) && at &&
		    instant_parse(at, strlen(at), &time)) {
			one->commit = commit;
			one->at = at;
		}
		one->write = value_is_true(value_get(v, "write"));
		one->documents = value_positive(v, "documents");
	}
}

/* List the projects of R's settings. */
static void list_projects(struct remote_status *s, const struct remote *r,
			  const struct store *own, struct arena *a)
{
	const char *name = remote_own_name(r, own);

	s->projects = arena_alloc(a, (r->nprojects + 1) * sizeof(*s->projects));
	for (size_t i = 0; i < r->nprojects && i < REMOTE_PROJECTS_MAX; i++)
		s->projects[s->n++] = (struct remote_state){
			.name = r->projects[i].name,
			.own = name && !strcmp(name, r->projects[i].name),
			.behind = -1};
}

int remote_status_get(struct remote_status *s, const struct remote *r,
		      const struct store *own, struct arena *a, struct err *e)
{
	struct buf request = {0};
	struct remote_reply reply;
	int result;

	*s = (struct remote_status){.schema = 0};
	write_request(&request, r);
	result = remote_ask(r, &request, REMOTE_COMMAND_MS, &reply, a, e);
	buf_release(&request);
	if (result < 0)
		return -1;
	list_projects(s, r, own, a);
	for (size_t i = 0; i < reply.n; i++) {
		const struct value *v = &reply.lines[i];

		set_project(s, v);
		if (!value_text(v, "server"))
			continue;
		s->server = value_text(v, "server");
		s->role = value_text(v, "role");
		s->schema = value_positive(v, "schema");
	}
	for (size_t i = 0; i < s->n; i++) {
		struct remote_state *one = &s->projects[i];

		if (one->own && one->commit)
			one->behind = count_behind(own, one->commit, a);
	}
	return 0;
}

void remote_status_json(struct buf *out, const struct remote_status *s,
			const struct remote *r)
{
	json_write_open(out, NULL, '{');
	json_write_text(out, "url", r->url);
	json_write_text(out, "server", s->server);
	json_write_int(out, "schema", s->schema);
	json_write_text(out, "role", s->role);
	json_write_open(out, "projects", '[');
	for (size_t i = 0; i < s->n; i++) {
		const struct remote_state *p = &s->projects[i];

		json_write_open(out, NULL, '{');
		json_write_text(out, "project", p->name);
		json_write_text(out, "commit", p->commit);
		json_write_text(out, "as_of", p->at);
		json_write_int(out, "documents", p->documents);
		json_write_bool(out, "write", p->write);
		json_write_bool(out, "own", p->own);
		if (p->behind >= 0)
			json_write_int(out, "behind", p->behind);
		json_write_close(out, '}');
	}
	json_write_close(out, ']');
	json_write_end(out);
}

/* Append P, a text of the server, on one line. */
static void add_line(struct buf *out, const char *p)
{
	sanitize_line(out, p, strlen(p));
}

void remote_status_text(struct buf *out, const struct remote_status *s,
			const struct remote *r)
{
	buf_adds(out, "server: ");
	add_line(out, s->server ? s->server : "unknown");
	buf_addf(out, "%s%s", *r->url ? " at " : "", r->url);
	buf_adds(out, s->role ? " as " : "");
	add_line(out, s->role ? s->role : "");
	buf_addc(out, '\n');
	for (size_t i = 0; i < s->n; i++) {
		const struct remote_state *p = &s->projects[i];

		buf_addf(out, "%s%s: ", p->name,
			 p->own ? " (this project)" : "");
		if (!p->commit)
			buf_adds(out, "nothing to see");
		else
			buf_addf(out, "%" PRId64 " document%s of %.12s (%.10s)",
				 p->documents, p->documents == 1 ? "" : "s",
				 p->commit, p->at);
		if (p->behind >= 0)
			buf_addf(out, ", %" PRId64 " commit%s behind",
				 p->behind, p->behind == 1 ? "" : "s");
		else if (p->own && p->commit)
			buf_adds(out, ", a commit that is not here");
		buf_addc(out, '\n');
	}
}
