/* database.h: any bytes as a message in the database of the agent that FORMAT
 * names. SCHEMA makes the tables with a session "s"; MESSAGE puts ?1 there.
 *
 * Properties: the session is read, or refused with a message; a turn is a
 * stripped text or a tool.
 */
#include "../fuzz.h"

#include "base/utf8.h"
#include "transcript/transcript.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

static int see(void *ctx, const struct turn *t, struct err *e)
{
	const char *p = t->text;
	size_t len = t->len;

	(void)ctx;
	(void)e;
	must((t->text == NULL) != (t->tool == NULL),
	     "a turn is a text or a tool");
	must(!t->tool || *t->tool, "a tool has a name");
	if (t->text) {
		utf8_strip(&p, &len);
		must(len && len == t->len, "a text is stripped");
		must(utf8_check(t->text, t->len) == t->len, "and UTF-8");
	}
	return 0;
}

static char path[] = "/tmp/co-fuzz-XXXXXX";

static void remove_file(void)
{
	unlink(path);
}

static void put(const uint8_t *data, size_t size)
{
	static sqlite3 *db;
	static sqlite3_stmt *message;

	if (!db) {
		must(sqlite3_open(path, &db) == SQLITE_OK,
		     "the database is created");
		sqlite3_exec(db,
			     "PRAGMA synchronous = OFF; "
			     "PRAGMA journal_mode = MEMORY;",
			     NULL, NULL, NULL);
		must(sqlite3_exec(db, SCHEMA, NULL, NULL, NULL) == SQLITE_OK,
		     "the tables are created");
		must(sqlite3_prepare_v2(db, MESSAGE, -1, &message, NULL) ==
			     SQLITE_OK,
		     "the message is prepared");
	}
	sqlite3_bind_text(message, 1, size ? (const char *)data : "", (int)size,
			  SQLITE_STATIC);
	must(sqlite3_step(message) == SQLITE_DONE, "the message is inserted");
	sqlite3_reset(message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int made = -1;
	char whole[sizeof(path) + 2];
	struct transcript t;
	struct err e;

	if (made < 0) {
		made = mkstemp(path);
		atexit(remove_file);
	}
	must(made >= 0, "the database is opened");
	put(data, size);
	snprintf(whole, sizeof(whole), "%s#s", path);
	must(transcript_open(&t, whole, &e) == 0, "it opens");
	must(transcript_detect(&t, &e) == 0, "the format is detected");
	must(t.format == FORMAT, "the format is that of the agent");
	if (transcript_each(&t, see, NULL, &e) < 0)
		must_be_error(&e);
	transcript_close(&t);
	return 0;
}
