/* shown.c: an event is a line of JSON, appended by log.h.
 *
 * Known limits: two directories with one project id share a ledger. If a hook
 * runs out of time, the context of its fallback answer is not recorded.
 */
#include "shown/shown.h"

#include "base/hash.h"
#include "base/sha256.h"
#include "rank/terms.h"
#include "shown/reads.h"
#include "shown/shown-file.h"
#include "sys/file.h"
#include "text/sanitize.h"

#include <inttypes.h>
#include <fcntl.h>
#include <unistd.h>

#define HASHED_MAX ((size_t)1024 * 1024) /* bytes of a file */
#define WORDS_MAX 200			 /* bytes */
#define QUERY_WORDS 64
#define SEARCHED_MAX ((size_t)16 * 1024) /* bytes of a memory */
#define WORD_MAX 40			 /* longer ones may be keys or hashes */

static const char *const whys[] = {
	[SHOWN_CONTEXT] = "context", [SHOWN_RULE] = "rule",
	[SHOWN_DIGEST] = "digest",   [SHOWN_CITE] = "cite",
	[SHOWN_PATH] = "path",	     [SHOWN_NAME] = "name",
	[SHOWN_WORDS] = "words",     [SHOWN_ASKED] = "asked",
};

void shown_add_folder(struct buf *out)
{
	char *cwd = getcwd(NULL, 0);

	if (cwd)
		sanitize_terminal(out, cwd, strlen(cwd), false);
	free(cwd);
}

const char *shown_hash(const char *path, char *sum)
{
	struct buf text = {0};
	struct err none;
	const char *hash = NULL;

	if (file_read(AT_FDCWD, path, path, HASHED_MAX, &text, &none) == 1)
		hash = sha256_of(buf_str(&text), text.len, sum);
	buf_release(&text);
	return hash;
}

void shown_items_release(struct shown_items *items)
{
	buf_release(&items->json);
	buf_release(&items->external);
}

/* Add the name of M to those that others wrote. */
static void add_external(struct shown_items *items,
			 const struct shown_memory *m)
{
	if (m->id)
		buf_addf(&items->external, "memory %s%" PRId64,
			 m->prefix ? m->prefix : record_scope_prefix(m->scope),
			 m->id);
	else
		buf_adds(&items->external, "an article");
	buf_addc(&items->external, '\0');
}

void shown_add(struct shown_items *items, const struct shown_memory *m)
{
	struct buf *json = &items->json;
	char sum[SHA256_HEX];
	const char *hash = m->sha256;

	if (!hash && m->path)
		hash = shown_hash(m->path, sum);
	json_write_open(json, NULL, '{');
	if (m->id)
		json_write_int(json, "id", m->id);
	else
		json_write_text(json, "id", NULL);
	json_write_text(json, "scope", record_scope_name(m->scope));
	if (m->prefix)
		json_write_bytes(json, "project", m->prefix,
				 strlen(m->prefix) - 1);
	else if (m->project)
		json_write_text(json, "project", m->project);
	json_write_text(json, "sha256", hash);
	json_write_size(json, "bytes", m->bytes);
	json_write_text(json, "why", whys[m->why]);
	if (m->external) {
		json_write_bool(json, "external", true);
		add_external(items, m);
	}
	json_write_given(json, "cite", m->cite);
	json_write_close(json, '}');
}

const char *shown_project(const struct record *r)
{
	return r->elsewhere ? file_name_of(r->elsewhere) : NULL;
}

void shown_add_record(struct shown_items *items, const struct record *r,
		      size_t bytes, enum shown_why why, const char *cite)
{
	char sum[SHA256_HEX];
	const struct shown_memory m = {
		.id = r->kind == RECORD_MEMORY ? r->id : 0,
		.scope = r->scope,
		.project = shown_project(r),
		.prefix = r->prefix,
		.external = record_marks(r) & MARK_EXTERNAL,
		.path = r->path,
		.sha256 = r->bytes ? sha256_of(r->bytes, r->nbytes, sum) : NULL,
		.bytes = bytes,
		.why = why,
		.cite = cite,
	};

	shown_add(items, &m);
}

/* A word of a query. */
struct wanted {
	const char *term, *word; /* both in the arena */
	size_t term_len, word_len;
	bool found;
};

/* The words of a query, looked for in a memory. */
struct common {
	struct arena arena;
	struct wanted words[QUERY_WORDS];
	size_t n;
};

static int add_wanted(void *ctx, const struct term *t)
{
	struct common *c = ctx;

	if (t->colocated || t->word_len > WORD_MAX ||
	    words_is_stop(t->word, t->word_len))
		return 0;
	if (c->n == QUERY_WORDS)
		return 1;
	c->words[c->n++] = (struct wanted){
		.term = arena_copy(&c->arena, t->p, t->len),
		.term_len = t->len,
		.word = arena_copy(&c->arena, t->word, t->word_len),
		.word_len = t->word_len,
	};
	return 0;
}

static int mark_found(void *ctx, const struct term *t)
{
	struct common *c = ctx;

	for (size_t i = 0; i < c->n; i++) {
		struct wanted *w = &c->words[i];

		if (t->len == w->term_len && !memcmp(t->p, w->term, t->len))
			w->found = true;
	}
	return 0;
}

void shown_words_add(struct shown_words *w, const char *query,
		     const struct record *r)
{
	const size_t len =
		r->content_len < SEARCHED_MAX ? r->content_len : SEARCHED_MAX;
	struct terms of_query = {.question = true}, of_memory = {0};
	struct common c = {.n = 0};

	w->hidden = w->hidden || (record_marks(r) & MARK_SENSITIVE);
	terms_each(&of_query, query, strlen(query), add_wanted, &c);
	terms_document(&of_memory, r->content, len, r->tags, r->ntags,
		       mark_found, &c);
	for (size_t i = 0; i < c.n; i++) {
		const struct wanted *word = &c.words[i];

		if (!word->found || w->text.len + word->word_len >= WORDS_MAX ||
		    strings_word_is_in(buf_str(&w->text), word->word,
				       word->word_len))
			continue;
		if (w->text.len)
			buf_addc(&w->text, ' ');
		buf_add(&w->text, word->word, word->word_len);
	}
	terms_release(&of_query);
	terms_release(&of_memory);
	arena_release(&c.arena);
}

const char *shown_words_of(const struct shown_words *w)
{
	return w->text.len && !w->hidden ? w->text.p : NULL;
}

void shown_words_release(struct shown_words *w)
{
	buf_release(&w->text);
}

bool shown_is_start(const char *event)
{
	return !strcmp(event, SHOWN_START) || !strcmp(event, SHOWN_SERVER);
}

const char *shown_prompt_key(const char *prompt, char key[SHOWN_PROMPT_KEY])
{
	snprintf(key, SHOWN_PROMPT_KEY, "%08" PRIx32,
		 (uint32_t)hash_bytes(prompt, strlen(prompt), 0));
	return key;
}

static void add_trigger(struct buf *line, const struct shown *s)
{
	json_write_open(line, "trigger", '{');
	json_write_given(line, "file", s->file);
	json_write_given(line, "words", s->words);
	json_write_given(line, "prompt", s->prompt);
	json_write_given(line, "read", s->read);
	json_write_close(line, '}');
}

/* Note what S brought to its session from outside. */
static void note_reads(const struct shown *s)
{
	const char *session = s->session ? s->session : "";
	const struct buf *external = s->items ? &s->items->external : NULL;

	if (s->read)
		reads_note(s->agent, session, s->read);
	for (size_t at = 0; external && at < external->len;
	     at += strlen(external->p + at) + 1)
		reads_note(s->agent, session, external->p + at);
}

void shown_add_event(struct buf *line, const struct shown *s)
{
	json_write_text(line, "event", s->event);
	json_write_given(line, "subagent", s->subagent);
	add_trigger(line, s);
	json_write_size(line, "bytes", s->bytes);
	json_write_open(line, "memories", '[');
	if (s->items && s->items->json.len)
		json_write_raw(line, NULL, s->items->json.p);
	json_write_close(line, ']');
}

void shown_note(const struct shown *s)
{
	struct buf line = {0}, folder = {0}, name = {0};
	struct log_file file;
	char now[INSTANT_TEXT];

	json_write_open(&line, NULL, '{');
	json_write_text(&line, "at", instant_format(instant_now(), now));
	json_write_text(&line, "agent", s->agent);
	json_write_text(&line, "session", s->session ? s->session : "");
	shown_add_event(&line, s);
	if (shown_is_start(s->event)) {
		shown_add_folder(&folder);
		json_write_text(&line, "folder", buf_str(&folder));
		json_write_bool(&line, "whole", s->whole);
		if (s->resumed)
			json_write_bool(&line, "resumed", true);
	}
	json_write_close(&line, '}');
	file = shown_file_here(&name);
	log_add_data(&file, &line);
	note_reads(s);
	buf_release(&line);
	buf_release(&folder);
	buf_release(&name);
}
