/* encoder-check.h: what an encoder is worth to whoever set it up: whether it
 * answers, how fast, and what it does to questions whose answers are known.
 */
#ifndef CO_EMBED_ENCODER_CHECK_H
#define CO_EMBED_ENCODER_CHECK_H

#include "embed/embed.h"

/* Append who answers, and how long a question and some documents take; with
 * QUERIES and QRELS, unless they are NULL, make the vectors that the store here
 * lacks, and append how the questions of these files fare by words alone and
 * with ENCODER, by co-index-eval(1), which lies beside ARGV0.  0, or -1 as
 * embed_texts() and helper_run() do. */
int encoder_check(struct embed *encoder, const char *argv0, const char *queries,
		  const char *qrels, struct buf *out, struct err *e);

#endif
