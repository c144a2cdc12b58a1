/* opencode.c: see reader.h. */
#define FORMAT TRANSCRIPT_OPENCODE
#define BY_LINES 0
#include "reader.h"
