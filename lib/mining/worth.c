/* worth.c: each phrase of a table counts once in a passage, and what it says for or
 * against it is added up. The points were chosen by reading drafts from real
 * repositories. */
#include "mining/worth.h"

#include "base/ascii.h"
#include "base/strings.h"
#include "mining/passages.h"

#include <strings.h>

/* For the form of a passage. */
#define WORDS_LEAST 10 /* fewer words say too little */
#define GUIDE_WORDS_LEAST 6
#define EARLY_WORDS 12 /* one of the first words states the rule of a reason */
#define CHANGE_WORDS 7 /* of a breaking change, likewise */
#define UNCLEAR 1000   /* against a text that is not prose */
#define LINK 30	       /* against what is_link() finds */
#define SYMBOLS_PERCENT 12 /* more characters that no prose has: code */

struct phrases {
	int points;	   /* of each of them */
	const char *texts; /* in lower case, whole words, '|' between them */
};

/* In a passage of a message or a guide. */
static const struct phrases in_passage[] = {
	/* rules and limits */
	{70, "must never"},
	{60, "must not|should never"},
	{50, "is not safe"},
	{45, "should always"},
	{40, "must be|not allowed|invariant"},
	{35, "must have|should not|should only|is required|are required|"
	     "does not allow|do not allow|disallow|disallows"},
	{30, "must|shouldn't|not supported|undefined behavior|"
	     "undefined behaviour|convention|only supported|expects the|"
	     "is expected to|are expected to"},
	{25, "do not|guarantee|guarantees|guaranteed"},
	{20, "never|always|cannot|can not|required to|requires"},
	{15, "can't|only be|need to be|needs to be|no longer|only if|"
	     "only when"},
	{12, "don't"},
	{10, "is only|are only"},
	{8, "does not"},
	/* reasons */
	{60, "by design|on purpose|intentionally|deliberately|decided not to"},
	{50, "intentional|deliberate|we decided"},
	{45, "decided to"},
	{40, "trade-off|tradeoff|caveat|be careful|beware|keep in mind"},
	{35, "it is important"},
	{30, "because|otherwise|decision|note that|note:|relies on"},
	{25, "so that|to avoid|to prevent|in favor of|in favour of|rely on|"
	     "assumes|prefer|for this reason"},
	{20, "to make sure|to ensure|rather than|depends on|unlike|"
	     "by default|backward compatibility|backwards compatibility|"
	     "backward compatible|compatible with"},
	{15, "the reason|instead of|workaround"},
	{10, "in order to|even if|even though|which means|since"},
	/* doubt and talk */
	{-80, "sorry|oops|lol"},
	{-60, "silly|hopefully|not sure|thanks"},
	{-50, "maybe|guess|stupid|not clear|we should try"},
	{-40, "i|my|me|i'm|i've|probably|perhaps|seems|seem|looks like|"
	      "apparently|supposedly|weird|somehow|unclear|bites|"
	      "suggested|tried to|annoying|gonna"},
	{-30, "anyway|obviously|discussed"},
	{-25, "likely"},
	{-20, "nice|mentioned"},
	{-15, "might"},
	{-10, "you|doesn't make sense"},
	/* plans and past events */
	{-60, "wip|will investigate"},
	{-50, "temporarily"},
	{-40, "todo|fixme|for now|temporary|in the future|next release|soon|"
	      "at the moment|upcoming|subsequent commit|next commit|let's|"
	      "funny|discussion|one day|someday"},
	{-30, "follow-up|intermediate|awkward|for why|upgrade to"},
	{-20, "these two|simplify|the idea|the test"},
	{-15, "later|yet|will be|obvious|faster"},
	{-10, "still"},
};

/* In a passage of a message, too. */
static const struct phrases in_message[] = {
	/* the story of a bug */
	{-60, "typo|our test|mistake"},
	{-50, "reporter|no longer needed|no longer used"},
	{-40, "before this|reported|this issue|no longer works|converted|"
	      "user error|the current code|a similar thing|"
	      "shouldn't be a problem|both of these|previous commit|"
	      "this behavior|this behaviour"},
	{-30, "broke|flaky|previously|prior to|currently|happened|ci|asan|"
	      "reproduce|wrongly|turns out|such files"},
	{-25, "crash|crashes|crashed|bug|fixed|fixes|regression|used to|"
	      "triggered|regressed|valgrind|coverity|recent|recently|obsolete|"
	      "unused|"
	      "caused|led to|an issue"},
	{-20, "bugs|leak|leaks|fail to|failed|failing|broken|wrong|incorrect|"
	      "incorrectly|fix|the issue|the problem|would|was|were|didn't|"
	      "in the past|so far|the old|not needed|meaningless"},
	{-15, "fails|failure|failures|overflow|warning|warnings|missing|had|"
	      "did|trigger|triggers|assertion|the current|can happen"},
	{-10, "abort|happens|could"},
	/* talk about the change itself */
	{-60, "cherry-picked|cherry-pick|screenshot|functional change|"
	      "functional changes|incompatible change|will now|"
	      "no behavior change|no behaviour change"},
	{-50, "whitespace|indentation"},
	{-40, "this pr|this patch|two commits|below commit|back then|"
	      "preliminary|rebase|as above|see below|the above|as follows|"
	      "the following|current situation|this problem|another approach"},
	{-30, "this fix|the fix|the change|the patch|pull request|the define|"
	      "refactored|commented|this should|linter|lint"},
	{-25, "review|merged|commits|the commit|cleanup|clean up|refactor"},
	{-20, "this commit|renamed|rename|it should"},
	{-15, "this change|overhead|removed|added|improve|improved|moved|"
	      "described"},
	{-10, "optional|following|compiler"},
	/* a proof about one place in the code, not a rule */
	{-50, "should terminate"},
	{-40, "at this point|should never fail|fuzzer|please"},
	{-30, "these must|strictly speaking|benchmark"},
	{-15, "test case|this test"},
	{-10, "tests"},
};

/* At the start of a passage: what the commit does, which its subject says too. */
static const struct phrases at_start[] = {
	{-60, "that is why|that's why|the reason why this|this removes|"
	      "the patch|the commit"},
	{-40, "added|removed|rename|refactor|cleanup|primarily|because|is|are"},
	{-30, "add|adds|adding|remove|removes|delete|update|updates|changed|"
	      "move|moves|improve|improves|convert|expose|simplify"},
	{-25, "replace"},
	{-20, "fix|fixes|change|changes|introduce|introduces|implement|solve"},
};

/* In the description of a breaking change: the versions that something needs are in
 * its manifest, and a removed thing is noticed at once. */
static const struct phrases in_change[] = {
	{-100, "engines|semver"},
	{-60, "node|following"},
	{-50, "removed|removes|remove|dropped|drops|drop"},
	{-40, "python|upgrade|upgraded|deprecate"},
	{-30, "renamed|see"},
	{30, "must"},
	{-20, "deprecated"},
	{20, "default|no longer|instead"},
	{10, "now"},
};

/* In the subject of a commit. */
static const struct phrases in_subject[] = {
	{-100, "copyright"},
	{-80, "typo|typos|flaky|known_bugs|todo|spelling|whitespace|badge|"
	      "bump|wip"},
	{-60, "ci|gha|travis|appveyor|github actions|circle|deprecate|"
	      "dependencies|changelog|temporarily|temporary|mypy"},
	{-50, "lint|coverage|workflow|note"},
	{-40, "readme|elaborate|elaborated|example|documentation|comment|"
	      "comments|benchmark|timing|deps|formatting|assert|assertion|"
	      "fuzzer"},
	{-30, "rename|release|ignore|fast path|metrics|unneeded|unnecessary"},
	{-25, "test|tests|docs|doc|warning|warnings"},
	{-22, "fix|fixes|fixing|fixed"},
	{-20, "wrong|cannot|fails|leak|leaks|leaking|overflow|crash|crashes|"
	      "deadlock|deadlocks|build error|broken|incorrect|testing|"
	      "cleanup|cleanups|refactor|move|simplify|minor|misc|"
	      "various|style|experimental|visibility"},
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

/* Return true if PHRASE, of N bytes, begins at P, of LEN bytes, as whole words. */
static bool begins_phrase(const char *p, size_t len, const char *phrase,
			  size_t n)
{
	return len >= n && ascii_lower(p[0]) == phrase[0] &&
	       !strncasecmp(p, phrase, n) &&
	       (len == n || !(ascii_is_alnum(p[n]) || p[n] == '_' ||
			      p[n] == '\'' || p[n] == '-')) &&
	       /* "i.e.", "I/O" */
	       (len - n < 2 ||
		!((p[n] == '.' || p[n] == '/') && ascii_is_letter(p[n + 1])));
}

/* Return true if an address ("://"), the number of an issue ("#12"), the name of a
 * commit, or the mark of a quoted line (" : ") begins at P, of LEN bytes. */
static bool is_link(const char *p, size_t len)
{
	size_t n = 0, digits = 0;

	if (len > 2 && !memcmp(p, "://", 3))
		return true;
	if (*p == '#')
		return len > 1 && ascii_is_digit(p[1]);
	if (len > 2 && !memcmp(p, " : ", 3))
		return true;
	if (*p != ' ')
		return false;
	for (p++, len--; n < len && ascii_is_hex(p[n]); n++)
		digits += ascii_is_digit(p[n]);
	return n >= PASSAGES_NAME_MIN && digits && digits < n &&
	       (n == len || !ascii_is_alnum(p[n]));
}

/* Judge the form: there are LEAST words at least, and it is prose. */
static int judge_form(const char *p, size_t len, size_t least)
{
	size_t words = 0, symbols = 0;
	int points = 0;

	for (size_t i = 0; i < len; i++) {
		words += p[i] == ' ';
		symbols += p[i] && strchr("{}[]<>=|\\$%@^~;&#+", p[i]) != NULL;
		points -= is_link(p + i, len - i) ? LINK : 0;
	}
	if (words + 1 < least || p[len - 1] == ':' || p[len - 1] == '?')
		points -= UNCLEAR;
	if (symbols * 100 > len * SYMBOLS_PERCENT)
		points -= UNCLEAR;
	return points;
}

/* Add to WORDS where the words of the LEN bytes of P outside of `code` begin. */
static void find_words(const char *p, size_t len, struct strings *words)
{
	bool code = false;

	for (size_t i = 0, word; i < len; i += word) {
		code ^= p[i] == '`';
		word = word_length(p + i, len - i);
		if (word && !code && !(i && p[i - 1] == '_'))
			strings_add(words, p + i);
		else if (!word)
			word = 1;
	}
}

/* Return true if PHRASE, of N bytes, begins at one of WORDS, of a text up to END. */
static bool has_phrase(const struct strings *words, const char *end,
		       const char *phrase, size_t n)
{
	for (size_t i = 0; i < words->n; i++) {
		const char *word = words->items[i];

		if (begins_phrase(word, (size_t)(end - word), phrase, n))
			return true;
	}
	return false;
}

/* Add up the phrases of the N rows of TABLE that begin at one of WORDS. */
static int add_points(const struct strings *words, const char *end,
		      const struct phrases *table, size_t n)
{
	int points = 0;

	for (size_t i = 0; i < n; i++) {
		const char *p = table[i].texts;

		for (size_t len; *p; p += len + (p[len] == '|')) {
			len = strcspn(p, "|");
			if (has_phrase(words, end, p, len))
				points += table[i].points;
		}
	}
	return points;
}

/* Add up the phrases of the N rows of TABLE that are in P outside of `code`. */
static int count_phrases(const char *p, size_t len, const struct phrases *table,
			 size_t n)
{
	struct strings words = {0};
	int points;

	find_words(p, len, &words);
	points = add_points(&words, p + len, table, n);
	free(words.items);
	return points;
}

/* Return true if one of PHRASES, with '|' between them, begins at P. */
static bool begins_with(const char *p, size_t len, const char *phrases)
{
	const struct phrases row = {1, phrases};

	return add_points(&(struct strings){.items = &p, .n = 1}, p + len, &row,
			  1) > 0;
}

int worth_guide_points(const char *p, size_t len)
{
	/* Code follows. */
	len -= len && p[len - 1] == ':';
	return (len ? judge_form(p, len, GUIDE_WORDS_LEAST) : -UNCLEAR) +
	       count_phrases(p, len, in_passage, ARRAY_LEN(in_passage));
}

int worth_points(const char *p, size_t len)
{
	const struct strings start = {.items = &p, .n = 1};

	return (len ? judge_form(p, len, WORDS_LEAST) : -UNCLEAR) +
	       add_points(&start, p + len, at_start, ARRAY_LEN(at_start)) +
	       count_phrases(p, len, in_passage, ARRAY_LEN(in_passage)) +
	       count_phrases(p, len, in_message, ARRAY_LEN(in_message));
}

int worth_subject(const char *p, size_t len)
{
	return count_phrases(p, len, in_subject, ARRAY_LEN(in_subject));
}

bool worth_names_authors(const char *p, size_t len)
{
	static const struct phrases row = {1,
					   "we|we'd|we'll|we're|we've|us|our"};

	return count_phrases(p, len, &row, 1) > 0;
}

/* How a guide begins an order. */
static const char orders[] =
	"don't|do not|avoid|prefer|use|keep|place|put|ensure|make sure|add|"
	"write|include|mark|prefix|be sure|never|always";

bool worth_is_order(const char *p, size_t len)
{
	return begins_with(p, len, orders);
}

/* Return true if P begins with an order, or does so after a condition: "If it is
 * new, add". */
static bool begins_order(const char *p, size_t len)
{
	const char *comma = memmem(p, passages_sentence(p, len), ", ", 2);

	if (begins_with(p, len, orders))
		return true;
	return comma && begins_with(p, len, "if|when|for|to") &&
	       begins_with(comma + 2, len - (size_t)(comma + 2 - p), orders);
}

#define WORK                                                             \
	"changelog|changelogs|commit message|commit messages|docstring|" \
	"docstrings|sign-off|signed|squash|squashed|do not rebase|lint|" \
	"linter|generated|ai|llm|llms"

bool worth_names_work(const char *p, size_t len)
{
	static const struct phrases work = {1, WORK};

	return count_phrases(p, len, &work, 1) > 0;
}

bool worth_is_guide_rule(const char *p, size_t len)
{
	static const struct phrases rule = {
		1, "must|should|never|always|do not|not allowed|convention|"
		   "conventions|required|not accept|not accepted|be accepted|"
		   "ought to|please make sure|please ensure|"
		   "please include|please add|please do|please don't|"
		   "please use|please keep|please squash|please run"};
	/* Talk, options to choose from, and references to a text that the draft lacks. */
	static const struct phrases talk = {
		1, "discuss|discussed|discussion|discussions|slack|"
		   "discord|forum|mailing list|email|thank|thanks|welcome|"
		   "feel free|question|questions|you can|you may|you might|"
		   "you want|you'd like|you should be able|if you "
		   "prefer|i|optionally|above|below|following|previous|"
		   "as follows|this document|this section|this guide|this page|"
		   "this file|newcomer|newcomers|video|editor|"
		   "plans|in the future|relatively|translations|triage|stale|"
		   "subreddit|ideas|suggestions|label|labels|assign|assigned|"
		   "respectful|unsure|personally|shy|too many|submitter|"
		   "experience|any relevant|tests pass|"
		   "explained|let's|step|steps|help us|check out|take a look"};
	/* What people do with each other. */
	static const struct phrases people = {
		1, "pull request|pull requests|pr|prs|merge|merged|reviewer|"
		   "reviewers|reviewed|maintainer|maintainers|approve|approved|"
		   "release|releases|released|issue|issues|ticket|contributor|"
		   "contributors|contribution|contributions|collaborator|"
		   "collaborators|license|licensed|copyright|fork|help|github|"
		   "gitlab|plugin|plugins|community"};
	/* What a change consists of. */
	static const struct phrases work = {
		1, WORK "|test|tests|ci|commit|commits|documentation|docs|"
			"benchmark|benchmarks|coverage|generated"};

	return (begins_order(p, len) || count_phrases(p, len, &rule, 1) > 0) &&
	       !memchr(p, '?', len) && !count_phrases(p, len, &talk, 1) &&
	       (!count_phrases(p, len, &people, 1) ||
		count_phrases(p, len, &work, 1));
}

bool worth_is_walk(const char *p, size_t len)
{
	static const struct phrases walk = {
		1, "let's|we'll|we will|you'll see|you will see|you should see|"
		   "should now|as you can see|now you|you now"};

	return count_phrases(p, len, &walk, 1) > 0;
}

bool worth_refers(const char *p, size_t len)
{
	static const struct phrases row = {
		1, "above|below|following|as follows|previous|earlier|section"};

	return count_phrases(p, len, &row, 1) > 0;
}

/* Return the length of the first WORDS words of the LEN bytes of P. */
static size_t first_words(const char *p, size_t len, size_t words)
{
	size_t n = 0;

	for (; n < len; n++) {
		words -= p[n] == ' ';
		if (!words)
			break;
	}
	return n;
}

bool worth_states_rule(const char *p, size_t len)
{
	static const struct phrases row = {
		1, "must|should|shouldn't|cannot|can not|can't|never|always|"
		   "intentional|intentionally|deliberate|deliberately|"
		   "by design|on purpose|required|not allowed|not supported|"
		   "disallowed|forbidden|rejected|not safe"};
	static const struct phrases story = {1, "now|however|previously"};
	size_t end = len;

	while (end && strchr(")\"'`*", p[end - 1]))
		end--;
	return end && strchr(".!", p[end - 1]) &&
	       count_phrases(
		       p,
		       first_words(p, passages_sentence(p, len), EARLY_WORDS),
		       &row, 1) > 0 &&
	       !count_phrases(p, len, &story, 1);
}

int worth_change(const char *p, size_t len)
{
	return judge_form(p, len, CHANGE_WORDS) +
	       count_phrases(p, len, in_change, ARRAY_LEN(in_change));
}

bool worth_stands_alone(const char *p, size_t len)
{
	/* Words that begin a sentence, but not one in small letters. */
	static const char *const small =
		"a|an|as|by|for|if|in|of|on|since|the|to|we|when|while|with";
	static const char *const vague =
		"must|though|although|this|that|it|its|it's|they|these|those|"
		"so|but|however|also|"
		"then|therefore|and|or|which|he|thus|hence|in this|in that|"
		"for that|first|second|third|such|both|the same|as a result|"
		"the first|the second|the third|"
		"otherwise|instead|here|there|similarly|furthermore|moreover|"
		"additionally|besides|to do|for example|in addition|"
		"great|the latter|the former|because "
		"of|now|next|finally|yes|no|"
		"another|at the same time|secondly|in practice|indeed|"
		"to avoid this|to avoid that|to do so|to do this|to fix this";

	return !begins_with(p, len, vague) &&
	       !(len && ascii_is_lower(*p) && begins_with(p, len, small));
}
