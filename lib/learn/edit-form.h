/* edit-form.h: the form for writing a memory in the editor: the text, a line
 * that ends it (the cut), the tags and the source.
 */
#ifndef CO_LEARN_EDIT_FORM_H
#define CO_LEARN_EDIT_FORM_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/strings.h"

/* Append an empty form with TAGS and SOURCE filled in. */
void edit_form_add(struct buf *out, const struct strings *tags,
		   const char *source);

/* Replace TEXT, an edited form, by the text of the memory: the lines above the
 * cut, then lines below it that are not part of the form. Set TAGS and *SOURCE,
 * allocated in A, from the lines "tags:" and "source:". Without a cut, all of
 * TEXT is the memory and nothing else is set. */
void edit_form_read(struct buf *text, struct strings *tags, const char **source,
		    struct arena *a);

#endif
