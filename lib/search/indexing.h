/* indexing.h: add documents to an index.
 *
 * All threads split documents into terms, a batch at a time, while the caller's
 * thread inserts the batch before into the database, in order. The contents of
 * the database do not depend on the number of threads.
 */
#ifndef CO_SEARCH_INDEXING_H
#define CO_SEARCH_INDEXING_H

#include "base/parallel.h"
#include "cache/cache.h"
#include "search/fts.h"

#define INDEXING_MOST 256 /* documents in a batch */

#endif
