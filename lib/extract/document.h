/* document.h: read text documents in packages (DOCX, ODT and EPUB) as trees of
 * HTML elements.
 *
 * Headings, paragraphs, lists, tables, quotes, code, links, bold and italic
 * text are kept; the layout is dropped.
 */
#ifndef CO_EXTRACT_DOCUMENT_H
#define CO_EXTRACT_DOCUMENT_H

#include "extract/page.h"

/* Read the document in the LEN bytes of P. *ROOT gets its tree and *PAGE its
 * metadata, both allocated in A. Returns 0 or -1: ERR_DATA if it is not such a
 * document; ERR_SYSTEM if it exceeds a limit. */
typedef int document_fn(struct tree_node **root, struct page *page,
			const char *p, size_t len, struct arena *a,
			struct err *e);
document_fn document_read_docx;
document_fn document_read_odt;
document_fn document_read_epub;

#endif
