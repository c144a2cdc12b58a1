/* indexing.c: two batches alternate. While threads split one into terms, which
 * is half of the work, the other is inserted into the database.
 */
#include "search/indexing.h"

#include "search/documents.h"

#define BYTES_MOST ((size_t)1 << 20) /* bytes of text in a batch, about */
#define LEAST 64 /* below this number, starting a thread takes longer */
