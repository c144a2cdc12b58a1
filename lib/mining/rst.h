/* rst.h: make reStructuredText readable as Markdown.
 */
#ifndef CO_MINING_RST_H
#define CO_MINING_RST_H

#include "base/base.h"

/* Change the LEN bytes of P in place, so that a reader of Markdown finds the headings and
 * the code. Lines keep their places, except titles below the second level: they move to
 * the next line, and are all of the third level. Directives (".. code-block:: console")
 * and the lines above titles become blank. Tables and other markup stay as they are. */
void rst_to_markdown(char *p, size_t len);

#endif
