/* adoc.h: make AsciiDoc readable as Markdown.
 */
#ifndef CO_MINING_ADOC_H
#define CO_MINING_ADOC_H

#include "base/base.h"

/* Change the LEN bytes of P in place, so that a reader of Markdown finds the headings,
 * the lists and the code. Lines keep their places. */
void adoc_to_markdown(char *p, size_t len);

#endif
