#include "turns/turn.h"

#include "format/json-write.h"

void turn_json(struct buf *out, const struct turn *t)
{
	json_write_open(out, NULL, '{');
	json_write_text(out, "role", t->role);
	if (t->text)
		json_write_bytes(out, "text", t->text, t->len);
	else
		json_write_text(out, "text", NULL);
	json_write_text(out, "time", t->time);
	json_write_text(out, "tool", t->tool);
	json_write_close(out, '}');
	buf_addc(out, '\n');
}
