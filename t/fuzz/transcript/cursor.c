/* cursor.c: see database.h. */
#define FORMAT TRANSCRIPT_CURSOR
#define SCHEMA                                                          \
	"CREATE TABLE cursorDiskKV (key UNIQUE, value);"                \
	"INSERT INTO cursorDiskKV VALUES ('composerData:s', "           \
	"'{\"fullConversationHeadersOnly\":[{\"bubbleId\":\"b\"}]}'), " \
	"('bubbleId:s:b', '');"
#define MESSAGE                                                             \
	"UPDATE cursorDiskKV SET value = ?1 WHERE key > 'bubbleId:s:' AND " \
	"key < 'bubbleId:s;'"
#include "database.h"
