/* item-lines.c: items of one conversation are added together, since each
 * addition writes the file.
 */
#include "harvest/item-lines.h"

#include "base/instant.h"
#include "format/json-write.h"
#include "harvest/item-drafts.h"

void item_lines_write(struct buf *out, const struct items_entry *entry)
{
	const struct item *it = &entry->item;

	json_write_open(out, NULL, '{');
	json_write_text(out, "category", category_name(entry->category));
	json_write_bytes(out, "text", it->text, it->len);
	json_write_text(out, "from", it->from);
	json_write_text(out, "date", it->date);
	if (entry->path)
		json_write_text(out, "path", entry->path);
	if (entry->done)
		json_write_bool(out, "done", true);
	json_write_close(out, '}');
}
