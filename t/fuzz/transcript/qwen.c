/* qwen.c: see reader.h. */
#define FORMAT TRANSCRIPT_QWEN
#define BY_LINES 1
#include "reader.h"
