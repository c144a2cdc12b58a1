/* learn-editor.c: the edited text is parsed as a form and passed on. */
#include "learn/learn-editor.h"

#include "base/utf8.h"
#include "cli/cli.h"
#include "learn/edit-form.h"
#include "store/store.h"
#include "sys/editor.h"

struct edit_session {
	struct strings *tags;
	const char **source;
	struct arena *arena; /* owns tags and source, which outlive the
			      * editor */
	learn_editor_fn *learn;
	bool written; /* the text was not empty */
};

static int learn_edited(void *ctx, const struct buf *text, const char *path,
			struct err *e)
{
	struct edit_session *l = ctx;
	struct buf written = {0};
	const char *p;
	size_t len;
	int r;

	(void)path;
	buf_add(&written, buf_str(text), text->len);
	edit_form_read(&written, l->tags, l->source, l->arena);
	p = buf_str(&written);
	len = written.len;
	utf8_strip(&p, &len);
	l->written = len > 0;
	r = len ? l->learn(&written, e) : 0;
	buf_release(&written);
	return r;
}

int learn_from_editor(bool form, struct strings *tags, const char **source,
		      struct arena *a, learn_editor_fn *learn)
{
	struct buf text = {0};
	struct edit_session l = {tags, source, a, learn, false};
	const struct editor ed = {.path = "memory.md",
				  .was = &text,
				  .max = STORE_FILE_MAX,
				  .use = learn_edited,
				  .ctx = &l,
				  .note = cli_note};
	char *kept;
	struct err e;

	if (form)
		edit_form_add(&text, tags, *source ? *source : "user-told");
	if (editor_edit(&ed, &kept, &e) < 0)
		cli_complain(&e);
	else if (!l.written)
		cli_note("nothing was written, nothing is saved");
	if (kept)
		cli_note("your text is kept in '%s'", kept);
	free(kept);
	buf_release(&text);
	return l.written ? ERR_NONE : ERR_NO;
}
