/* codex.c: see reader.h. */
#define FORMAT TRANSCRIPT_CODEX
#define BY_LINES 1
#include "reader.h"
