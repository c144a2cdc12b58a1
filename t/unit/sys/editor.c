/* editor.c: the handling of signals while an editor runs, and after it. */
#include "../expect.h"
#include "base/base.h"
#include "base/buf.h"
#include "sys/editor.h"

#include <signal.h>
#include <stdlib.h>

static int accept_edit(void *ctx, const struct buf *text, const char *path,
		       struct err *e)
{
	(void)path;
	(void)e;
	*(bool *)ctx = !strcmp(text->p, "was\nand is\n");
	return 0;
}

static void say_nothing(const char *fmt, ...)
{
	(void)fmt;
}

static void handle(int signal)
{
	(void)signal;
}

/* Edit with the command line EDITOR. Return the error, or "". */
static const char *edit(const char *editor)
{
	static struct err e;
	struct buf was = {0};
	bool used = false;
	char *kept = NULL;
	int r;
	struct editor ed = {.path = "/x/text.md",
			    .was = &was,
			    .max = 100,
			    .use = accept_edit,
			    .ctx = &used,
			    .note = say_nothing};

	buf_adds(&was, "was\n");
	setenv("EDITOR", editor, 1);
	r = editor_edit(&ed, &kept, &e);
	expect(used == (r == 1), "the text of the editor is used");
	free(kept);
	buf_release(&was);
	return r == 1 ? "" : e.text;
}

static void test_signals(void)
{
	static const int signals[] = {SIGINT, SIGQUIT, SIGCHLD};
	struct sigaction after;

	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		signal(signals[i], i < 2 ? handle : SIG_IGN);
	expect(!*edit("kill -INT $PPID; kill -QUIT $PPID; echo 'and is' >>"),
	       "a keyboard signal does not end the program");
	for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
		sigaction(signals[i], NULL, &after);
		expect(after.sa_handler == (i < 2 ? handle : SIG_IGN),
		       "the previous signal action is restored");
	}
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	expect(strstr(edit("kill -INT $$; true"), "status 130"),
	       "SIGINT ends an editor, though the program ignores it");
	expect(strstr(edit("kill -QUIT $$; true"), "status 131"),
	       "SIGQUIT ends an editor, though the program ignores it");
}

int main(void)
{
	static const struct unit_test tests[] = {
		{"keyboard signals reach the editor, and actions are restored",
		 test_signals},
	};

	return unit_run(tests, ARRAY_LEN(tests));
}
