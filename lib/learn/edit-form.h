/* edit-form.h: a memory as one writes it in the editor: the text, and below a line
 * that cuts it off the tags and the source that go with it.
 */
#ifndef CO_LEARN_EDIT_FORM_H
#define CO_LEARN_EDIT_FORM_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/strings.h"

/* Append an empty form that has TAGS and SOURCE filled in. */
void edit_form_add(struct buf *out, const struct strings *tags,
		   const char *source);

/* Replace TEXT, a form, by the memory's text: the lines above the cut, then those
 * below it that the form did not have.  Set TAGS and *SOURCE, which live in A, from
 * the lines "tags:" and "source:" below the cut.  Without a cut all of TEXT is the
 * memory's. */
void edit_form_read(struct buf *text, struct strings *tags, const char **source,
		    struct arena *a);

#endif
