/* gemini.c: see reader.h. */
#define FORMAT TRANSCRIPT_GEMINI
#define BY_LINES 0
#include "reader.h"
