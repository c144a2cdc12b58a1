/* abbreviations.h: common abbreviations of the trade and their full forms. */
#ifndef CO_RANK_ABBREVIATIONS_H
#define CO_RANK_ABBREVIATIONS_H

/* "short=in full" each, folded; the last entry is NULL. A short form may have
 * several full forms. */
extern const char *const abbreviations[];

#endif
