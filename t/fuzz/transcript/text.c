/* text.c: see reader.h. */
#define FORMAT TRANSCRIPT_TEXT
#define BY_LINES 0
#include "reader.h"
