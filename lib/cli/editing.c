/* editing.c: an invalid edit is kept by editor_edit(), so editing again is to resume
 * it.
 */
#include "cli/editing.h"

#include "cli/cli.h"

#include <stdlib.h>

/* Return true if the person wants to edit again, after the error E. */
static bool ask_again(const struct err *e)
{
	cli_note("%s", e->text);
	for (;;) {
		switch (cli_ask_key("(e)dit again, (q)uit?")) {
		case 'e':
			return true;
		case 'q':
		case 'n':
		case 0:
			return false;
		}
	}
}

int editing_run(struct editor ed, const char *resume)
{
	bool asked = false;
	char *kept = NULL;
	struct err e;
	int r;

	for (;;) {
		r = editor_edit(&ed, &kept, &e);
		asked = r < 0 && kept && e.code == ERR_DATA &&
			cli_on_terminal();
		if (!asked || !ask_again(&e))
			break;
		free(kept);
		ed.from = EDITOR_KEPT;
	}
	if (r < 0 && !asked)
		cli_complain(&e);
	if (r < 0 && e.code == ERR_HELPER && !editor_is_set())
		cli_hint("'export EDITOR=nano' chooses nano");
	if (r == 0)
		cli_note("nothing was changed");
	if (kept) {
		cli_note("the edit is kept in '%s'", kept);
		cli_note("'%s' opens it again", resume);
	}
	free(kept);
	if (r < 0)
		cli_end((int)e.code);
	return r;
}
