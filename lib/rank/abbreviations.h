/* abbreviations.h: what the trade writes short, and in full. */
#ifndef CO_RANK_ABBREVIATIONS_H
#define CO_RANK_ABBREVIATIONS_H

/* "short=in full" each, folded; the last is NULL.  What is short may stand
 * several times, for several things. */
extern const char *const abbreviations[];

#endif
