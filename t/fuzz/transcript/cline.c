/* cline.c: see reader.h. Roo Code has the same reader. */
#define FORMAT TRANSCRIPT_CLINE
#define BY_LINES 0
#include "reader.h"
