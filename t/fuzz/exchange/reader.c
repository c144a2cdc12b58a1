/* reader.c: any text as another program's file of memories. The first byte
 * chooses the format.
 *
 * Properties: a file gives one line per memory, each of which is JSON that a
 * save accepts or refuses with a message; or the file is refused with a
 * message.
 */
#include "../fuzz.h"

#include "base/utf8.h"
#include "exchange/notes.h"
#include "format/json-read.h"
#include "harvest/items.h"
#include "store/save.h"

static int take(void *ctx, const char *line, size_t len, struct err *e)
{
	struct store_new n = {0};
	struct arena a = {0};
	struct err why = {.code = ERR_NONE};
	struct value v;

	(void)ctx;
	(void)e;
	must(!memchr(line, '\n', len), "a memory is a line");
	must(utf8_check(line, len) == len, "of UTF-8");
	must(json_parse(line, len, &a, &v, &why) == 0, "of JSON");
	must(v.kind == VALUE_MAP, "an object");
	if (!item_lines_is(&v) && save_parse(&n, line, len, &a, &why) < 0)
		must_be_error(&why);
	arena_release(&a);
	return 0;
}

static struct context_read kept;
static const struct note_sink sink = {
	take, NULL, NULL, "file", "fuzz", "2026-01-01T00:00:00Z", &kept};

static int records(const char *name, const char *p, size_t len, struct err *e)
{
	int r;

	kept = (struct context_read){0};
	r = notes_send_records(&sink, name, p, len, e);
	if (!r)
		r = context_read_send(&kept, &sink, e);
	context_read_release(&kept);
	return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *p = (const char *)data + 1;
	const size_t len = size - 1;
	struct err e = {.code = ERR_NONE};
	int r = 0;

	/* Other texts are refused earlier. */
	if (!size || utf8_check(p, len) < len || memchr(p, '\0', len))
		return 0;
	switch (*data) {
	case 'c':
		r = notes_send_entries(&sink, "CLAUDE.md", NULL, p, len, &e);
		break;
	case 'g':
		r = notes_send_entries(&sink, "GEMINI.md",
				       "Gemini Added Memories", p, len, &e);
		break;
	case 'b':
		r = notes_send_whole(&sink, "note.md", false, p, len, &e);
		break;
	case 'o':
		r = notes_send_whole(&sink, "note.md", true, p, len, &e);
		break;
	case 's':
		r = notes_send_entities(&sink, "-", p, len, &e);
		break;
	case 'm':
		r = notes_send_mem0(&sink, "-", p, len, &e);
		break;
	case 'j':
		r = records("facts.json", p, len, &e);
		break;
	case 'x':
		r = records("user_preferences.json", p, len, &e);
		break;
	case 'f':
		r = notes_send_file(&sink, "facts.md", p, len, &e);
		break;
	case 'e':
		r = notes_send_file(&sink, "-", p, len, &e);
		break;
	default:
		break;
	}
	must(r <= 0, "the reader reads to the end");
	if (r < 0)
		must_be_error(&e);
	return 0;
}
