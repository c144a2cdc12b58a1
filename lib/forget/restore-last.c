/* restore-last.c: items are restored from their own trash, and only then memories
 * and articles.
 */
#include "forget/forget.h"

#include "cli/out.h"
#include "harvest/items.h"
#include "store/display.h"
#include "store/trash.h"
#include "text/sanitize.h"

static void print_item(void *ctx, const char *item)
{
	struct buf text = {0};

	(void)ctx;
	buf_adds(&text, "✓ Restored item: ");
	sanitize_line(&text, item, strlen(item));
	buf_addc(&text, '\n');
	out_buf(&text);
}

int forget_restore_last(struct store *s)
{
	struct arena arena = {0};
	struct results back = {0};
	struct buf text = {0};
	struct record r;
	struct err e;
	const char *option = record_scope_option(s->repo.root.scope);
	char *foreign = NULL;
	int found = item_trash_undo(s, print_item, NULL, &e);

	if (found == 0)
		found = trash_undo(s, &back, &foreign, &e);
	if (found < 0)
		cli_die(&e);
	for (size_t i = 0; i < back.n; i++) {
		arena_reset(&arena);
		results_get(&back, &back.items[i], &arena, &r);
		display_file(&text, out_restored_what(r.path), &r);
		out_buf(&text);
	}
	results_release(&back);
	if (!found && foreign) {
		cli_note("nothing to bring back: what is in the trash was not "
			 "removed here");
		cli_hint("'co restore PATH' brings a file of '%s/%s' "
			 "back",
			 s->repo.path, foreign);
	} else if (!found) {
		cli_note("nothing to bring back: nothing was forgotten");
		cli_hint("'co undo%s' undoes the last command; 'co undo "
			 "--list%s' names it",
			 option, option);
	}
	free(foreign);
	arena_release(&arena);
	return found ? ERR_NONE : ERR_NO;
}
