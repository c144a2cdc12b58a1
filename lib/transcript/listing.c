#include "transcript/listing.h"

#include "repo/root.h"

int listing_dirs(struct listing_dirs *f, const char *project, struct arena *a,
		 struct err *e)
{
	char *path = realpath(project ? project : ".", NULL);
	struct root root;

	if (!path)
		return project ? err_sys(e, "cannot find '%s'", project)
			       : err_sys(e,
					 "cannot find the working directory");
	f->path[0] = f->path[1] = arena_strdup(a, path);
	free(path);
	if (project)
		return 0;
	if (root_find(&root, SCOPE_PROJECT, e) < 0)
		return -1;
	f->path[0] = arena_copy(a, root.path,
				(size_t)(strrchr(root.path, '/') - root.path));
	root_release(&root);
	return 0;
}

bool listing_is_ours(const struct session *s, const struct listing_dirs *d)
{
	return sessions_is_in(s, d->path[0]) || sessions_is_in(s, d->path[1]);
}

/* A session, and whether it belongs to this project. */
struct ranked_session {
	struct session session;
	bool ours;
};

static int compare_sessions(const void *x, const void *y)
{
	const struct ranked_session *a = x, *b = y;
	int r;

	if (a->ours != b->ours)
		return a->ours ? -1 : 1;
	r = instant_cmp(b->session.end, a->session.end);
	return r ? r : strcmp(a->session.path, b->session.path);
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
	struct ranked_session *all = mem_alloc((s->n + 1) * sizeof(*all));
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct session *one = &s->items[i];
		const bool ours = listing_is_ours(one, f);

		if ((ours || l->all) &&
		    (!l->since || instant_cmp(one->end, *l->since) >= 0) &&
		    !listing_is_request(one))
			all[n++] = (struct ranked_session){*one, ours};
	}
	qsort(all, n, sizeof(*all), compare_sessions);
	for (size_t i = 0; i < n; i++)
		s->items[i] = all[i].session;
	s->n = n;
	free(all);
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
		    sessions_find(s, f, folders.path[0], &why) < 0)
			err_report(r, &why);
	}
	if (s->n)
		select_sessions(s, l, &folders);
	return 0;
}
