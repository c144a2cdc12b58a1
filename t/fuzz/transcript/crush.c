/* crush.c: see database.h. */
#define FORMAT TRANSCRIPT_CRUSH
#define SCHEMA                                                         \
	"CREATE TABLE sessions (id);"                                  \
	"CREATE TABLE messages (session_id, role, parts, created_at, " \
	"is_summary_message);"                                         \
	"INSERT INTO sessions VALUES ('s');"                           \
	"INSERT INTO messages VALUES ('s', 'user', '[]', 1, 0), "      \
	"('s', 'assistant', '[]', 1, 0);"
#define MESSAGE "UPDATE messages SET parts = ?1"
#include "database.h"
