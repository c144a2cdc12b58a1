/* project-id.c: see project-id.h. */
#include "repo/project-id.h"

#include "base/compat.h"
#include "format/jsonc.h"
#include "sys/file.h"

#define SETTINGS_MAX ((size_t)64 * 1024)
#define LETTERS "abcdefghijklmnopqrstuvwxyz234567"

char *project_id_draw(char id[PROJECT_ID_LENGTH + 1])
{
	uint64_t bits = 0;

	for (size_t i = 0; i < PROJECT_ID_LENGTH; i++) {
		if (i % 10 == 0)
			bits = compat_random();
		id[i] = LETTERS[bits & 31];
		bits >>= 5;
	}
	id[PROJECT_ID_LENGTH] = '\0';
	return id;
}
