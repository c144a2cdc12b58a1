/* claude.c: see reader.h. */
#define FORMAT TRANSCRIPT_CLAUDE
#define BY_LINES 1
#include "reader.h"
