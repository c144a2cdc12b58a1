/* goose.c: see database.h. */
#define FORMAT TRANSCRIPT_GOOSE
#define SCHEMA                                                              \
	"CREATE TABLE sessions (id, working_dir);"                          \
	"CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id, role, " \
	"content_json, created_timestamp, metadata_json);"                  \
	"INSERT INTO sessions VALUES ('s', '/p');"                          \
	"INSERT INTO messages VALUES (1, 's', 'user', '[]', 1, NULL), "     \
	"(2, 's', 'assistant', '[]', 1, NULL);"
#define MESSAGE "UPDATE messages SET content_json = ?1"
#include "database.h"
