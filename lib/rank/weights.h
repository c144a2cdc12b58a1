/* weights.h: the constants of the ranking, each with its reason.
 *
 * Signals are shares of the best BM25 score among the documents, which is 1.
 * Without cosines, no other signal by itself lifts a document that has no word of
 * the question above the best one by words. The cosine of an encoder that reads
 * sentences can, since it is added on the scale of the final score: see
 * WEIGHT_COSINE.
 */
#ifndef CO_RANK_WEIGHTS_H
#define CO_RANK_WEIGHTS_H

/* Two constants of BM25 depend on the kind of documents. Up to the first mean
 * length, in terms, documents are short memories of one or two sentences; from
 * the second on, abstracts and sections. In between, both constants are
 * interpolated. */
#define WEIGHT_MEAN_SHORT 30.0
#define WEIGHT_MEAN_LONG 120.0

/* k1: how soon repetitions of a word stop counting. A memory says a thing once,
 * and a repetition means little; in a long text, it means more. */
#define WEIGHT_SATURATION_SHORT 0.9
#define WEIGHT_SATURATION_LONG 1.2

/* b: how much length counts against a document. In a short memory, length is
 * detail about one thing; a long text is about many. */
#define WEIGHT_LENGTH_SHORT 0.4
#define WEIGHT_LENGTH_LONG 0.75

/* b where the kind of text is known. A long turn of a conversation tells more
 * of its topic, while a short one only agrees. What is below a title is about
 * many things, and a long function calls many others. A store of several kinds
 * has the mean of their values.
 *
 * With .2, LoCoMo gains .3 nDCG@10 over .4. Functions, asked for by the first
 * sentences of their comments, gain 1.1 with .9 over .75. Messages of commits
 * of four projects gain 1 to 2 with .75 over .4 where all have a body, and lose
 * as much where most have none: those are not titled. */
#define WEIGHT_LENGTH_TURN 0.2
#define WEIGHT_LENGTH_TITLED 0.75
#define WEIGHT_LENGTH_CODE 0.9

/* A word that a text has only in a URL counts as this share of one that the text says:
 * the address of a page names many things that the text is not about. With a half, a
 * text of three times the mean length that says the word ranks below one of half the
 * mean length that has it in a URL; with a fourth, above. */
#define WEIGHT_IN_URL 0.25F

/* k3: BM25's k1 for repeated words of a question. A long question that repeats
 * a word is about it. */
#define WEIGHT_REPEATED 8.0

/* Substitutes for a word that no document has. A corrected misspelling is most
 * likely meant; a word that contains it, or is part of it, may be. */
#define WEIGHT_MISSPELLED 0.8
#define WEIGHT_PART 0.5

/* An abbreviation or its full form: usually another form of one thing,
 * sometimes of another thing. */
#define WEIGHT_SYNONYM 0.6

/* Words that are adjacent in a question and near each other in a text are one
 * thing in both. The gain is this share of the rarity of the more common word,
 * decreasing with the distance, up to so many places. */
#define WEIGHT_NEAR 0.25F
#define WEIGHT_NEAR_PLACES 8

/* A text begins with its topic. The gain is this share of a word's rarity if
 * the word is in the first places; less in a short text, which has little
 * else. */
#define WEIGHT_BEGIN 0.1F
#define WEIGHT_BEGIN_PLACES 20

/* Places are compared in so many documents, the best by all else. */
#define WEIGHT_PLACED 32

/* The neighbour of an answer often belongs to it: the question before it, the
 * paragraph after it. At two places away, the square of that. */
#define WEIGHT_NEIGHBOUR 0.3
#define WEIGHT_SECOND 0.09

/* A conversation or an article that is about the question as a whole. */
#define WEIGHT_PARENT 0.3

/* A tag, title or source that the question names. Small: a question may name
 * the wrong one, many documents share it, and tags already count as words. */
#define WEIGHT_METADATA 0.1

/* Created at a time that the question mentions. As much as a neighbour's words,
 * since last week's work may be noted today. */
#define WEIGHT_TIME 0.3

/* Created in the month of a day that the question mentions: the day that is noted is
 * often that of the note, not of the event. */
#define WEIGHT_TIME_AROUND 0.15

/* The next five are by what a text tells, see traits.h. Each was tried by itself
 * and together on LoCoMo, its adversarial questions, which name the wrong
 * speaker, and sets of other texts, which none of them changes. Numbers are the
 * gains of nDCG@10 on the first two; of all, they are 3.5 and 2.4.
 *
 * A question that asks when, how long or on what date, and a text that names a
 * time: .6 and .1. */
#define WEIGHT_DATED 0.2

/* A question that asks where, who or which city, and a text that names somebody
 * or something within a sentence: .1 and .3. */
#define WEIGHT_NAMES 0.15

/* A turn whose speaker the question names, and who speaks of himself; others name
 * him in their own turns: 1.1 and -.7. */
#define WEIGHT_SPEAKER 0.1

/* The words of a turn that ends with a question are those of the next turn as
 * well, beyond what a neighbour gets: 1.3 and 2.4. Among all texts, in place of
 * turns, it costs. */
#define WEIGHT_REPLY 0.2

/* A turn that only asks, and is answered, has the words of the question and not
 * the answer: .3 and .5. */
#define WEIGHT_ASKS 0.1

/* The words of a time phrase are the user's: a document of that day says
 * today. */
#define WEIGHT_TIME_WORDS 0.5

/* Meaning, by the static encoder: less than a third of the words, since a sum of
 * word meanings knows less than the words do; less again for long texts, whose sum
 * says little. */
#define WEIGHT_COSINE_SHORT 0.3
#define WEIGHT_COSINE_LONG 0.2

/* The static encoder knows neither identifiers nor the trade of those who write
 * them: its weight is reduced by the share of code, and to nothing in a store of
 * commits. Of such a store, between a third and nearly all of the messages are
 * told by their form; of notes, at most one in a hundred. */
#define WEIGHT_COMMITS_FEW 0.1
#define WEIGHT_COMMITS_MANY 0.3

/* Meaning, by an encoder that reads sentences, which is any but the static one. It
 * is on the scale of a question whose words are all in one document, so that it
 * counts more where words say less. */
#define WEIGHT_COSINE 0.5

/* If the best document by words covers so much of a question, such an encoder is
 * not asked: the words have found an answer, and the encoder takes time. */
#define WEIGHT_WHOLE 0.999F

/* A memory without a word of the question is shown above this cosine of the
 * encoder of sentences; for other encoders, chance sets the limit, see
 * search/semantic.c. A prompt gets any memory from the second cosine on, which is
 * higher since a prompt asks for nothing. */
#define WEIGHT_COSINE_SHOWN 0.3F
#define WEIGHT_COSINE_PROMPT 0.5F

/* The static encoder sums up a question as well: its sum says less with each word
 * beyond so many. */
#define WEIGHT_COSINE_WORDS 5

/* The static encoder does not know the names and terms that a question is about.
 * Its weight grows with the share of words that it knows, from this minimum, which
 * orders what words leave equal. */
#define WEIGHT_COSINE_LEAST 0.1

/* Coverage counts words by their rarity, which few documents cannot tell: they
 * count as so many. */
#define WEIGHT_DOCUMENTS 100.0

/* Few documents cannot tell the rarity of a word for its score, either: among
 * fifty, the topic of a question and a word of its phrasing may both be in one
 * or two. The frequency of words in English can. A common English word loses at
 * most this share of its weight: all of it without documents, half with
 * WEIGHT_DOCUMENTS, hardly any with many. A word that is not in the list loses
 * nothing.
 *
 * CACM, cut at random into stores of 50 documents, twelve times, gains by this
 * from .695 to .703 (nDCG@10; FTS5 has .697), in stores of 150 from .588 to
 * .593. Each other set gains, too, or stays within its error, cut or whole.
 * More than half costs LoCoMo. A loss below the minimum, from 4,900 documents
 * on, is skipped, so that the list of English words need not be opened. */
#define WEIGHT_ENGLISH 0.5
#define WEIGHT_ENGLISH_LEAST 0.01F

/* A memory created when the question says tells so much, see the next ones. */
#define WEIGHT_TELLING 0.2F

/* A word counts 0 up to the first rank among English words by frequency, and 1 from the
 * second on; words_is_talk() has those of the trade, which count 0: "please run the
 * tests again" asks for nothing. */
#define WEIGHT_TALK_WORDS 100.0
#define WEIGHT_RARE_WORDS 50000.0

/* A substitute for a word that no document has is a guess, so it tells this share of what
 * the word would. */
#define WEIGHT_GUESSED 0.5F

/* A prompt is searched sentence by sentence, and gets memories that have rare words of
 * one with this sum, each times its rarity in the store; with an encoder of sentences,
 * the second sum with the cosine, which must be WEIGHT_PROMPT_NEAR at least. One word
 * counts for at most WEIGHT_PROMPT_WORD: a word that is rare in the store may be in a
 * sentence about other things. A share of the prompt would let a paragraph that is added
 * to each prompt hide the question in it.
 *
 * Of 60 prompts that one of 300 memories matters to, 48 get it, by words only 47; of 60
 * others, 4 and 10 get anything. Of 20 and 20 that were not looked at before, 19 and 17,
 * 2 and 3. In German, whose words are in no list: 10 of 10 in a store of 30, and 2 and 4
 * of 10. */
#define WEIGHT_PROMPT 0.8F
#define WEIGHT_PROMPT_MEANT 1.1F
#define WEIGHT_PROMPT_WORD 0.8F
#define WEIGHT_PROMPT_NEAR 0.1F

/* Fewer are enough if a memory has this share of a sentence: a short one, about what
 * several memories are about, has no rarer words. */
#define WEIGHT_PROMPT_COVERED 0.6F
#define WEIGHT_PROMPT_LEAST 0.35F

/* Without any word, the date must be this share ("what happened today"), or substitutes
 * this one ("postgress version"). */
#define WEIGHT_PROMPT_DATED 0.25F
#define WEIGHT_PROMPT_GUESSED 0.5F

/* A question of a person gets no answer if no hit has coverage and rare words
 * with this sum, nor is nearer in meaning than the limit of its encoder: in any
 * store, something is nearest. By words and the static encoder, 16 of 40 questions
 * about other things get none in the golden set, where 5 of them have no word in
 * common with it. None of its 170 questions loses its answer; with .35, one
 * does. */
#define WEIGHT_EVIDENCE 0.3F

/* A hit without a word of the question is shown if it has this share of the best
 * score. */
#define WEIGHT_FAINT 0.05F

/* A memory that cites code which has changed may be wrong: it loses this share
 * of its score. In the golden set, if everything above an answer has changed,
 * this brings 12 of 19 answers to the top. If the answer itself has changed,
 * none of 161 leaves the first five; from .2 on, some do. */
#define WEIGHT_DRIFTED 0.15F

/* A memory about other files than the current one loses as much, since it may
 * answer another question. In the golden set, with each memory about one of
 * four directories, this brings 151 answers of 170 to the top if the user is in
 * the answer's directory (143 without it), and leaves 140 there if in another.
 * With .1 these are 148 and 142, with .3 152 and 137. None leaves the first
 * five. contrib/load-jsonl t/golden OUT; t/golden/by-path OUT/all */
#define WEIGHT_ELSEWHERE 0.15F

#endif
