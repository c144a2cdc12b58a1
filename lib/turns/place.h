/* place.h: how far a record was read, so that a later reading continues there.
 *
 * A zeroed place is the start of the record.
 */
#ifndef CO_TURNS_PLACE_H
#define CO_TURNS_PLACE_H

#include "base/base.h"

#define PLACE_STATE 128

struct transcript_place {
	/* Bytes read, up to the end of a line; 0: read all again. */
	uint64_t offset;
	/* What the format's reader must know to continue: in most, the id of
	 * the last line that has one. */
	char state[PLACE_STATE];
};

#endif
