/* continue.c: see reader.h. */
#define FORMAT TRANSCRIPT_CONTINUE
#define BY_LINES 0
#include "reader.h"
