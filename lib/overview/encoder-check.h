/* encoder-check.h: check an encoder for the user who set it up: whether it
 * answers, how fast, and how it changes the results for questions with known
 * answers.
 */
#ifndef CO_OVERVIEW_ENCODER_CHECK_H
#define CO_OVERVIEW_ENCODER_CHECK_H

#include "embed/embed.h"

/* Append the name of ENCODER, what runs it, how long a question and some
 * documents take, how many vectors the project's store lacks, and how long these
 * would take. If QUERIES and QRELS are not NULL, also make them, and append the
 * figures for the questions of these files, by words only and with ENCODER. This
 * runs co-index-eval(1) from the directory of ARGV0. Return 0, or -1 as
 * embed_texts(), store_open(), index_open() and helper_run(). */
int encoder_check(struct embed *encoder, const char *argv0, const char *queries,
		  const char *qrels, struct buf *out, struct err *e);

#endif
