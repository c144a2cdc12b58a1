/* stop.c: articles, pronouns, prepositions, conjunctions, auxiliaries, vague
 * quantities and what questions begin with; contractions as they are folded.
 * What may be the point (up, down, may, need) is none.
 */
#include "rank/stop.h"

#define WORD_MAX 10 /* the longest: yourselves, themselves */

bool stop_word(const char *word, size_t len)
{
	static const char list[] =
		" about after again all also although am an and any are "
		"arent as at be because been before being both but by can "
		"cannot cant could couldnt did didnt do does doesnt doing "
		"dont during each either every few for from further had "
		"hadnt has hasnt have havent having he her here hers "
		"herself him himself his how if in into is isnt it its "
		"itself just many me might more most much must my myself "
		"neither no nor not of off on once only or other ought our "
		"ours ourselves out own please same several shall she "
		"should since so some such than that the their theirs them "
		"themselves then there these they this those though through "
		"to too unless until us very was wasnt we were werent what "
		"when where whether which while who whom whose why will "
		"with wont would wouldnt you your yours yourself yourselves ";
	char key[WORD_MAX + 3];

	if (len == 1 && !(*word & 0x80))
		return *word < '0' || *word > '9';
	if (len > WORD_MAX)
		return false;
	snprintf(key, sizeof(key), " %.*s ", (int)len, word);
	return strstr(list, key) != NULL;
}
