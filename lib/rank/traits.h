/* traits.h: what kind of text a document is, and what it tells, as bits.
 *
 * They are found when a document is indexed. The word lists are English; a text
 * in another language has none of the traits that need them.
 */
#ifndef CO_RANK_TRAITS_H
#define CO_RANK_TRAITS_H

#include "base/base.h"

/* Increase this when a text may have other traits than before: existing indexes
 * are then rebuilt. */
#define TRAITS_VERSION 4

#define TRAIT_TIME 0x01u    /* it has a word for a time: May, yesterday, 2023 */
#define TRAIT_NAME 0x02u    /* it has a proper name within a sentence */
#define TRAIT_SELF 0x04u    /* its author speaks of himself: I, my, we */
#define TRAIT_ASKS 0x08u    /* it ends with a question mark */
#define TRAIT_INFORMS 0x10u /* a sentence of it ends with neither ? nor ! */
#define TRAIT_TITLED 0x20u  /* its first line is a title */
#define TRAIT_CODE 0x40u    /* it has as many signs as source code */
#define TRAIT_COMMIT 0x80u  /* it is written like the message of a commit */

/* Return the traits of the LEN bytes of P. */
unsigned traits_of_text(const char *p, size_t len);

/* Return the traits that answers to the question of LEN bytes at P have:
 * TRAIT_TIME (when, how long, what date), TRAIT_NAME (where, who, which city)
 * or both. */
unsigned traits_wanted(const char *p, size_t len);

/* Return true if the LEN bytes of P end with a question mark, of any script. */
bool traits_is_question(const char *p, size_t len);

#endif
