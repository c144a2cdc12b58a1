/* learn-editor.h: co learn, where the text is written in the editor. */
#ifndef CO_LEARN_LEARN_EDITOR_H
#define CO_LEARN_LEARN_EDITOR_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/strings.h"

typedef int learn_editor_fn(const struct buf *text, struct err *e);

/* Let a person write, with FORM above a line with TAGS and *SOURCE to be
 * changed, which they then are, in A; LEARN gets the text.  What LEARN does not
 * take stays in its file, which is named.  The status of main(). */
int learn_from_editor(bool form, struct strings *tags, const char **source,
		      struct arena *a, learn_editor_fn *learn);

#endif
