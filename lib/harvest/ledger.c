/* ledger.c: see ledger.h.  What an entry has beside our fields is kept.
 *
 * It is read once, and what others add to the log by the piece; read again as a
 * whole only where ledger.json is another file.  A text takes the place of the
 * one that was read and of no other, as with all files that people edit.
 */
#include "harvest/ledger.h"

#include "base/compat.h"
#include "format/json-read.h"
#include "format/json-write.h"
#include "format/jsonc.h"
#include "harvest/item-file.h"
#include "harvest/rewrite.h"
#include "sys/io.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define FIELDS 6 /* of an entry of ours */

/* A change on its way: EN is put, or, where it is NULL, what is there. */
struct change_of_ledger {
	struct ledger *ledger;
	const struct ledger_entry *en;
};
