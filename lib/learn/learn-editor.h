/* learn-editor.h: `co learn` with a text written in the editor. */
#ifndef CO_LEARN_LEARN_EDITOR_H
#define CO_LEARN_LEARN_EDITOR_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/strings.h"

typedef int learn_editor_fn(const struct buf *text, struct err *e);

/* Open the editor and pass the text written there to LEARN. With FORM, the
 * editor shows a form with TAGS and *SOURCE, which are set to the edited
 * values, allocated in A. If LEARN fails, the file with the text is kept and
 * named. Return the status for main(). */
int learn_from_editor(bool form, struct strings *tags, const char **source,
		      struct arena *a, learn_editor_fn *learn);

#endif
