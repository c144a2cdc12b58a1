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

/* Return true if NAME is a tool of co's own server. Agents write the names of servers and
 * tools in two ways, mcp__SERVER__TOOL and mcp_SERVER_TOOL. */
static bool is_own(const char *name)
{
	static const char *const own[] = {"mcp__co__", "mcp_co_"};

	for (size_t i = 0; i < ARRAY_LEN(own); i++) {
		const size_t len = strlen(own[i]);

		/* Not of a server called co__x. */
		if (!strncmp(name, own[i], len) && !strstr(name + len, "__"))
			return true;
	}
	return false;
}

const char *reader_outside_tools(const char *agent)
{
	for (enum transcript_format f = 0; f < TRANSCRIPT_TEXT; f++) {
		if (!strcmp(reader_of(f)->name, agent))
			return reader_of(f)->outside;
	}
	return NULL;
}

bool reader_outside_matches(const char *list, const char *name)
{
	if (!list || is_own(name))
		return false;
	while (*list) {
		const size_t len = strcspn(list, "|");
		const bool begins = len > 2 && !memcmp(list + len - 2, ".*", 2);
		const size_t n = begins ? len - 2 : len;

		if (!strncmp(name, list, n) && (begins || !name[n]))
			return true;
		list += len + (list[len] == '|');
	}
	return false;
}

bool reader_is_outside_tool(const char *name)
{
	for (enum transcript_format f = 0; f < TRANSCRIPT_TEXT; f++) {
		const struct reader *r = reader_of(f);

		if (reader_outside_matches(r->outside, name) ||
		    reader_outside_matches(r->recorded, name))
			return true;
	}
	return false;
}
