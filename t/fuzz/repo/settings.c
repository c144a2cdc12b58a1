/* settings.c: any bytes as the settings.json of the user and of the project.
 *
 * Properties: every key has a value of its kind; a project sets only inert
 * keys; each error has one message.
 */
#include "../fuzz.h"

#include "repo/settings.h"
#include "sys/file.h"
#include "sys/io.h"

#include <fcntl.h>
#include <unistd.h>

static char folder[] = "/tmp/co-fuzz-XXXXXX";

static void remove_folder(void)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/settings.json", folder);
	unlink(path);
	rmdir(folder);
}

static int open_folder(void)
{
	static int fd = -1;

	if (fd < 0 && mkdtemp(folder)) {
		fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		atexit(remove_folder);
	}
	must(fd >= 0, "the directory is created");
	return fd;
}

static void say(void *ctx, const struct err *e)
{
	must_be_error(e);
	++*(size_t *)ctx;
}

static void must_be_valid(const struct settings *s, const char *origin)
{
	for (const struct settings_key *k = settings_keys; k->name; k++) {
		const char *text = settings_str(s, k->name);
		int64_t n = settings_int(s, k->name);

		must(!strcmp(settings_origin(s, k->name), origin) ||
			     !strcmp(text, k->preset),
		     "a key has its default or the value of the file");
		if (k->kind == SETTINGS_INT)
			must((!*text && !*k->preset) || (n >= 1 && n <= 999999),
			     "a number is in range");
		else if (k->kind == SETTINGS_WORD)
			must(*text && strstr(k->words, text) != NULL,
			     "a word is one of the allowed words");
		must(k->inert || strcmp(origin, "project") ||
			     !strcmp(settings_origin(s, k->name), "default"),
		     "a project sets inert keys only");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int dir = open_folder();
	int fd = openat(dir, "settings.json",
			O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	size_t complaints = 0;
	const struct report report = {say, &complaints};
	struct arena a = {0};

	must(fd >= 0 && io_write(fd, (const char *)data, size) == 0,
	     "the file can be written");
	close(fd);
	must_be_valid(settings_load(dir, folder, -1, folder, &a, &report),
		      "user");
	must_be_valid(settings_load(-1, folder, dir, folder, &a, &report),
		      "project");
	must(complaints <= 2 * size + 2, "the number of errors is limited");
	arena_release(&a);
	return 0;
}
