/* media-type.h: media types, such as `text/html; charset="utf-8"`. */
#ifndef CO_TEXT_MEDIA_TYPE_H
#define CO_TEXT_MEDIA_TYPE_H

#include "base/arena.h"

/* Return the charset in the media type TYPE, in A, or NULL. */
const char *media_type_charset(const char *type, struct arena *a);

#endif
