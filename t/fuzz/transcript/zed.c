/* zed.c: see database.h. Input that begins with a brace is a plain thread,
 * other input a compressed one. */
#define FORMAT TRANSCRIPT_ZED
#define SCHEMA                                               \
	"CREATE TABLE threads (id UNIQUE, data_type, data);" \
	"INSERT INTO threads VALUES ('s', 'json', '');"
#define MESSAGE                                                        \
	"UPDATE threads SET data = ?1, data_type = CASE WHEN ?1 LIKE " \
	"'{%' THEN 'json' ELSE 'zstd' END"
#include "database.h"
