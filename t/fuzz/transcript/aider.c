/* aider.c: see reader.h. */
#define FORMAT TRANSCRIPT_AIDER
#define BY_LINES 0
#include "reader.h"
