/* kiro.c: see reader.h. */
#define FORMAT TRANSCRIPT_KIRO
#define BY_LINES 1
#include "reader.h"
