/* amp.c: see reader.h. */
#define FORMAT TRANSCRIPT_AMP
#define BY_LINES 0
#include "reader.h"
