/* push.c: the documents are read from the store as the commit has it, so that a work tree
 * with other changes sends the same.
 */
#include "remote/remote.h"

#include "base/strings.h"
#include "cache/cache.h"
#include "format/json-write.h"
#include "history/history.h"
#include "remote/remote-document.h"
#include "repo/marks.h"
#include "repo/settings.h"
#include "sys/git.h"
#include "text/secrets.h"

#define SETTINGS_MAX ((size_t)64 * 1024)

/* A document to send: its JSON is at [START, END) of the texts. */
struct sent {
	char hash[SHA256_HEX];
	size_t start, end;
	const char *path; /* below `.co-cli`, in the arena */
	bool there;	  /* the server has it */
};

struct work {
	struct remote_push *p;
	const struct remote *remote;
	struct store *was; /* the store as the commit has it */
	struct secrets *secrets;
	struct buf texts;
	struct sent *items; /* by hash, each once, after sort_items() */
	size_t n, cap;
	struct buf request;
	struct remote_reply reply;
	const char *
		base; /* the digest of the server; "": it has no such project */
	struct strings extra; /* hashes of documents that are too much there */
	const char *tree;     /* of the store in the commit */
	struct instant until; /* when the first document expires; 0: never */
	bool keeps_basis;     /* the server does */
	bool lacks_vectors;   /* the server does, of the documents it had */
	struct err *e;
};

/* Report that the document at PATH is not sent, since it WHY. */
static void report_withheld(struct work *w, const char *path, const char *why)
{
	err_warn(w->p->report, ERR_DATA, "not sent: '%s' %s", path, why);
	w->p->withheld++;
}

/* Return true if the document D at PATH may be sent; else it is reported. */
static bool may_send(struct work *w, const struct view_doc *d, const char *path)
{
	const char *tag = d->tags;
	struct buf all = {0};
	struct secret found;
	struct err e;
	int r;

	buf_addf(&all, "%s\n%s\n%s\n", path, d->title,
		 d->source ? d->source : "");
	for (size_t i = 0; i < d->ntags; i++, tag += strlen(tag) + 1)
		buf_addf(&all, "%s\n", tag);
	buf_add(&all, d->text, d->len);
	r = secrets_find(w->secrets, all.p, all.len, 0, &found, &e);
	if (r > 0)
		report_withheld(
			w, path,
			arena_printf(&w->p->arena,
				     "looks as if it held a secret (%s)",
				     found.rule));
	else if (r < 0)
		report_withheld(w, path, "cannot be searched for secrets");
	buf_release(&all);
	return r == 0;
}

/* Note that a document EXPIRES at that date, or "". */
static void note_end(struct work *w, const char *expires)
{
	const struct value v = value_str(expires);
	struct instant end;

	if (*expires && marks_end(&v, &end) &&
	    (!w->until.sec || instant_cmp(end, w->until) < 0))
		w->until = end;
}

/* A view_doc_fn: add D to the documents, unless it is hidden. */
static int add_document(void *ctx, const struct view_doc *d)
{
	struct work *w = ctx;
	struct arena a = {0};
	struct remote_document out;
	struct sent one = {.start = w->texts.len};

	remote_document_of(&out, d, w->was->repo.root.path, &a);
	if ((d->marked &&
	     store_marks(w->was, &d->keys, NULL) & marks_hidden()) ||
	    !may_send(w, d, out.path)) {
		arena_release(&a);
		return 0;
	}
	one.path = arena_strdup(&w->p->arena, out.path);
	remote_document_write(&w->texts, &out, one.hash);
	one.end = w->texts.len;
	if (one.end - one.start > REMOTE_DOCUMENT_MAX) {
		buf_cut(&w->texts, one.start);
		report_withheld(w, one.path, "is longer than 1 MiB");
	} else {
		note_end(w, out.expires);
		*MEM_ADD(w->items, w->n, w->cap) = one;
	}
	arena_release(&a);
	return 0;
}

/* A history_store_fn. */
static int read_documents(void *ctx, struct store *was, struct err *e)
{
	struct work *w = ctx;

	w->was = was;
	if (cache_refresh(was->cache, REFRESH_DOCUMENTS | REFRESH_MAKE, e) < 0)
		return -1;
	if (view_each(was->cache, 0, add_document, w) < 0)
		return -1;
	/* A document that is left out would be removed from the server. */
	if (view_news(was->cache)->failed || view_damaged(was->cache))
		return err_set(e, ERR_SYSTEM,
			       "a file of commit '%.12s' cannot be read",
			       w->p->commit);
	return 0;
}

static int by_hash(const void *a, const void *b)
{
	const struct sent *x = a, *y = b;

	return strcmp(x->hash, y->hash);
}

/* Sort the documents, keep each once, and set the digest. */
static void sort_items(struct work *w)
{
	struct remote_digest sum = {{0}};
	size_t n = 0;

	MEM_SORT(w->items, w->n, by_hash);
	for (size_t i = 0; i < w->n; i++) {
		if (n && !strcmp(w->items[n - 1].hash, w->items[i].hash))
			continue;
		w->items[n++] = w->items[i];
		remote_digest_add(&sum, w->items[i].hash);
	}
	w->n = w->p->documents = n;
	remote_digest_text(&sum, w->p->digest);
}

/* Run git with WORDS in the store of P. Return its output without the newline, in P's
 * arena, or NULL; *STATUS is its exit status, or -1. */
static const char *ask_git(struct remote_push *p, const char *const *words,
			   int *status, struct err *e)
{
	struct buf out = {0};
	const char *text = NULL;

	*status = git_ask(p->store->repo.root.path, words, "", 0, &out, e);
	if (*status == 0)
		text = arena_copy(&p->arena, buf_str(&out),
				  strcspn(buf_str(&out), "\n"));
	buf_release(&out);
	return text;
}

/* Set the commit of P, and its time. */
static int find_commit(struct remote_push *p, struct err *e)
{
	const char *name = arena_printf(&p->arena, "%s^{commit}", p->rev);
	const char *seconds;
	char at[INSTANT_TEXT];
	int status = 1;

	if (*p->rev != '-')
		p->commit =
			ask_git(p,
				(const char *const[]){"rev-parse", "-q",
						      "--verify", name, NULL},
				&status, e);
	if (!p->commit)
		return status < 0 ? -1
				  : err_set(e, ERR_USAGE, "no commit '%s'",
					    p->rev);
	seconds = ask_git(p,
			  (const char *const[]){"show", "-s", "--format=%ct",
						p->commit, NULL},
			  &status, e);
	if (!seconds)
		return status < 0 ? -1
				  : err_set(e, ERR_HELPER,
					    "git cannot show '%s'", p->commit);
	instant_format((struct instant){.sec = strtoll(seconds, NULL, 10)}, at);
	p->at = arena_strdup(&p->arena, at);
	return 0;
}

/* Read the project that the commit of P is of. A link in place of the settings is
 * ignored. Return 0 or -1. */
static int read_project(struct remote_push *p, struct project *project,
			struct err *e)
{
	const char *const list[] = {"ls-tree", p->commit, "settings.json",
				    NULL};
	const char *name =
		arena_printf(&p->arena, "settings.json of %.12s", p->commit);
	struct buf text = {0};
	const char *line, *blob;
	int status, r = 0;

	*project = (struct project){.closed = false};
	line = ask_git(p, list, &status, e);
	if (!line)
		return status < 0 ? -1
				  : err_set(e, ERR_HELPER,
					    "git cannot list '%s'", p->commit);
	/* "100644 blob HASH\tsettings.json" */
	if (strncmp(line, "100", 3) != 0 || !(blob = strstr(line, " blob ")))
		return 0;
	blob = arena_copy(&p->arena, blob + 6, strcspn(blob + 6, "\t"));
	status = git_ask(p->store->repo.root.path,
			 (const char *const[]){"cat-file", "blob", blob, NULL},
			 "", 0, &text, e);
	if (status == 0 && text.len <= SETTINGS_MAX)
		r = project_parse(project, name, buf_str(&text), text.len, e);
	else if (status >= 0)
		r = err_set(e, ERR_DATA, "'%s' cannot be read", name);
	else
		r = -1;
	buf_release(&text);
	return r < 0 ? -1 : 0;
}

/* Set the name of the project on the server. Return 0 or -1. */
static int find_name(struct remote_push *p, const struct remote *remote,
		     struct err *e)
{
	struct project project;

	if (read_project(p, &project, e) < 0)
		return -1;
	if (!*project.id)
		return err_set(e, ERR_NO,
			       "commit '%.12s' has no id of a project: 'co "
			       "setup git' draws one, then commit it",
			       p->commit);
	p->project = remote_name_of(remote, project.id);
	if (!p->project)
		return err_set(e, ERR_NO,
			       "this project has no name on the server: 'co "
			       "remote --join NAME' gives it one");
	if (project.closed)
		return err_set(e, ERR_NO,
			       "this project is not shared: its setting "
			       "'project.share' is false");
	return 0;
}

/* Begin the request VERB for the project. */
static void begin_request(struct work *w, const char *verb)
{
	buf_cut(&w->request, 0);
	json_write_open(&w->request, NULL, '{');
	json_write_text(&w->request, "verb", verb);
	json_write_text(&w->request, "project", w->p->project);
}

static int ask(struct work *w, int ms)
{
	return remote_ask(w->remote, &w->request, ms, &w->reply, &w->p->arena,
			  w->e);
}

/* Set E to the error that an answer is malformed. Return -1. */
static int set_malformed(struct work *w)
{
	return err_set(w->e, ERR_HELPER,
		       "the remote index gave a malformed answer");
}

/* Return 1 if the commit A is B or one before it, 0 if not, or -1. */
static int is_before(struct work *w, const char *a, const char *b)
{
	int status;

	ask_git(w->p,
		(const char *const[]){"merge-base", "--is-ancestor", a, b,
				      NULL},
		&status, w->e);
	return status < 0 ? -1 : status == 0;
}

/* Check that the commit WAS of the server is before ours or after it. In a shallow clone
 * nobody can tell. Return 0 or -1. */
static int check_history(struct work *w, const char *was)
{
	struct remote_push *p = w->p;
	const char *const shallow[] = {"rev-parse", "--is-shallow-repository",
				       NULL};
	const char *const find[] = {"rev-parse", "-q", "--verify",
				    arena_printf(&p->arena, "%s^{commit}", was),
				    NULL};
	const char *text;
	int status, r;

	if (p->force || !was || !remote_is_commit(was))
		return 0;
	text = ask_git(p, find, &status, w->e);
	r = status < 0 ? -1 : text != NULL;
	if (r == 1) {
		r = is_before(w, was, p->commit);
		if (r == 0)
			r = is_before(w, p->commit, was);
	}
	if (r)
		return r < 0 ? -1 : 0;
	text = ask_git(p, shallow, &status, w->e);
	if (status < 0 || (text && !strcmp(text, "true")))
		return status < 0 ? -1 : 0;
	return err_set(w->e, ERR_NO,
		       "the server has commit '%.12s' of '%s', which is in no "
		       "history with '%.12s': run 'git fetch', or replace it "
		       "with --force",
		       was, p->project, p->commit);
}

/* Ask for the state of the project. Return 0 or -1. */
static int get_state(struct work *w)
{
	const struct value *first;

	begin_request(w, "digest");
	json_write_bool(&w->request, "vectors", true);
	json_write_end(&w->request);
	if (ask(w, REMOTE_COMMAND_MS) < 0)
		return -1;
	first = w->reply.n ? w->reply.lines : NULL;
	w->lacks_vectors = value_positive(first, "lacking") > 0;
	w->base = value_text(first, "digest");
	w->keeps_basis = value_text(first, "basis");
	return w->base ? check_history(w, value_text(first, "commit"))
		       : set_malformed(w);
}

/* Append the basis of the documents, without the time. */
static void write_basis(struct buf *out, const struct work *w)
{
	buf_addf(out, "co " CO_VERSION " %s ", w->tree);
}

/* Return true if the server has the documents of the tree, with their digest and number
 * set; false if that is unknown. */
static bool has_basis(struct work *w)
{
	const struct value *first = w->reply.lines, *documents;
	const char *basis = value_text(first, "basis");
	struct buf ours = {0};
	struct instant until;
	bool same = false;

	w->tree = ask_git(
		w->p,
		(const char *const[]){
			"rev-parse", "-q", "--verify",
			arena_printf(&w->p->arena, "%s:./", w->p->commit),
			NULL},
		&(int){0}, w->e);
	if (!w->tree)
		w->tree = "";
	write_basis(&ours, w);
	documents = value_get(first, "documents");
	if (*w->tree && *w->base && basis && documents &&
	    documents->kind == VALUE_INT && documents->u.i >= 0 &&
	    strlen(w->base) == SHA256_HEX - 1 &&
	    !strncmp(basis, buf_str(&ours), ours.len)) {
		basis += ours.len;
		same = !strcmp(basis, "-") ||
		       (instant_parse(basis, strlen(basis), &until) &&
			instant_cmp(instant_now(), until) < 0);
	}
	buf_release(&ours);
	if (!same || w->p->force)
		return false;
	w->p->documents = (size_t)documents->u.i;
	memcpy(w->p->digest, w->base, SHA256_HEX);
	return true;
}

/* Mark the documents that the server has, and list those that it has too much. */
static int compare_lists(struct work *w)
{
	w->extra.n = 0;
	for (size_t i = 0; i < w->n; i++)
		w->items[i].there = false;
	if (!*w->base)
		return 0;
	begin_request(w, "digest");
	json_write_bool(&w->request, "list", true);
	json_write_end(&w->request);
	if (ask(w, REMOTE_PUSH_MS) < 0)
		return -1;
	for (size_t i = 0; i < w->reply.n; i++) {
		const struct value *line = &w->reply.lines[i];
		const char *hash = value_text(line, "hash");
		struct sent key, *found = NULL;

		if (!i && !hash) {
			w->base = value_text(line, "digest");
			continue;
		}
		if (!hash ||
		    strspn(hash, "0123456789abcdef") != SHA256_HEX - 1 ||
		    hash[SHA256_HEX - 1])
			return set_malformed(w);
		memcpy(key.hash, hash, SHA256_HEX);
		if (w->n)
			found = bsearch(&key, w->items, w->n, sizeof(*w->items),
					by_hash);
		if (found)
			found->there = true;
		else
			strings_add(&w->extra, hash);
	}
	return w->base ? 0 : set_malformed(w);
}

static void write_push(struct work *w)
{
	const struct remote_push *p = w->p;
	struct buf basis = {0};
	char until[INSTANT_TEXT];

	begin_request(w, "push");
	json_write_text(&w->request, "commit", p->commit);
	json_write_text(&w->request, "at", p->at);
	json_write_text(&w->request, "digest", p->digest);
	json_write_size(&w->request, "documents", p->documents);
	json_write_text(&w->request, "base", w->base);
	json_write_bool(&w->request, "create", !*w->base);
	if (*w->tree && !p->withheld) {
		write_basis(&basis, w);
		instant_format(w->until, until);
		buf_adds(&basis, w->until.sec ? until : "-");
		json_write_text(&w->request, "basis", basis.p);
		buf_release(&basis);
	}
	json_write_end(&w->request);
	for (size_t i = 0; i < w->extra.n; i++)
		buf_addf(&w->request, "{\"remove\":\"%s\"}\n",
			 w->extra.items[i]);
	for (size_t i = 0; i < w->n; i++) {
		const struct sent *one = &w->items[i];

		if (one->there)
			continue;
		buf_addf(&w->request, "{\"doc\":{\"hash\":\"%s\",", one->hash);
		buf_add(&w->request, w->texts.p + one->start + 1,
			one->end - one->start - 1);
		buf_adds(&w->request, "}\n");
	}
	buf_adds(&w->request, "{\"end\":true}\n");
}

/* Count the changes to make, and call `plan`. */
static void count_changes(struct work *w)
{
	struct remote_push *p = w->p;

	p->added = 0;
	p->removed = w->extra.n;
	for (size_t i = 0; i < w->n; i++) {
		p->added += !w->items[i].there;
		if (p->plan && !w->items[i].there)
			p->plan(p->ctx, w->items[i].path, true);
	}
	for (size_t i = 0; p->plan && i < w->extra.n; i++)
		p->plan(p->ctx, w->extra.items[i], false);
}

/* Send what differs. Return 0 or -1. */
static int send_changes(struct work *w)
{
	const char *digest;

	if (compare_lists(w) < 0)
		return -1;
	count_changes(w);
	if (w->p->dry)
		return 0;
	write_push(w);
	if (ask(w, REMOTE_PUSH_MS) < 0)
		return -1;
	digest = value_text(w->reply.n ? w->reply.lines : NULL, "digest");
	return digest && !strcmp(digest, w->p->digest) ? 0 : set_malformed(w);
}

/* Send nothing but the basis, which the server lacks. Return 0 or -1. */
static int send_basis(struct work *w)
{
	w->extra.n = 0;
	for (size_t i = 0; i < w->n; i++)
		w->items[i].there = true;
	write_push(w);
	return ask(w, REMOTE_PUSH_MS);
}

/* Send what differs from the state that get_state() got. Return as remote_push(). */
static int exchange(struct work *w)
{
	bool same = false;
	int r = -1;

	for (int i = 0; i < PUSH_TRIES && r < 0; i++) {
		if (i && get_state(w) < 0)
			return -1;
		same = !strcmp(w->base, w->p->digest);
		if (same && (w->p->dry || w->p->withheld || !w->keeps_basis))
			return 0;
		r = same ? send_basis(w) : send_changes(w);
		if (r < 0 && w->reply.fault != REMOTE_CONFLICT)
			return -1;
	}
	return r < 0 ? -1 : !same;
}

/* Read the documents of the commit, and send them. Return as remote_push(). */
static int push_documents(struct work *w)
{
	int r;

	w->secrets = secrets_new();
	r = history_with_store(w->p->store, w->p->commit, read_documents, w,
			       w->e);
	/* Nothing to send would empty the project on the server. */
	if (r == 0 && !w->was)
		r = err_set(w->e, ERR_NO, "commit '%.12s' has no memories",
			    w->p->commit);
	if (r == 0) {
		sort_items(w);
		r = exchange(w);
	}
	secrets_free(w->secrets);
	free(w->items);
	free(w->extra.items);
	buf_release(&w->texts);
	return r;
}

/* Let the server's program make the vectors that documents lack. The documents are there,
 * so a failure is only reported. One that knows no vectors says so. */
static void make_vectors(struct work *w)
{
	begin_request(w, "vectors");
	json_write_end(&w->request);
	if (ask(w, REMOTE_PUSH_MS) < 0 && w->reply.fault != REMOTE_INVALID)
		err_report(w->p->report, w->e);
}

int remote_push(struct remote_push *p, const struct remote *remote,
		struct err *e)
{
	struct work w = {.p = p, .remote = remote, .e = e};
	int r = find_commit(p, e);

	if (r == 0)
		r = find_name(p, remote, e);
	if (r == 0)
		r = get_state(&w);
	if (r == 0 && !has_basis(&w))
		r = push_documents(&w);
	if (!p->dry && (r == 1 || (r == 0 && w.lacks_vectors)))
		make_vectors(&w);
	buf_release(&w.request);
	return r;
}

void remote_push_release(struct remote_push *p)
{
	arena_release(&p->arena);
}
