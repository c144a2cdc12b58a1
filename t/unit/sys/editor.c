/* editor.c: what signals do while an editor runs, and after it. */
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

/* Edit with the command line EDITOR; return what it is reported to do wrong. */
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
	expect(used == (r == 1), "what the editor wrote is used");
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
	       "a signal from the keyboard is the editor's business");
	for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
		sigaction(signals[i], NULL, &after);
		expect(after.sa_handler == (i < 2 ? handle : SIG_IGN),
		       "a signal does after the editor what it did before");
	}
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	expect(strstr(edit("kill -INT $$; true"), "status 130"),
	       "which has it, though the program ignores it");
	expect(strstr(edit("kill -QUIT $$; true"), "status 131"),
	       "as it has the other one");
}

int main(void)
{
	static const struct unit_test tests[] = {
		{"an editor has the signals of the keyboard, and the program "
		 "has its own back",
		 test_signals},
	};

	return unit_run(tests, ARRAY_LEN(tests));
}
