/* pi.c: see reader.h. */
#define FORMAT TRANSCRIPT_PI
#define BY_LINES 1
#include "reader.h"
