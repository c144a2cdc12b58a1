/* worth.h: judge by its words whether a passage is worth remembering.
 *
 * A rule ("must hold the lock"), a reason that still holds ("on purpose", "otherwise")
 * or a limit counts for it. The story of a bug, doubt, talk, and plans count against
 * it. English only: in another language nothing is found.
 */
#ifndef CO_MINING_WORTH_H
#define CO_MINING_WORTH_H

#include "base/base.h"

/* Points from which a passage is worth remembering. */
#define WORTH_LEAST 55

/* Return the points of the LEN bytes of P, which may be negative: of a passage of a
 * message, or of one of a guide, which tells no story of a change. */
int worth_points(const char *p, size_t len);
int worth_guide_points(const char *p, size_t len);

/* Return the points that the subject P of LEN bytes adds to each passage of its
 * commit: 0 or less, as for tests, documents and repairs. */
int worth_subject(const char *p, size_t len);

/* Return true if P, of LEN bytes, says "we" and the like. In a guide it may be a rule; in
 * a message its authors mostly tell what they did. */
bool worth_names_authors(const char *p, size_t len);

/* Return true if one of the first words of P, of LEN bytes, states a rule ("must",
 * "intentionally"), its last sentence is complete, and no word tells what a commit
 * changed. */
bool worth_states_rule(const char *p, size_t len);

/* Return true if P, of LEN bytes, begins as an order does: "Avoid", "Prefer". */
bool worth_is_order(const char *p, size_t len);

/* Return true if P, of LEN bytes, names a part of a change, such as an entry in a
 * change log or a docstring; but not parts that every project wants, such as tests. */
bool worth_names_work(const char *p, size_t len);

/* Return true if P, of LEN bytes, the passage of a guide, gives an order or has a word
 * such as "must", and is not about people, releases, or a text near it. */
bool worth_is_guide_rule(const char *p, size_t len);

/* Return true if P, of LEN bytes, is from a walk-through, which makes sense only as a
 * whole: "Next, let's build it". */
bool worth_is_walk(const char *p, size_t len);

/* Return true if P, of LEN bytes, refers to a text near it: "the following", "above". */
bool worth_refers(const char *p, size_t len);

/* Return the points that P, of LEN bytes, the description of a breaking change, adds: 0
 * or less, as for a list that is cut off, or what files of the project say better. */
int worth_change(const char *p, size_t len);

/* Return true if the sentence P of LEN bytes makes sense without the one before:
 * it does not begin with "This", "But" and the like. */
bool worth_stands_alone(const char *p, size_t len);

#endif
