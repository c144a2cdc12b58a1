/* secret-plausible.c: judges whether a string looks random, by counts made in
 * one pass.
 *
 * It needs no dictionary and no entropy: a random string has many distinct
 * characters, few that follow their neighbour in sequence, and changes between
 * letters and digits, unlike names and words.
 *
 * Known limit: a key of letters only, without an issuer's prefix, passes for a
 * name.
 */
#include "text/secret-rules.h"

#include "base/ascii.h"

#define JUDGED_MAX 200 /* longest prefix examined */

struct traits {
	size_t letters, digits, others; /* others: also not -_./:+= */
	size_t distinct;
	size_t steps;	 /* bytes equal to the previous one or one higher */
	size_t changes;	 /* between letters and digits */
	size_t capitals; /* runs of capitals that begin no word */
	bool upper, lower;
};

/* Return true if the capital at P begins a word, as in camelCase. */
static bool begins_word(const char *p, size_t len)
{
	return len > 2 && ascii_is_lower(p[1]) && ascii_is_lower(p[2]);
}

static struct traits count_traits(const char *p, size_t len)
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

static bool contains_any(const char *p, size_t len, const char *const *list,
			 size_t n)
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

/* Return true if P is an example or a text to be replaced. */
static bool is_placeholder(const char *p, size_t len)
{
	static const char *const words[] = {
		"example", "placeholder", "changeme", "change_me", "change-me",
		"your_",   "your-",	  "xxxx",     "redacted",  "dummy",
		"sample",  "insert",	  "replace",  "foobar",	   "not-a-",
		"fake-",   "fake_",	  "***",      "...",	   "\u2026"};

	return contains_any(p, len, words, ARRAY_LEN(words));
}

/* Return true if P names a method; these names have digits, as keys do. */
static bool names_method(const char *p, size_t len)
{
	static const char *const words[] = {
		"base64", "base32", "sha256", "sha512", "sha1",	  "sha-",
		"bcrypt", "argon2", "pbkdf2", "oauth2", "ed25519"};

	return contains_any(p, len, words, ARRAY_LEN(words));
}

static bool has_variety(const struct traits *t, size_t len)
{
	return t->distinct >= (len >= 24 ? 9 : len / 3 + 1);
}

/* Return true if most characters do not follow their neighbour in sequence. */
static bool is_unordered(const struct traits *t, size_t len)
{
	return t->steps * 2 < len;
}

/* Shorten *P and *LEN to the longest run of letters and digits. */
static void keep_longest_run(const char **p, size_t *len)
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
	struct traits t = count_traits(p, len);

	if (!has_variety(&t, len) || !is_unordered(&t, len) ||
	    names_method(p, len))
		return false;
	keep_longest_run(&p, &len);
	t = count_traits(p, len);
	if (len < 10 || !t.digits || t.letters < 2)
		return false;
	return (t.digits >= 2 && t.changes >= 3) ||
	       (t.upper && t.lower && t.capitals >= 2);
}

static bool is_password(const char *p, size_t len, bool in_sentence)
{
	const struct traits t = count_traits(p, len);

	if (strchr("$%@<{/~.\\&#:-", p[0]) || names_method(p, len) ||
	    !has_variety(&t, len) || !is_unordered(&t, len) || !t.digits ||
	    !t.letters)
		return false;
	if (t.others || t.changes >= 2)
		return !in_sentence || t.changes >= 2;
	return !in_sentence && t.upper && t.lower && t.changes;
}

/* Return true if P contains a word that people write in place of a user name or
 * password. */
static bool is_default_word(const char *p, size_t len)
{
	static const char *const words[] = {
		"pass",	    "pwd",   "secret", "token",	 "user",  "name",
		"admin",    "root",  "guest",  "test",	 "demo",  "login",
		"postgres", "mysql", "redis",  "rabbit", "mongo", "minio",
		"elastic",  "local", "foo",    "bar",	 "key",	  "value",
		"abc",	    "123",   "xxx",    "port",	 "host",  "oauth"};

	return contains_any(p, len, words, ARRAY_LEN(words));
}

/* Return true if P is USER:PASSWORD as in a URL, or a password. */
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
	t = count_traits(word, n);
	if (t.digits == n || (!t.digits && !t.letters))
		return false; /* a port number, or dots */
	return is_password(word, n, true) || !is_default_word(word, n);
}

static int base64_value(char c)
{
	if (ascii_is_upper(c))
		return c - 'A';
	if (ascii_is_lower(c))
		return c - 'a' + 26;
	if (ascii_is_digit(c))
		return c - '0' + 52;
	return c == '+' ? 62 : 63;
}

/* Return true if P is base64 of a printable USER:PASSWORD; words are not. */
static bool is_basic(const char *p, size_t len)
{
	char text[JUDGED_MAX];
	uint32_t bits = 0;
	size_t n = 0, i;

	for (i = 0; i < len && p[i] != '=' && n < sizeof(text); i++) {
		bits = bits << 6 | (uint32_t)base64_value(p[i]);
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
		len--; /* punctuation of the sentence */
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
		t = count_traits(p, len);
		return has_variety(&t, len);
	}
}
