/* weights.h: the few numbers that the ranking is made of, each with its reason.
 *
 * Signals are in shares of the best BM25 score among the documents, which is 1.
 * The words of a document are what it says and outweigh all else; only several
 * other signals together lift a document above one with better words.
 */
#ifndef CO_WEIGHTS_H
#define CO_WEIGHTS_H

/* BM25's k1, how soon more of the same word stops to count: a memory says a
 * thing once, and saying it again tells little. */
#define WEIGHT_SATURATION 0.9

/* BM25's b, how much a long document is held against its words.  Short memories
 * are about one thing each, and length is detail; abstracts and articles are
 * about many.  Between the two mean lengths, in terms, it goes straight. */
#define WEIGHT_LENGTH_SHORT 0.4
#define WEIGHT_LENGTH_LONG 0.75
#define WEIGHT_MEAN_SHORT 50.0
#define WEIGHT_MEAN_LONG 150.0

/* What stands next to an answer often belongs to it: the question before it,
 * the paragraph behind it; two places away, that times itself. */
#define WEIGHT_NEIGHBOUR 0.3
#define WEIGHT_SECOND 0.09

/* A conversation or an article that is about the question as a whole. */
#define WEIGHT_PARENT 0.3

/* A tag, title or source that the question names: small, since a question may
 * name the wrong one, and many documents share it. */
#define WEIGHT_METADATA 0.15

/* Meaning, where there are vectors: half as much as words, since static vectors
 * know less; less again for long texts, whose mean says little. */
#define WEIGHT_COSINE_SHORT 0.5
#define WEIGHT_COSINE_LONG 0.2

/* Reciprocal Rank Fusion: the constant of its paper, and how far down each list
 * is read. */
#define WEIGHT_RRF 60
#define WEIGHT_RRF_DEPTH 1000

#endif
