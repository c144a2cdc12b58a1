/* media-type.h: what a sender says that bytes are, as
 * `text/html; charset="utf-8"`.
 */
#ifndef CO_TEXT_MEDIA_TYPE_H
#define CO_TEXT_MEDIA_TYPE_H

#include "base/arena.h"

/* The charset that the media type TYPE names, in A, or NULL. */
const char *media_type_charset(const char *type, struct arena *a);

#endif
