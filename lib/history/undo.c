/* undo.c: what each file is to become is worked out before anything is changed;
 * operation_apply() then takes all steps or none.
 */
#include "history/undo.h"

#include "base/sha256.h"
#include "format/json-write.h"
#include "history/hidden.h"
#include "merge/merge.h"
#include "repo/record.h"
#include "store/ids.h"
#include "store/operation.h"
#include "store/save.h"
#include "text/sanitize.h"

#include <unistd.h>

#define FILE_MAX (LAYOUT_FILE_MAX * 16)
#define PATHS_SHOWN 3

/* One operation being taken back. */
struct taking {
	struct undo *u;
	const struct operations *h;
	const struct oplog_op *op;
	struct operation_step *steps;
	struct buf *texts; /* two for each step: was, text */
	size_t n;
	size_t conflicts;
};
