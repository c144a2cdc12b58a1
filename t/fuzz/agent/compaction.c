/* compaction.c: any bytes as a record that is searched for a snapshot.
 *
 * Properties: a snapshot at the end is found, and the context after it.
 */
#include "../fuzz.h"

#include "agent/event.h"
#include "text/injected.h"
#include "reader/reader.h"

#include <unistd.h>

static char path[] = "/tmp/co-fuzz-XXXXXX";
static int fd = -1;

static void remove_file(void)
{
	unlink(path);
}

static void append(const char *p, size_t len)
{
	must(write(fd, p, len) == (ssize_t)len, "the record is written");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char snapshot[] = "\n" GEMINI_SNAPSHOT "\n";
	static const char context[] = "\n" INJECTED_OPEN;

	if (fd < 0) {
		fd = mkstemp(path);
		must(fd >= 0, "the file is opened");
		atexit(remove_file);
	}
	must(!ftruncate(fd, 0) && !lseek(fd, 0, SEEK_SET),
	     "the file is truncated");
	append((const char *)data, size);
	event_ends_compressed(path);
	append(snapshot, sizeof(snapshot) - 1);
	must(event_ends_compressed(path), "a snapshot at the end is found");
	append(context, sizeof(context) - 1);
	must(!event_ends_compressed(path),
	     "the context after a snapshot is found");
	return 0;
}
