/* endpoint.c: see endpoint.h. */
#include "model/endpoint.h"

#include "base/arena.h"
#include "base/instant.h"
#include "base/utf8.h"
#include "format/json-read.h"
#include "sys/file.h"
#include "text/sanitize.h"

#include <strings.h>
#include <sys/stat.h>
#include <time.h>

#define EXCUSE_MAX 200
#define FIRST_PAUSE_MS 250
#define ANSWER_MS 1000 /* time that a retry needs */
#define KEY_MAX 4096

/* Return true if the host at AT, LEN bytes with brackets and port, is this
 * machine. */
static bool is_loopback(const char *at, size_t len)
{
	static const char *const names[] = {"localhost", "127.0.0.1", "[::1]"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const size_t n = strlen(names[i]);

		if (len >= n && !strncasecmp(at, names[i], n) &&
		    (len == n || at[n] == ':'))
			return true;
	}
	return false;
}

static const char *host_start(const char *p)
{
	return strstr(p, "://") + 3;
}

static int make_address(struct buf *out, const char *url, const char *place,
			struct err *e)
{
	const size_t scheme = !strncasecmp(url, "https://", 8)	? 8
			      : !strncasecmp(url, "http://", 7) ? 7
								: 0;
	const size_t host = scheme ? strcspn(url + scheme, "/?#") : 0;
	const size_t added = strlen(place);
	const char *path = url + scheme + host;
	size_t len = strcspn(path, "?#");

	if (!host)
		return err_set(e, ERR_USAGE,
			       "'%s' is not an http or https address", url);
	if (memchr(url + scheme, '@', host))
		return err_set(e, ERR_USAGE,
			       "the address has a name or password: name a "
			       "variable that holds the key instead");
	while (len && path[len - 1] == '/')
		len--;
	buf_add(out, url, scheme + host + len);
	if (!len)
		buf_adds(out, "/v1");
	if (len < added || memcmp(path + len - added, place, added))
		buf_adds(out, place);
	return 0;
}

/* Return the message of an answer {"error": {"message": M}} or {"error": M}, or
 * NULL. */
static const struct value *error_message(const struct value *v)
{
	const struct value *error = value_get(v, "error");
	const struct value *message = value_get(error, "message");

	/* Google's answers are in a list. */
	if (value_item(v, 0))
		return error_message(value_item(v, 0));
	if (message && message->kind == VALUE_STR)
		return message;
	return error && error->kind == VALUE_STR ? error : NULL;
}

/* Append the error message of ANSWER on one short line, with the key SECRET
 * masked. Appends nothing if there is none. */
static void append_message(struct buf *out, const struct buf *answer,
			   const char *secret)
{
	const size_t hide = strlen(secret);
	struct buf line = {0};
	struct arena a = {0};
	const struct value *message = NULL;
	struct value v;
	struct err e;

	if (json_parse(buf_str(answer), answer->len, &a, &v, &e) == 0)
		message = error_message(&v);
	for (size_t i = 0; message && i < message->u.s.len;) {
		const char *p = message->u.s.p + i;

		if (hide && message->u.s.len - i >= hide &&
		    !memcmp(p, secret, hide)) {
			buf_adds(&line, "***");
			i += hide;
		} else {
			buf_addc(&line, *p == '\n' ? ' ' : *p);
			i++;
		}
	}
	if (line.len > EXCUSE_MAX)
		buf_cut(&line, utf8_cut(line.p, line.len, EXCUSE_MAX));
	if (line.len)
		sanitize_terminal(out, line.p, line.len, false);
	buf_release(&line);
	arena_release(&a);
}

/* Return true if STATUS and ANSWER mean that the prompt is too long. */
static bool is_too_long(long status, const struct buf *answer)
{
	static const char *const words[] = {
		"context_length", "context length",  "context size",
		"too long",	  "too many tokens", "exceed_context"};

	if (status == 413)
		return true;
	for (size_t i = 0; status == 400 && i < ARRAY_LEN(words); i++) {
		if (strcasestr(buf_str(answer), words[i]))
			return true;
	}
	return false;
}

int endpoint_fail(const struct endpoint *s, long status,
		  const struct buf *answer, struct err *e)
{
	struct buf excuse = {0};

	append_message(&excuse, answer, buf_str(&s->key));
	err_set(e, ERR_HELPER, "%sthe server answered with status %ld%s%s",
		is_too_long(status, answer)
			? "the prompt is too long for the model: "
			: "",
		status, excuse.len ? ": " : "", buf_str(&excuse));
	buf_release(&excuse);
	return -1;
}

long endpoint_ask(const struct endpoint *s, const struct buf *body,
		  struct buf *answer, struct err *e)
{
	long status = 0;

	for (int64_t pause = FIRST_PAUSE_MS;; pause *= 2) {
		const int64_t left = s->until - instant_monotonic_ms();
		int64_t asked = 0;
		struct timespec t;

		if (left <= 0)
			return status ? status
				      : endpoint_trouble(s, ENDPOINT_LATE, "",
							 e);
		buf_cut(answer, 0);
		status = s->post(s->ctx, body, left, answer, &asked, e);
		if (status < 0 || (status != 429 && status < 500))
			return status;
		pause = asked > pause ? asked : pause;
		if (instant_monotonic_ms() + pause + ANSWER_MS >= s->until)
			return status;
		t = (struct timespec){(time_t)(pause / 1000),
				      (long)(pause % 1000 * 1000000)};
		nanosleep(&t, NULL);
	}
}

/* Read the file of a key, which only the user may be allowed to read. */
static int read_key(struct buf *out, const char *file, struct err *e)
{
	struct stat st;

	if (stat(file, &st) == 0 && S_ISREG(st.st_mode) && (st.st_mode & 077))
		return err_set(e, ERR_USAGE,
			       "others may read the key in '%s': chmod 600 it",
			       file);
	return file_read_path(file, KEY_MAX, out, e) < 0 ? -1 : 0;
}

int endpoint_trouble(const struct endpoint *s, enum endpoint_trouble what,
		     const char *text, struct err *e)
{
	const char *at = s->address.p;

	switch (what) {
	case ENDPOINT_UNREACHED:
		return err_set(e, ERR_HELPER, "cannot reach '%s': %s", at,
			       text);
	case ENDPOINT_UNTRUSTED:
		return err_set(e, ERR_HELPER, "cannot trust '%s': %s", at,
			       text);
	case ENDPOINT_LATE:
		return err_set(e, ERR_HELPER, "'%s' did not answer in time",
			       at);
	case ENDPOINT_FLOODS:
		return err_set(e, ERR_HELPER,
			       "'%s' answered with more than %zu bytes", at,
			       ENDPOINT_ANSWER_MAX);
	case ENDPOINT_CUT_OFF:
		break;
	}
	return err_set(e, ERR_HELPER, "the answer of '%s' was cut off: %s", at,
		       text);
}

/* Append the key from the environment variable ENV or the file FILE. */
static int add_key(struct buf *out, const char *env, const char *file,
		   struct err *e)
{
	const char *what = *file ? "file" : "variable";
	const char *name = *file ? file : env, *p;
	struct buf key = {0};
	size_t len;
	int r = 0;

	if (*file)
		r = read_key(&key, file, e);
	else if (*env && getenv(env))
		buf_adds(&key, getenv(env));
	p = buf_str(&key);
	len = key.len;
	if (*file)
		utf8_strip(&p, &len);
	if (r == 0 && *name && !len)
		r = err_set(e, ERR_USAGE, "the %s '%s' has no key", what, name);
	else if (r == 0 && (memchr(p, '\0', len) || memchr(p, '\n', len) ||
			    memchr(p, '\r', len)))
		r = err_set(e, ERR_USAGE,
			    "the key in '%s' has more than one line", name);
	if (r == 0)
		buf_add(out, p, len);
	buf_release(&key);
	return r;
}

static void add_header(struct endpoint *s, size_t i, const char *name,
		       const char *value)
{
	struct buf line = {0};

	buf_addf(&line, "%s %s", name, value);
	s->headers[i] = buf_take(&line);
}

int endpoint_open(struct endpoint *s, const struct endpoint_address *p,
		  struct err *e)
{
	size_t n = 0;

	if (make_address(&s->address, p->url, p->path, e) < 0 ||
	    add_key(&s->key, p->key_env, p->key_file, e) < 0)
		return -1;
	if (s->key.len && !endpoint_is_here(s) &&
	    strncasecmp(s->address.p, "https:", 6))
		return err_set(e, ERR_USAGE,
			       "no key goes to another machine by http: use "
			       "https");
	add_header(s, n++, "Content-Type:", "application/json");
	if (p->anthropic)
		add_header(s, n++, "anthropic-version:", "2023-06-01");
	if (s->key.len && p->anthropic)
		add_header(s, n++, "x-api-key:", s->key.p);
	else if (s->key.len)
		add_header(s, n++, "Authorization: Bearer", s->key.p);
	return 0;
}

void endpoint_close(struct endpoint *s)
{
	for (size_t i = 0; i < ARRAY_LEN(s->headers); i++) {
		free(s->headers[i]);
		s->headers[i] = NULL;
	}
	buf_release(&s->address);
	buf_release(&s->key);
}

bool endpoint_is_here(const struct endpoint *s)
{
	const char *host = host_start(s->address.p);

	return is_loopback(host, strcspn(host, "/"));
}

void endpoint_show(struct buf *out, const struct endpoint *s,
		   const struct buf *body)
{
	buf_addf(out, "POST %s\n", s->address.p);
	for (size_t i = 0; s->headers[i]; i++) {
		const char *line = s->headers[i];
		const size_t hide =
			s->key.len && strlen(line) > s->key.len &&
					!strcmp(line + strlen(line) -
							s->key.len,
						s->key.p)
				? s->key.len
				: 0;

		buf_add(out, line, strlen(line) - hide);
		buf_addf(out, "%s\n", hide ? "***" : "");
	}
	buf_addc(out, '\n');
	buf_add(out, body->p, body->len);
	buf_addc(out, '\n');
}

int endpoint_check(const struct endpoint *s, struct err *e)
{
	const struct buf nothing = {0};
	struct buf answer = {0};
	int64_t pause = 0;
	const int64_t left = s->until - instant_monotonic_ms();
	const long status = s->post(s->ctx, &nothing, left, &answer, &pause, e);
	int r = status < 0 ? -1 : 0;

	/* A server may have a model without listing it. */
	if (status >= 500 || status == 401 || status == 403)
		r = endpoint_fail(s, status, &answer, e);
	buf_release(&answer);
	return r;
}
