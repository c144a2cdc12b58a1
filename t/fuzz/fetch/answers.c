/* answers.c: a URL in the first line, and any bytes as the answers of servers.
 * Each answer is headers, an empty line and a body, and ends with a NUL.
 *
 * Properties: requests use only http and https, at an address that may be
 * public, without a password, and never http after https; results keep their
 * limits; the metadata is a JSON object in one line.
 */
#if __has_include(<curl/curl.h>)
#include "../fuzz.h"

#include <curl/curl.h>

/* Replace the functions of libcurl that fetch.c calls for a request. */
#undef curl_easy_perform
#undef curl_easy_getinfo
#define curl_easy_perform(handle) play(q, u)
#define curl_easy_getinfo(handle, what, to) tell(what, to)
struct request;
struct url;
static CURLcode play(struct request *q, const struct url *u);
static void tell(CURLINFO what, void *to);

#include "fetch/fetch.c" /* NOLINT(bugprone-suspicious-include) */

#include "format/json-read.h"

#define CHUNK 5
#define ASKED_MOST ((FETCH_REDIRECTS + 1) * (FETCH_REDIRECTS + 2))

static struct {
	const char *p, *end; /* the answers that are left */
	long status;
	char location[FIELD_MAX];
	char *next; /* the next URL, or NULL */
	size_t asked;
} server;

/* Resolve the URL as libcurl does. */
static void resolve(const char *from)
{
	CURLU *u = curl_url();

	curl_free(server.next);
	server.next = NULL;
	if (*server.location &&
	    curl_url_set(u, CURLUPART_URL, from, 0) == CURLUE_OK &&
	    curl_url_set(u, CURLUPART_URL, server.location,
			 CURLU_NON_SUPPORT_SCHEME) == CURLUE_OK)
		curl_url_get(u, CURLUPART_URL, &server.next, 0);
	curl_url_cleanup(u);
}

static void tell(CURLINFO what, void *to)
{
	if (what == CURLINFO_RESPONSE_CODE)
		*(long *)to = server.status;
	else
		*(char **)to = server.next;
}

static void check_asked(const struct request *q, const struct url *u)
{
	const char *host = strstr(u->whole, "://") + 3;

	must(++server.asked <= ASKED_MOST, "the number of requests is limited");
	must(!strcmp(u->scheme, "http") || !strcmp(u->scheme, "https"),
	     "the scheme is http or https");
	must(!memchr(host, '@', strcspn(host, "/?#")), "no password is sent");
	must(!check_numeric_host(u->host, &q->f->arena),
	     "the address is not local");
	must(!strpbrk(u->whole, "\r\n "), "a URL has no blanks");
}

static CURLcode play(struct request *q, const struct url *u)
{
	const char *end =
		memchr(server.p, '\0', (size_t)(server.end - server.p));
	bool head = true;

	check_asked(q, u);
	end = end ? end : server.end;
	server.status = 0;
	*server.location = '\0';
	if (server.p == end)
		return CURLE_COULDNT_CONNECT;
	while (server.p < end) {
		const char *stop =
			memchr(server.p, '\n', (size_t)(end - server.p));
		size_t len = (size_t)((stop ? stop + 1 : end) - server.p);
		char *p = (char *)(uintptr_t)server.p;

		if (!head && len > CHUNK)
			len = CHUNK;
		server.p += len;
		if (head && (*p == '\n' || *p == '\r')) {
			head = false;
			continue;
		}
		if (head && len > 9 && !memcmp(p, "HTTP/1.1 ", 9))
			server.status = (long)(strtoul(p + 9, NULL, 10) % 1000);
		if (head)
			copy_header_value(server.location, "location", p, len);
		if ((head ? receive_header : receive_body)(p, 1, len, q) !=
		    len) {
			server.p = end + (end < server.end);
			return CURLE_WRITE_ERROR;
		}
	}
	server.p = end + (end < server.end);
	must(q->into->len <= q->max, "not more than the limit is read");
	resolve(u->whole);
	return CURLE_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const char *p = (const char *)data;
	struct fetch f = {.bytes = 100, .seconds = FETCH_SECONDS_MAX};
	struct arena a = {0};
	struct buf line = {0};
	struct value v;
	struct err e;
	size_t n;
	long status;

	if (!len)
		return 0;
	/* No directory can keep robots.txt. */
	setenv("XDG_CACHE_HOME", "/dev/null", 1);
	f.robots = *p & 1;
	p++;
	len--;
	f.url = fuzz_line(&p, &len, &n, &a);
	server.p = p;
	server.end = p + len;
	server.asked = 0;
	status = fetch_get(&f, &e);
	if (status < 0)
		must_be_error(&e);
	must(f.nredirects <= FETCH_REDIRECTS && f.body.len <= f.bytes,
	     "results keep their limits");
	if (f.status) {
		for (const char *c = f.type ? f.type : ""; *c; c++)
			must(*c != ';' && (*c < 'A' || *c > 'Z'),
			     "a type is in lower case without parameters");
		fetch_add_json(&line, &f);
		must(line.len && strchr(line.p, '\n') == line.p + line.len - 1,
		     "the metadata is one line");
		must(json_parse(line.p, line.len, &a, &v, &e) == 0,
		     "the metadata is an object");
	}
	curl_free(server.next);
	server.next = NULL;
	fetch_release(&f);
	buf_release(&line);
	arena_release(&a);
	return 0;
}
#else
#include "../fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	(void)data;
	(void)len;
	return 0;
}
#endif
