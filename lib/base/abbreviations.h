/* abbreviations.h: what the trade writes short, and in full. */
#ifndef CO_BASE_ABBREVIATIONS_H
#define CO_BASE_ABBREVIATIONS_H

/* "short=in full" each, folded; the last is NULL.  What is short may stand
 * several times, for several things. */
extern const char *const abbreviations[];

#endif
