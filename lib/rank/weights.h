/* weights.h: the few numbers that the ranking is made of, each with its reason.
 *
 * Signals are in shares of the best BM25 score among the documents, which is 1.
 * The words of a document are what it says and outweigh all else; only several
 * other signals together lift a document above one with better words.
 */
#ifndef CO_RANK_WEIGHTS_H
#define CO_RANK_WEIGHTS_H

/* Two constants of BM25 depend on what the documents are.  A mean length, in
 * terms, up to the first of these is that of short memories, of one or two
 * sentences; from the second on, of abstracts and sections.  Between the two,
 * both go straight. */
#define WEIGHT_MEAN_SHORT 30.0
#define WEIGHT_MEAN_LONG 120.0

/* k1, how soon more of the same word stops to count: a memory says a thing
 * once, and saying it again tells little; in a long text, it tells more. */
#define WEIGHT_SATURATION_SHORT 0.9
#define WEIGHT_SATURATION_LONG 1.2

/* b, how much a long document is held against its words: in a short memory,
 * length is detail about one thing; a long text is about many. */
#define WEIGHT_LENGTH_SHORT 0.4
#define WEIGHT_LENGTH_LONG 0.75

/* k3, the same for the words of a question: a long one that comes back to a word
 * is about it. */
#define WEIGHT_REPEATED 8.0

/* What stands in for a word that no document holds: one that is misspelled is
 * most likely meant; what only contains it, or is part of it, may be. */
#define WEIGHT_MISSPELLED 0.8
#define WEIGHT_PART 0.5

/* An abbreviation, or what it is short for: the other form of the same thing,
 * and sometimes of another. */
#define WEIGHT_SYNONYM 0.6

/* What stands next to an answer often belongs to it: the question before it,
 * the paragraph behind it; two places away, that times itself. */
#define WEIGHT_NEIGHBOUR 0.3
#define WEIGHT_SECOND 0.09

/* A conversation or an article that is about the question as a whole. */
#define WEIGHT_PARENT 0.3

/* A tag, title or source that the question names: small, since a question may
 * name the wrong one, many documents share it, and tags are words of the
 * document already. */
#define WEIGHT_METADATA 0.1

/* Meaning, where there are vectors: less than a third of words, since the sum
 * of what words mean knows less than the words themselves; less again for long
 * texts, whose sum says little.  An encoder that knows more earns
 * rank.fusion = rrf. */
#define WEIGHT_COSINE_SHORT 0.3
#define WEIGHT_COSINE_LONG 0.2

/* And a question is a text as well: its sum says less by each word beyond so
 * many. */
#define WEIGHT_COSINE_WORDS 5

/* What an encoder does not know of a question is the names and terms that it
 * is about: for each word that it knows it has its say, and for each that it
 * does not, it is to be silent.  So much is left to it in any case, to order
 * what words leave equal. */
#define WEIGHT_COSINE_LEAST 0.1

/* How much of a question a document holds goes by how rare words are, which a
 * few documents cannot tell: they count as so many. */
#define WEIGHT_DOCUMENTS 100.0

/* A prompt that nobody asked to be answered is, by what holds so much of it. */
#define WEIGHT_COVERED 0.25F

/* Reciprocal Rank Fusion: the constant of its paper, and how far down each list
 * is read. */
#define WEIGHT_RRF 60
#define WEIGHT_RRF_DEPTH 1000

#endif
