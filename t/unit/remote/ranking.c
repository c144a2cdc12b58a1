/* ranking.c: rank the corpus of a server in few round trips. */
#include "remote/corpus-ranking.h"

#include "remote/corpus-postings.h"

#include "../expect.h"

#define DOCUMENTS 40

/* A server with two projects that counts the requests. */
static struct server {
	struct buf bodies[2][DOCUMENTS + 1];
	struct corpus_columns columns[2];
	struct corpus_changes changes[2];
	size_t postings, documents, loaded;
} server;

/* Add TEXT as the next document of the project INDEX. */
static void add(size_t index, const char *text, const char *expires)
{
	struct corpus_columns *c = &server.columns[index];
	const uint32_t number = (uint32_t)c->n + 1;
	const struct remote_document d = {.kind = RECORD_MEMORY,
					  .id = number,
					  .path = "x.md",
					  .created = "2026-01-01T00:00:00Z",
					  .expires = expires,
					  .title = "",
					  .text = text,
					  .len = strlen(text)};
	struct corpus_terms t = {0};
	char hash[SHA256_HEX];

	corpus_terms_read(&t, &d);
	corpus_changes_add(&server.changes[index], &t, number);
	corpus_columns_add(c, corpus_columns_of(&d, &t, number));
	remote_document_write(&server.bodies[index][number], &d, hash);
	corpus_terms_release(&t);
}

static int get_postings(void *ctx, struct corpus_ranking *r,
			const struct corpus_word *terms, size_t n,
			struct err *e)
{
	int result = 0;

	(void)ctx;
	server.postings++;
	for (size_t i = 0; i < 2; i++) {
		for (size_t k = 0; k < server.changes[i].n; k++) {
			struct corpus_change *x = &server.changes[i].items[k];
			struct buf blob = {0};

			for (size_t j = 0; j < n && !result; j++) {
				if (x->len != terms[j].len ||
				    memcmp(x->term, terms[j].p, x->len) != 0)
					continue;
				corpus_changes_apply(x, "", 0, &blob, e);
				result = corpus_ranking_put(
					r, i, terms[j],
					(struct corpus_word){blob.p, blob.len},
					e);
			}
			buf_release(&blob);
		}
	}
	return result;
}

static int get_documents(void *ctx, struct corpus_ranking *r,
			 const struct corpus_place *docs, size_t n,
			 struct err *e)
{
	(void)ctx;
	server.documents++;
	server.loaded += n;
	for (size_t i = 0; i < n; i++) {
		const struct buf *body =
			&server.bodies[docs[i].index][docs[i].number];

		if (corpus_ranking_load(r, docs[i], body->p, body->len, e) < 0)
			return -1;
	}
	return 0;
}

static int get_vocabulary(void *ctx, corpus_term_fn *fn, void *fn_ctx,
			  struct err *e)
{
	(void)ctx, (void)fn, (void)fn_ctx, (void)e;
	return 0;
}

/* Ask QUESTION, and append "index:id" of each hit to OUT. */
static void ask(const char *question, struct buf *out)
{
	const struct corpus_source source = {NULL, get_postings, get_documents,
					     get_vocabulary};
	const struct expansion_ask forms = {0};
	struct corpus_ranking *r = corpus_ranking_new(&source);
	const struct corpus_word *words;
	struct arena a = {0};
	struct query q;
	const struct rank_ask how = {
		.query = &q, .max = 3, .expansion = &forms};
	struct rank_result result;
	struct err e;
	size_t n;

	server.postings = server.documents = server.loaded = 0;
	for (size_t i = 0; i < 2; i++) {
		struct buf blob = {0};

		corpus_columns_write(&server.columns[i], &blob);
		expect(corpus_ranking_project(r, blob.p, blob.len, &e) == 0,
		       "a project is added");
		buf_release(&blob);
	}
	expect(corpus_ranking_count(r) == DOCUMENTS + 1,
	       "the expired document is not counted");
	query_parse(&q, question, strlen(question), &a);
	words = corpus_ranking_words(r, &how, &a, &n);
	expect(get_postings(NULL, r, words, n, &e) == 0,
	       "the postings of its terms are added");
	expect(corpus_ranking_run(r, &how, &a, &result, &e) == 0,
	       "a question is answered");
	for (size_t i = 0; i < result.n; i++) {
		const struct remote_document *d;
		size_t index;

		if (corpus_ranking_get(r, result.hits[i].doc, &d, &index, &e) ==
		    0)
			buf_addf(out, "%zu:%lld ", index, (long long)d->id);
	}
	corpus_ranking_free(r);
	arena_release(&a);
}

static void expect_answer(const char *question, const char *want)
{
	struct buf out = {0};

	ask(question, &out);
	if (strcmp(buf_str(&out), want) != 0)
		expect_failed("%s: '%s', not '%s'", question, buf_str(&out),
			      want);
	buf_release(&out);
}

static void test_projects(void)
{
	expect_answer("quokka port", "1:2 0:38 0:37 ");
	expect(server.postings == 1,
	       "the terms of the question are requested once");
	expect(server.documents == 1 && server.loaded == 32,
	       "the best texts are requested at once");
	expect_answer("\"port 7\"", "0:7 ");
	expect(server.documents == 1 && server.loaded == 1,
	       "a phrase requests only what has its words");
	expect_answer("port since:2025", "0:38 0:37 0:36 ");
	expect(server.documents == 1 && server.loaded == DOCUMENTS - 1,
	       "a filter requests all candidates at once");
	expect_answer("zebra", "");
	expect_answer("db", "1:4 ");
	expect(server.postings == 1,
	       "other forms are requested with the terms of the question");
}

int main(void)
{
	static const struct unit_test tests[] = {
		{"projects are ranked as one corpus, in two round trips",
		 test_projects},
	};
	struct buf text = {0};

	for (int i = 1; i < DOCUMENTS - 1; i++) {
		buf_cut(&text, 0);
		buf_addf(&text, "it is port %d", i);
		add(0, text.p, "");
	}
	add(1, "the port of a harbour", "");
	add(1, "a quokka sleeps", "");
	add(1, "a quokka at the port", "2020-01-01");
	add(1, "a database", "");
	buf_release(&text);
	return unit_run(tests, ARRAY_LEN(tests));
}
