/* reader.c: see reader.h. */
#include "reader/reader.h"

static const struct reader *const readers[] = {
	[TRANSCRIPT_CLAUDE] = &reader_claude,
	[TRANSCRIPT_CODEX] = &reader_codex,
	[TRANSCRIPT_GEMINI] = &reader_gemini,
	[TRANSCRIPT_OPENCODE] = &reader_opencode,
	[TRANSCRIPT_COPILOT] = &reader_copilot,
	[TRANSCRIPT_QWEN] = &reader_qwen,
	[TRANSCRIPT_CONTINUE] = &reader_continue,
	[TRANSCRIPT_AIDER] = &reader_aider,
	[TRANSCRIPT_PI] = &reader_pi,
	[TRANSCRIPT_CLINE] = &reader_cline,
	[TRANSCRIPT_ROO] = &reader_roo,
	[TRANSCRIPT_GOOSE] = &reader_goose,
	[TRANSCRIPT_CRUSH] = &reader_crush,
	[TRANSCRIPT_CURSOR] = &reader_cursor,
	[TRANSCRIPT_KIRO] = &reader_kiro,
	[TRANSCRIPT_AMP] = &reader_amp,
	[TRANSCRIPT_ZED] = &reader_zed,
	[TRANSCRIPT_TEXT] = &reader_text,
};

const struct reader *reader_of(enum transcript_format f)
{
	return readers[f];
}

int reader_read(const struct reader *r, struct reading *rd)
{
	return r->read_session && (!r->read || database_is(rd->fd))
		       ? database_read(rd, r->read_session)
		       : r->read(rd);
}

/* A call of reader_each_session(). */
struct listing {
	const struct reader *reader;
	const char *path;
	stored_session_fn *fn;
	void *ctx;
};

/* List S, with its directory if that is known. */
static int list_session(void *ctx, const struct stored_session *s)
{
	const struct listing *l = ctx;
	struct stored_session found = *s;
	struct err why;
	struct reading rd = {.path = l->path,
			     .session = s->id,
			     .own = &found.directory,
			     .e = &why};
	int r;

	if (!s->directory && l->reader->find_directory)
		database_read(&rd, l->reader->find_directory);
	r = l->fn(l->ctx, &found);
	reading_release(&rd);
	return r;
}

int reader_each_session(const struct reader *r, const char *path,
			stored_session_fn *fn, void *ctx, struct err *e)
{
	const bool old =
		r->old_sessions && !database_answers(path, r->sessions);
	struct listing l = {r, path, fn, ctx};

	return database_each_session(path, old ? r->old_sessions : r->sessions,
				     list_session, &l, e);
}
