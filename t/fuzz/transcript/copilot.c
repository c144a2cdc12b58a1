/* copilot.c: see reader.h. */
#define FORMAT TRANSCRIPT_COPILOT
#define BY_LINES 1
#include "reader.h"
