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

/* And where titles stand among abstracts, a long text has each word by the mere
 * room that it takes, however short all are in the mean: the deviation of the
 * lengths, as a share of their mean, up to the first of these is that of texts
 * of one kind, from the second on of several. */
#define WEIGHT_VARIATION_ALIKE 0.7
#define WEIGHT_VARIATION_UNLIKE 1.0

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

/* Words that stand side by side in a question and near to each other in a text
 * are one thing in both: so much of how rare the commoner of them is, less by
 * distance, up to so many places apart. */
#define WEIGHT_NEAR 0.25F
#define WEIGHT_NEAR_PLACES 8

/* A text begins with what it is about: so much of how rare a word is, for one in
 * the first places; less in a short text, which has hardly anything else. */
#define WEIGHT_BEGIN 0.1F
#define WEIGHT_BEGIN_PLACES 20

/* To look where words stand is worth it in so many documents, the best by all
 * else. */
#define WEIGHT_PLACED 32

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

/* Created when the question says that it was: as much as a neighbour's words,
 * since what was done last week may be written down today. */
#define WEIGHT_TIME 0.3

/* And the words that say so are those of whoever asks: the document was written
 * on that day, and calls it today. */
#define WEIGHT_TIME_WORDS 0.5

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

/* Nor can they tell it of what a word counts: among fifty, the word that a
 * question is about and one of how it asks stand in one or two alike.  Which of
 * them everybody uses is known of English: so much of its weight such a word
 * loses where there are no documents, half of that where there are as many as
 * above, and nothing where there are many.  What English does not know loses
 * nothing.  CACM, cut by chance into stores of 50, twelve times, rises by that from
 * .695 to .703 (nDCG@10; FTS5 has .697), into stores of 150 from .588 to .593; each
 * other set rises as well or stays within its error, cut or whole.  More than half
 * costs LoCoMo.  A loss of less than the least, from 4,900 documents on, is none:
 * the list of English words is not opened for it. */
#define WEIGHT_ENGLISH 0.5
#define WEIGHT_ENGLISH_LEAST 0.01F

/* A prompt that nobody asked to be answered is, by what holds so much of it. */
#define WEIGHT_COVERED 0.25F

/* And it must hold more than words that are in everybody's mouth: "please run
 * the tests again" asks for nothing; words_is_talk() has those of the trade.
 * What words tell is 0 up to the first of these places among the words of
 * English, by how frequent they are, and 1 from the second on; together it is
 * to be so much, times how rare they are in the store.  That it was created
 * when the prompt says tells as much. */
#define WEIGHT_TALK_WORDS 100.0
#define WEIGHT_RARE_WORDS 50000.0
#define WEIGHT_TELLING 0.2F

/* What cites code that has changed since may not hold any more: so much of its
 * score it loses.  In the golden set, where all that stands above an answer has
 * changed, that brings 12 of 19 answers to the top; where the answer itself has,
 * none of 161 leaves the first five, as some do from .2 on. */
#define WEIGHT_DRIFTED 0.15F

/* What says which files it is about, none of which is at hand: the same, since both
 * tell that an answer may be another's.  In the golden set, each memory about one of
 * four folders, that brings 151 answers of 170 to the top where one asks in the
 * folder of the answer, of 143 without, and leaves 140 there where one asks in
 * another; with .1 these are 148 and 142, with .3 152 and 137.  None leaves the first
 * five.  contrib/load-jsonl t/golden OUT; t/golden/by-path OUT/all */
#define WEIGHT_ELSEWHERE 0.15F

/* Reciprocal Rank Fusion: the constant of its paper, and how far down each list
 * is read. */
#define WEIGHT_RRF 60
#define WEIGHT_RRF_DEPTH 1000

#endif
