/* worth.c: each phrase of a table counts once in a passage, and what it says for or
 * against it is added up. The points were chosen by reading drafts from real
 * repositories. */
#include "mining/worth.h"

#include "base/ascii.h"

#include <strings.h>

#define PHRASES_MAX 300 /* of a table */

/* For the form of a passage. */
#define WORDS_LEAST 10	   /* fewer words say too little */
#define CHANGE_WORDS 7	   /* of a breaking change, likewise */
#define UNCLEAR 1000	   /* against a text that is no prose */
#define AREA_MAX 40	   /* bytes of a subject's area */
#define LINK 30		   /* against a text with an address */
#define SYMBOLS_PERCENT 12 /* more characters that no prose has: code */

struct phrase {
	const char *text; /* in lower case; whole words */
	int points;
};

/* In a passage. */
static const struct phrase in_passage[] = {
	/* rules and limits */
	{"must not", 60},
	{"must never", 70},
	{"must be", 40},
	{"must have", 35},
	{"must", 30},
	{"never", 20},
	{"always", 20},
	{"should not", 35},
	{"shouldn't", 30},
	{"should never", 60},
	{"should always", 45},
	{"should only", 35},
	{"cannot", 20},
	{"can't", 15},
	{"can not", 20},
	{"not allowed", 40},
	{"is required", 35},
	{"are required", 35},
	{"is not safe", 50},
	{"not supported", 30},
	{"required to", 20},
	{"requires", 20},
	{"only be", 15},
	{"is only", 10},
	{"are only", 10},
	{"do not", 25},
	{"don't", 12},
	{"does not", 8},
	{"need to be", 15},
	{"needs to be", 15},
	{"undefined behavior", 30},
	{"undefined behaviour", 30},
	{"guarantee", 25},
	{"guarantees", 25},
	{"guaranteed", 25},
	{"invariant", 40},
	{"convention", 30},
	{"no longer", 15},
	/* reasons */
	{"because", 30},
	{"the reason", 15},
	{"otherwise", 30},
	{"so that", 25},
	{"in order to", 10},
	{"to avoid", 25},
	{"to prevent", 25},
	{"to make sure", 20},
	{"to ensure", 20},
	{"instead of", 15},
	{"rather than", 20},
	{"by design", 60},
	{"on purpose", 60},
	{"intentional", 50},
	{"intentionally", 60},
	{"deliberately", 60},
	{"deliberate", 50},
	{"we decided", 50},
	{"decided to", 45},
	{"decided not to", 60},
	{"decision", 30},
	{"trade-off", 40},
	{"tradeoff", 40},
	{"in favor of", 25},
	{"in favour of", 25},
	{"caveat", 40},
	{"note that", 30},
	{"note:", 30},
	{"be careful", 40},
	{"beware", 40},
	{"keep in mind", 40},
	{"relies on", 30},
	{"rely on", 25},
	{"depends on", 20},
	{"assumes", 25},
	{"unlike", 20},
	{"even if", 10},
	{"even though", 10},
	{"by default", 20},
	{"prefer", 25},
	{"backward compatibility", 20},
	{"backwards compatibility", 20},
	{"workaround", 15},
	{"which means", 10},
	{"it is important", 35},
	{"for this reason", 25},
	{"since", 10},
	/* the story of a bug */
	{"crash", -25},
	{"crashes", -25},
	{"crashed", -25},
	{"bug", -25},
	{"bugs", -20},
	{"leak", -20},
	{"leaks", -20},
	{"fails", -15},
	{"fail to", -20},
	{"abort", -10},
	{"failed", -20},
	{"failing", -20},
	{"failure", -15},
	{"failures", -15},
	{"broken", -20},
	{"broke", -30},
	{"wrong", -20},
	{"incorrect", -20},
	{"incorrectly", -20},
	{"fix", -20},
	{"fixed", -25},
	{"fixes", -25},
	{"the issue", -20},
	{"the problem", -20},
	{"regression", -25},
	{"flaky", -30},
	{"overflow", -15},
	{"warning", -15},
	{"warnings", -15},
	{"typo", -60},
	{"missing", -15},
	{"would", -20},
	{"previously", -30},
	{"before this", -40},
	{"prior to", -30},
	{"used to", -25},
	{"was", -20},
	{"were", -20},
	{"had", -15},
	{"did", -15},
	{"didn't", -20},
	{"in the past", -20},
	{"currently", -30},
	{"so far", -20},
	{"happened", -30},
	{"happens", -10},
	{"could", -10},
	{"trigger", -15},
	{"triggers", -15},
	{"triggered", -25},
	{"assertion", -15},
	{"ci", -30},
	{"asan", -30},
	{"valgrind", -25},
	{"coverity", -25},
	{"reproduce", -30},
	{"reported", -40},
	{"reporter", -50},
	{"this issue", -40},
	{"our test", -60},
	{"recent", -25},
	{"recently", -25},
	{"the old", -20},
	{"obsolete", -25},
	{"no longer needed", -50},
	{"no longer used", -50},
	{"no longer works", -40},
	{"not needed", -20},
	{"unused", -25},
	{"meaningless", -20},
	{"converted", -40},
	{"user error", -40},
	/* doubt and talk */
	{"i", -40},
	{"my", -40},
	{"me", -40},
	{"i'm", -40},
	{"i've", -40},
	{"you", -10},
	{"sorry", -80},
	{"oops", -80},
	{"silly", -60},
	{"lol", -80},
	{"hopefully", -60},
	{"probably", -40},
	{"maybe", -50},
	{"perhaps", -40},
	{"seems", -40},
	{"seem", -40},
	{"looks like", -40},
	{"not sure", -60},
	{"guess", -50},
	{"might", -15},
	{"apparently", -40},
	{"supposedly", -40},
	{"weird", -40},
	{"stupid", -50},
	{"anyway", -30},
	{"somehow", -40},
	{"nice", -20},
	{"thanks", -60},
	{"please", -40},
	{"not clear", -50},
	{"unclear", -40},
	{"obviously", -30},
	{"likely", -25},
	{"we should try", -50},
	{"bites", -40},
	{"doesn't make sense", -10},
	{"suggested", -40},
	{"discussed", -30},
	{"mentioned", -20},
	/* plans, and what is over */
	{"todo", -40},
	{"fixme", -40},
	{"wip", -60},
	{"for now", -40},
	{"temporary", -40},
	{"temporarily", -50},
	{"in the future", -40},
	{"later", -15},
	{"yet", -15},
	{"will be", -15},
	{"next release", -40},
	{"follow-up", -30},
	{"soon", -40},
	{"at the moment", -40},
	{"upcoming", -40},
	{"subsequent commit", -40},
	{"next commit", -40},
	{"let's", -40},
	{"awkward", -30},
	{"funny", -40},
	{"these two", -20},
	{"simplify", -20},
	{"obvious", -15},
	{"still", -10},
	{"for why", -30},
	{"discussion", -40},
	{"one day", -40},
	{"someday", -40},
	{"the idea", -20},
	{"upgrade to", -30},
	{"test case", -15},
	{"this test", -15},
	{"the test", -20},
	{"tests", -10},
	{"benchmark", -30},
	{"faster", -15},
	/* talk about the change itself */
	{"this pr", -40},
	{"this commit", -20},
	{"this patch", -20},
	{"this change", -15},
	{"this fix", -30},
	{"the fix", -30},
	{"pull request", -30},
	{"review", -25},
	{"merged", -25},
	{"commits", -25},
	{"the commit", -25},
	{"cherry-picked", -60},
	{"back then", -40},
	{"optional", -10},
	{"preliminary", -40},
	{"overhead", -15},
	{"the define", -30},
	{"rebase", -40},
	{"cleanup", -25},
	{"clean up", -25},
	{"refactor", -25},
	{"refactored", -30},
	{"renamed", -20},
	{"rename", -20},
	{"removed", -15},
	{"added", -15},
	{"improve", -15},
	{"improved", -15},
	{"moved", -15},
	{"commented", -30},
	{"whitespace", -50},
	{"indentation", -50},
	{"as above", -40},
	{"described", -15},
	{"this should", -30},
	{"it should", -20},
	{"see below", -40},
	{"the above", -40},
	{"as follows", -40},
	{"the following", -40},
	{"following", -10},
	{"screenshot", -60},
	{"compiler", -10},
	{"linter", -30},
	{"lint", -30},
	/* a proof about one place in the code, not a rule */
	{"at this point", -40},
	{"these must", -30},
	{"should terminate", -50},
	{"should never fail", -40},
	{"strictly speaking", -30},
	{"fuzzer", -40},
};

/* At the start of a passage: what the commit does, which its subject says too. */
static const struct phrase at_start[] = {
	{"add", -30},
	{"adds", -30},
	{"added", -40},
	{"adding", -30},
	{"remove", -30},
	{"removes", -30},
	{"removed", -40},
	{"delete", -30},
	{"fix", -20},
	{"fixes", -20},
	{"update", -30},
	{"updates", -30},
	{"change", -20},
	{"changes", -20},
	{"changed", -30},
	{"move", -30},
	{"moves", -30},
	{"rename", -40},
	{"refactor", -40},
	{"introduce", -20},
	{"introduces", -20},
	{"implement", -20},
	{"improve", -30},
	{"improves", -30},
	{"cleanup", -40},
	{"convert", -30},
	{"solve", -20},
	{"expose", -30},
	{"simplify", -30},
	{"that is why", -60},
	{"that's why", -60},
	{"replace", -25},
	{"primarily", -40},
	{"because", -40},
	{"is", -40},
	{"are", -40},
	{"the reason why this", -60},
	{"this removes", -60},
};

/* In the description of a breaking change: the versions that something needs are in
 * its manifest, and what is gone is seen at once. */
static const struct phrase in_change[] = {
	{"removed", -50},   {"removes", -50},	 {"remove", -50},
	{"dropped", -50},   {"drops", -50},	 {"drop", -50},
	{"engines", -100},  {"node", -60},	 {"python", -40},
	{"semver", -100},   {"upgrade", -40},	 {"upgraded", -40},
	{"following", -60}, {"renamed", -30},	 {"see", -30},
	{"deprecate", -40}, {"deprecated", -20}, {"default", 20},
	{"no longer", 20},  {"must", 30},	 {"instead", 20},
	{"now", 10},
};

/* In the subject of a commit. */
static const struct phrase in_subject[] = {
	{"fix", -22},
	{"fixes", -22},
	{"fixing", -22},
	{"fixed", -22},
	{"typo", -80},
	{"typos", -80},
	{"ci", -60},
	{"gha", -60},
	{"travis", -60},
	{"appveyor", -60},
	{"github actions", -60},
	{"circle", -60},
	{"test", -25},
	{"tests", -25},
	{"testing", -20},
	{"flaky", -80},
	{"known_bugs", -80},
	{"todo", -80},
	{"deprecate", -60},
	{"docs", -25},
	{"doc", -25},
	{"readme", -40},
	{"comment", -40},
	{"comments", -40},
	{"cleanup", -20},
	{"cleanups", -20},
	{"refactor", -20},
	{"warning", -25},
	{"warnings", -25},
	{"lint", -50},
	{"copyright", -100},
	{"spelling", -80},
	{"whitespace", -80},
	{"move", -20},
	{"simplify", -20},
	{"rename", -30},
	{"minor", -20},
	{"misc", -20},
	{"various", -20},
	{"benchmark", -40},
	{"timing", -40},
	{"deps", -40},
	{"badge", -80},
	{"coverage", -50},
	{"formatting", -40},
	{"bump", -80},
	{"workflow", -50},
	{"release", -30},
	{"changelog", -60},
	{"style", -20},
	{"temporarily", -60},
	{"temporary", -60},
	{"wip", -80},
	{"experimental", -20},
	{"assert", -40},
	{"assertion", -40},
	{"ignore", -30},
	{"mypy", -60},
	{"fast path", -30},
	{"fuzzer", -40},
	{"metrics", -30},
	{"unneeded", -30},
	{"unnecessary", -30},
	{"visibility", -20},
};

/* Return the length of the first word of the LEN bytes of P, 0 if it does not begin
 * with one. */
static size_t word_length(const char *p, size_t len)
{
	size_t n = 0;

	while (n < len && (ascii_is_alnum(p[n]) || p[n] == '\'' || p[n] == '-'))
		n++;
	return n;
}

/* Return true if PHRASE begins at P, of LEN bytes, as whole words. */
static bool begins_phrase(const char *p, size_t len, const char *phrase)
{
	size_t n;

	if (!len || ascii_lower(p[0]) != phrase[0])
		return false;
	n = strlen(phrase);
	return len >= n && !strncasecmp(p, phrase, n) &&
	       (len == n || !(ascii_is_alnum(p[n]) || p[n] == '_' ||
			      p[n] == '\'' || p[n] == '-'));
}

/* Judge the form: there are LEAST words at least, and it is prose. */
static int judge_form(const char *p, size_t len, size_t least)
{
	size_t words = 0, symbols = 0;
	int points = 0;

	for (size_t i = 0; i < len; i++) {
		words += p[i] == ' ';
		symbols += p[i] && strchr("{}[]<>=|\\$%@^~;&#+", p[i]) != NULL;
		if (p[i] == ':' && i + 2 < len && p[i + 1] == '/' &&
		    p[i + 2] == '/')
			points -= LINK;
	}
	if (words + 1 < least || p[len - 1] == ':' || p[len - 1] == '?')
		points -= UNCLEAR;
	if (symbols * 100 > len * SYMBOLS_PERCENT)
		points -= UNCLEAR;
	return points;
}

/* Add up the phrases of the table of N that are in P outside of `code`. */
static int count_phrases(const char *p, size_t len, const struct phrase *table,
			 size_t n)
{
	bool counted[PHRASES_MAX] = {false};
	bool code = false;
	int points = 0;

	for (size_t i = 0, word; i < len; i += word) {
		code ^= p[i] == '`';
		word = word_length(p + i, len - i);
		if (!word || code || (i && p[i - 1] == '_')) {
			word = word ? word : 1;
			continue;
		}
		for (size_t k = 0; k < n; k++) {
			if (!counted[k] &&
			    begins_phrase(p + i, len - i, table[k].text)) {
				counted[k] = true;
				points += table[k].points;
			}
		}
	}
	return points;
}

int worth_points(const char *p, size_t len)
{
	int points = len ? judge_form(p, len, WORDS_LEAST) : -UNCLEAR;

	for (size_t i = 0; i < ARRAY_LEN(at_start); i++) {
		if (begins_phrase(p, len, at_start[i].text))
			points += at_start[i].points;
	}
	return points +
	       count_phrases(p, len, in_passage, ARRAY_LEN(in_passage));
}

/* Return the length of the area at the start of the subject P: "http2: ". */
static size_t area_length(const char *p, size_t len)
{
	const char *end = memmem(p, len, ": ", 2);

	return end && end - p <= AREA_MAX ? (size_t)(end - p) + 2 : 0;
}

int worth_subject(const char *p, size_t len)
{
	return count_phrases(p, len, in_subject, ARRAY_LEN(in_subject));
}

bool worth_tidies(const char *p, size_t len)
{
	static const char *const first[] = {
		"adjust",  "clean",    "convert", "delete",   "drop",
		"extract", "ignore",   "inline",  "move",     "refactor",
		"remove",  "rename",   "replace", "simplify", "switch",
		"unify",   "untangle", "use",
	};
	const size_t area = area_length(p, len);

	for (size_t i = 0; i < ARRAY_LEN(first); i++) {
		if (begins_phrase(p + area, len - area, first[i]))
			return true;
	}
	return false;
}

int worth_change(const char *p, size_t len)
{
	return judge_form(p, len, CHANGE_WORDS) +
	       count_phrases(p, len, in_change, ARRAY_LEN(in_change));
}

bool worth_stands_alone(const char *p, size_t len)
{
	static const char *const first[] = {
		"this",	       "that",	       "it",	     "its",
		"it's",	       "they",	       "these",	     "those",
		"so",	       "but",	       "however",    "also",
		"then",	       "therefore",    "and",	     "or",
		"which",       "he",	       "thus",	     "hence",
		"in this",     "in that",      "for that",   "first",
		"second",      "third",	       "such",	     "both",
		"the same",    "as a result",  "otherwise",  "instead",
		"here",	       "there",	       "similarly",  "furthermore",
		"moreover",    "additionally", "besides",    "to do",
		"for example", "in addition",  "the latter", "the former",
		"because of",  "now",	       "next",	     "finally",
		"yes",	       "no",	       "another",
	};

	for (size_t i = 0; i < ARRAY_LEN(first); i++) {
		if (begins_phrase(p, len, first[i]))
			return false;
	}
	return true;
}
