/* secret-plausible.c: what makes a string look random, counted in one pass.
 *
 * Neither a dictionary nor an entropy is needed: random strings of some length
 * hold many characters, few that follow their neighbour as in a row, and go
 * from letters to digits and back, as names and words do not.
 *
 * Known limit: a key that is made of letters alone, and not known by a mark,
 * passes for a name.
 */
#include "text/secret-plausible.h"

#include "base/ascii.h"

#define JUDGED_MAX 200 /* bytes looked at: enough of any string */

/* What was counted in a string. */
struct traits {
	size_t letters, digits, others; /* others than -_./:+= too */
	size_t distinct;
	size_t steps;	 /* neighbours that are equal or next in a row */
	size_t changes;	 /* between letters and digits */
	size_t capitals; /* that begin no word, runs of them as one */
	bool upper, lower;
};

/* True if the capital at P begins a word, as in camelCase. */
static bool begins_word(const char *p, size_t len)
{
	return len > 2 && ascii_is_lower(p[1]) && ascii_is_lower(p[2]);
}

static struct traits count(const char *p, size_t len)
{
	struct traits t = {0};
	bool seen[256] = {0};

	for (size_t i = 0; i < len; i++) {
		const unsigned char c = (unsigned char)p[i];

		t.distinct += !seen[c];
		seen[c] = true;
		t.upper |= ascii_is_upper(p[i]);
		t.lower |= ascii_is_lower(p[i]);
		t.letters += ascii_is_letter(p[i]);
		t.digits += ascii_is_digit(p[i]);
		t.others += !ascii_is_alnum(p[i]) && !strchr("-_./:+=", c);
		t.capitals += ascii_is_upper(p[i]) &&
			      !begins_word(p + i, len - i) &&
			      (i == 0 || !ascii_is_upper(p[i - 1]));
		if (i == 0)
			continue;
		t.steps += p[i] == p[i - 1] || p[i] == p[i - 1] + 1;
		t.changes += ascii_is_alnum(p[i]) && ascii_is_alnum(p[i - 1]) &&
			     ascii_is_digit(p[i]) != ascii_is_digit(p[i - 1]);
	}
	return t;
}

/* True if P holds one of the words in LIST, in any case. */
static bool holds(const char *p, size_t len, const char *const *list, size_t n)
{
	for (size_t i = 0; i < len; i++) {
		for (size_t w = 0; w < n; w++) {
			const char *word = list[w];
			size_t j = i;

			while (j < len && *word && ascii_lower(p[j]) == *word)
				j++, word++;
			if (!*word)
				return true;
		}
	}
	return false;
}

/* Made to be replaced, or shown. */
static bool is_placeholder(const char *p, size_t len)
{
	static const char *const words[] = {
		"example", "placeholder", "changeme", "change_me", "change-me",
		"your_",   "your-",	  "xxxx",     "redacted",  "dummy",
		"sample",  "insert",	  "replace",  "foobar",	   "not-a-",
		"fake-",   "fake_",	  "***",      "...",	   "\u2026"};

	return holds(p, len, words, ARRAY_LEN(words));
}

/* Names of methods have digits, as keys do. */
static bool names_method(const char *p, size_t len)
{
	static const char *const words[] = {
		"base64", "base32", "sha256", "sha512", "sha1",	  "sha-",
		"bcrypt", "argon2", "pbkdf2", "oauth2", "ed25519"};

	return holds(p, len, words, ARRAY_LEN(words));
}

static bool varies(const struct traits *t, size_t len)
{
	return t->distinct >= (len >= 24 ? 9 : len / 3 + 1);
}

/* True if most characters do not follow their neighbours as in a row. */
static bool jumps(const struct traits *t, size_t len)
{
	return t->steps * 2 < len;
}

/* The longest run of letters and digits of *P becomes it. */
static void longest_run(const char **p, size_t *len)
{
	const char *best = *p;
	size_t most = 0, run = 0;

	for (size_t i = 0; i < *len; i++) {
		run = ascii_is_alnum((*p)[i]) ? run + 1 : 0;
		if (run > most) {
			most = run;
			best = *p + i + 1 - run;
		}
	}
	*p = best;
	*len = most;
}

static bool is_key(const char *p, size_t len)
{
	struct traits t = count(p, len);

	if (!varies(&t, len) || !jumps(&t, len) || names_method(p, len))
		return false;
	longest_run(&p, &len);
	t = count(p, len);
	if (len < 10 || !t.digits || t.letters < 2)
		return false;
	return (t.digits >= 2 && t.changes >= 3) ||
	       (t.upper && t.lower && t.capitals >= 2);
}

static bool is_password(const char *p, size_t len, bool said)
{
	const struct traits t = count(p, len);

	if (strchr("$%@<{/~.\\&#:-", p[0]) || names_method(p, len) ||
	    !varies(&t, len) || !jumps(&t, len) || !t.digits || !t.letters)
		return false;
	if (t.others || t.changes >= 2)
		return !said || t.changes >= 2;
	return !said && t.upper && t.lower && t.changes;
}

/* Words that stand for a user or a password in what people write. */
static bool is_stock(const char *p, size_t len)
{
	static const char *const words[] = {
		"pass",	    "pwd",   "secret", "token",	 "user",  "name",
		"admin",    "root",  "guest",  "test",	 "demo",  "login",
		"postgres", "mysql", "redis",  "rabbit", "mongo", "minio",
		"elastic",  "local", "foo",    "bar",	 "key",	  "value",
		"abc",	    "123",   "xxx",    "port",	 "host",  "oauth"};

	return holds(p, len, words, ARRAY_LEN(words));
}

/* USER:PASSWORD, as it stands in a URL, or the password alone. */
static bool is_url_password(const char *p, size_t len)
{
	const char *colon = memchr(p, ':', len);
	const size_t user = colon ? (size_t)(colon - p) : 0;
	const char *word = colon ? colon + 1 : p;
	const size_t n = len - (size_t)(word - p);
	struct traits t;

	if (n < 4 || strchr("$%<{*[", word[0]))
		return false;
	if (user == n && !memcmp(p, word, n))
		return false;
	t = count(word, n);
	if (t.digits == n || (!t.digits && !t.letters))
		return false; /* a port, or dots */
	return is_password(word, n, true) || !is_stock(word, n);
}

static int sextet(char c)
{
	if (ascii_is_upper(c))
		return c - 'A';
	if (ascii_is_lower(c))
		return c - 'a' + 26;
	if (ascii_is_digit(c))
		return c - '0' + 52;
	return c == '+' ? 62 : 63;
}

/* Base64 of a line of text with a colon in it: words are not. */
static bool is_basic(const char *p, size_t len)
{
	char text[JUDGED_MAX];
	uint32_t bits = 0;
	size_t n = 0, i;

	for (i = 0; i < len && p[i] != '=' && n < sizeof(text); i++) {
		bits = bits << 6 | (uint32_t)sextet(p[i]);
		if (i % 4 == 0)
			continue;
		text[n] = (char)(bits >> (6 - i % 4 * 2) & 0xff);
		if (text[n] < ' ' || text[n] > '~')
			return false;
		n++;
	}
	return memchr(text, ':', n) && !is_placeholder(text, n) &&
	       is_url_password(text, n);
}

bool secret_is_plausible(const char *p, size_t len, enum secret_plausible kind)
{
	struct traits t;

	while (len && strchr(".,:;!?", p[len - 1]))
		len--; /* the sentence's */
	if (!len || kind == SECRET_PLAUSIBLE_ANY)
		return len;
	if (len > JUDGED_MAX)
		len = JUDGED_MAX;
	if (is_placeholder(p, len))
		return false;
	switch (kind) {
	case SECRET_PLAUSIBLE_KEY:
		return is_key(p, len);
	case SECRET_PLAUSIBLE_PASSWORD:
	case SECRET_PLAUSIBLE_SAID:
		return is_password(p, len, kind == SECRET_PLAUSIBLE_SAID);
	case SECRET_PLAUSIBLE_URL:
		return is_url_password(p, len);
	case SECRET_PLAUSIBLE_BASIC:
		return is_basic(p, len);
	default:
		t = count(p, len);
		return varies(&t, len);
	}
}
