/* markdown-sections.h: the sections of a Markdown text.
 *
 * A section begins at a heading, of any form that markdown.h knows, outside of
 * lists and quotes, and ends at the next; what stands above the first is one as
 * well.  A section
 * without text of its own counts only where nothing stands below it.
 */
#ifndef CO_TEXT_MARKDOWN_SECTIONS_H
#define CO_TEXT_MARKDOWN_SECTIONS_H

#include "base/base.h"

struct markdown_section {
	const char *title; /* its heading behind those above it: "A > B"; ""
			    * above the first */
	const char *text;  /* stripped */
	size_t len;
};

/* Call FN for each section of the LEN bytes of P, in order; what it is given
 * is its until it returns.  Nonzero from FN ends the walk and is returned. */
typedef int markdown_section_fn(void *ctx, const struct markdown_section *s);
int markdown_sections_each(const char *p, size_t len, markdown_section_fn *fn,
			   void *ctx);

#endif
