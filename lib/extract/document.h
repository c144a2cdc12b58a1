/* document.h: text documents in packages, DOCX, ODT and EPUB, as trees of the
 * elements that HTML has.
 *
 * Headings, paragraphs, lists, tables, quotes, code, links, bold and italic
 * letters; what a page looks like is left out.
 */
#ifndef CO_EXTRACT_DOCUMENT_H
#define CO_EXTRACT_DOCUMENT_H

#include "extract/page.h"

/* Read the document that the LEN bytes of P are into *ROOT, what it says of
 * itself into *PAGE, and A.  ERR_DATA: it is none; ERR_SYSTEM: a limit struck. */
typedef int document_fn(struct tree_node **root, struct page *page,
			const char *p, size_t len, struct arena *a,
			struct err *e);
document_fn document_read_docx;
document_fn document_read_odt;
document_fn document_read_epub;

#endif
