/* fetch.c: libcurl sends one request at a time and is told not to follow
 * redirects. The target of a redirect is checked like the original URL.
 *
 * With a proxy, which only the user configures, the socket is that of the
 * proxy, and the proxy decides where a name may lead; a numeric address is
 * still checked here.
 *
 * Without libcurl this file is empty, and co-fetch is not built.
 */
#if __has_include(<curl/curl.h>)
#include "fetch/fetch.h"

#include "base/ascii.h"
#include "base/instant.h"
#include "fetch/address.h"
#include "fetch/robots.h"
#include "format/json-write.h"
#include "text/media-type.h"

#include <netdb.h>
#include <strings.h>

#include <curl/curl.h>

#define URL_MAX 8192
#define HEADERS_MAX ((size_t)64 * 1024)
#define FIELD_MAX 1024 /* longest header value */
#define CONNECT_MS 10000
#define SLOW_BYTES 100 /* fewer bytes per second, for */
#define SLOW_SECONDS 10

struct request {
	struct fetch *f;
	CURL *curl;
	struct curl_slist *lines;
	char why[CURL_ERROR_SIZE];
	int64_t until;
	size_t max;
	bool cut; /* truncate at MAX without an error */

	struct buf *into;
	size_t headers;
	bool flooded;
	const char *refused; /* why an address was rejected */
	char address[64];    /* that address */
	char type[FIELD_MAX], etag[FIELD_MAX], modified[FIELD_MAX];
};

static curl_socket_t open_socket(void *ctx, curlsocktype purpose,
				 struct curl_sockaddr *a)
{
	struct request *q = ctx;
	const char *what = NULL;

	(void)purpose;
	if (!q->f->allow_private && !q->f->proxy)
		what = address_not_public(&a->addr);
	if (!what)
		return socket(a->family, a->socktype, a->protocol);
	q->refused = what;
	if (getnameinfo(&a->addr, a->addrlen, q->address, sizeof(q->address),
			NULL, 0, NI_NUMERICHOST) != 0)
		*q->address = '\0';
	return CURL_SOCKET_BAD;
}

static size_t receive_body(char *p, size_t size, size_t n, void *ctx)
{
	struct request *q = ctx;
	const size_t len = size * n, room = q->max - q->into->len;

	buf_add(q->into, p, len < room ? len : room);
	q->flooded = len > room;
	return q->flooded ? 0 : len;
}

/* Copy the value of LINE to TO if it is the header NAME and not too long. */
static void copy_header_value(char to[FIELD_MAX], const char *name,
			      const char *line, size_t len)
{
	const size_t n = strlen(name);

	if (len <= n || line[n] != ':' || strncasecmp(line, name, n) != 0)
		return;
	line += n + 1;
	len -= n + 1;
	while (len && strchr(" \t\r\n", line[len - 1]))
		len--;
	while (len && strchr(" \t", *line)) {
		line++;
		len--;
	}
	if (len >= FIELD_MAX || memchr(line, '\0', len))
		return;
	memcpy(to, line, len);
	to[len] = '\0';
}

static size_t receive_header(char *p, size_t size, size_t n, void *ctx)
{
	struct request *q = ctx;
	const size_t len = size * n;

	q->headers += len;
	if (q->headers > HEADERS_MAX) {
		q->flooded = true;
		return 0;
	}
	/* A new answer, as 200 after 103. */
	if (len > 5 && !memcmp(p, "HTTP/", 5))
		*q->type = *q->etag = *q->modified = '\0';
	copy_header_value(q->type, "content-type", p, len);
	copy_header_value(q->etag, "etag", p, len);
	copy_header_value(q->modified, "last-modified", p, len);
	return len;
}

static void set_options(struct request *q)
{
	const struct fetch *f = q->f;

	curl_easy_setopt(q->curl, CURLOPT_ERRORBUFFER, q->why);
#if LIBCURL_VERSION_NUM >= 0x075500
	curl_easy_setopt(q->curl, CURLOPT_PROTOCOLS_STR, "http,https");
#else
	curl_easy_setopt(q->curl, CURLOPT_PROTOCOLS,
			 (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
	curl_easy_setopt(q->curl, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(q->curl, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
	curl_easy_setopt(q->curl, CURLOPT_PROXY, f->proxy ? f->proxy : "");
	curl_easy_setopt(q->curl, CURLOPT_NOPROXY, "");
	curl_easy_setopt(q->curl, CURLOPT_SSL_VERIFYPEER, 1L);
	curl_easy_setopt(q->curl, CURLOPT_SSL_VERIFYHOST, 2L);
	curl_easy_setopt(q->curl, CURLOPT_SSLVERSION,
			 (long)CURL_SSLVERSION_TLSv1_2);
	curl_easy_setopt(q->curl, CURLOPT_ACCEPT_ENCODING, "");
	curl_easy_setopt(q->curl, CURLOPT_USERAGENT,
			 ROBOTS_NAME "/" CO_VERSION);
	curl_easy_setopt(q->curl, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
	curl_easy_setopt(q->curl, CURLOPT_LOW_SPEED_LIMIT, (long)SLOW_BYTES);
	curl_easy_setopt(q->curl, CURLOPT_LOW_SPEED_TIME, (long)SLOW_SECONDS);
	curl_easy_setopt(q->curl, CURLOPT_OPENSOCKETFUNCTION, open_socket);
	curl_easy_setopt(q->curl, CURLOPT_OPENSOCKETDATA, q);
	curl_easy_setopt(q->curl, CURLOPT_WRITEFUNCTION, receive_body);
	curl_easy_setopt(q->curl, CURLOPT_WRITEDATA, q);
	curl_easy_setopt(q->curl, CURLOPT_HEADERFUNCTION, receive_header);
	curl_easy_setopt(q->curl, CURLOPT_HEADERDATA, q);
}

/* Return a part of the URL U, "" if it has none, in A. */
static const char *url_part(CURLU *u, CURLUPart which, unsigned flags,
			    struct arena *a)
{
	char *text = NULL;
	const char *copy = "";

	if (curl_url_get(u, which, &text, flags) == CURLUE_OK && text)
		copy = arena_strdup(a, text);
	curl_free(text);
	return copy;
}

/* Return true if U has that part, even an empty one. */
static bool has_part(CURLU *u, CURLUPart which)
{
	char *text = NULL;
	const bool there = curl_url_get(u, which, &text, 0) == CURLUE_OK;

	curl_free(text);
	return there;
}

/* Return why HOST is not public if it is a numeric address, else NULL. */
static const char *check_numeric_host(const char *host, struct arena *a)
{
	const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST,
				       .ai_socktype = SOCK_STREAM};
	struct addrinfo *found = NULL;
	const char *what = NULL;

	if (*host == '[')
		host = arena_copy(a, host + 1, strcspn(host + 1, "%]"));
	if (getaddrinfo(host, NULL, &hints, &found) == 0)
		what = address_not_public(found->ai_addr);
	if (found)
		freeaddrinfo(found);
	return what;
}

struct url {
	const char *whole, *scheme, *host, *origin, *path; /* with the query */
};

/* Parse URL into U, in F's arena. Returns 0, or -1 if it must not be
 * fetched. */
static int parse_url(struct fetch *f, const char *url, struct url *u,
		     struct err *e)
{
	const int shown = (int)strcspn(url, "\r\n");
	struct arena *a = &f->arena;
	CURLU *handle = curl_url();
	const char *query, *port, *why_numeric;
	CURLUcode r;
	int result = -1;

	if (!handle)
		mem_none();
	r = strlen(url) > URL_MAX ? CURLUE_MALFORMED_INPUT
				  : curl_url_set(handle, CURLUPART_URL, url,
						 CURLU_NON_SUPPORT_SCHEME);
	if (r != CURLUE_OK) {
		err_set(e, ERR_USAGE,
			"'%.*s' is no URL: http://... or https://...", shown,
			url);
		goto out;
	}
	u->scheme = url_part(handle, CURLUPART_SCHEME, 0, a);
	u->host = url_part(handle, CURLUPART_HOST, 0, a);
	if (strcmp(u->scheme, "http") != 0 && strcmp(u->scheme, "https") != 0) {
		err_set(e, ERR_DATA, "'%.*s' is neither http nor https", shown,
			url);
		goto out;
	}
	if (has_part(handle, CURLUPART_USER) ||
	    has_part(handle, CURLUPART_PASSWORD)) {
		err_set(e, ERR_DATA,
			"the URL at '%s' has a name or a password: co "
			"does not send these",
			u->host);
		goto out;
	}
	why_numeric = f->allow_private ? NULL : check_numeric_host(u->host, a);
	if (why_numeric) {
		err_set(e, ERR_DATA,
			"'%.*s' is not public: %s is %s; --allow-private "
			"allows it",
			shown, url, u->host, why_numeric);
		goto out;
	}
	curl_url_set(handle, CURLUPART_FRAGMENT, NULL, 0);
	u->whole = url_part(handle, CURLUPART_URL, 0, a);
	port = url_part(handle, CURLUPART_PORT, CURLU_DEFAULT_PORT, a);
	query = url_part(handle, CURLUPART_QUERY, 0, a);
	u->origin = arena_printf(a, "%s://%s:%s", u->scheme, u->host, port);
	u->path = arena_printf(a, "%s%s%s",
			       url_part(handle, CURLUPART_PATH, 0, a),
			       *query ? "?" : "", query);
	result = 0;
out:
	curl_url_cleanup(handle);
	return result;
}

/* Set E for the failure R of libcurl. Returns -1. */
static int set_failure(const struct request *q, CURLcode r, const struct url *u,
		       struct err *e)
{
	const char *why = *q->why ? q->why : curl_easy_strerror(r);

	if (q->refused)
		return err_set(e, ERR_DATA,
			       "'%s' is not public: it leads to %s, "
			       "which is %s",
			       u->whole, q->address, q->refused);
	if (q->flooded && q->headers > HEADERS_MAX)
		return err_set(e, ERR_SYSTEM,
			       "'%s' has headers of more than %zu bytes",
			       u->whole, HEADERS_MAX);
	if (q->flooded || r == CURLE_FILESIZE_EXCEEDED)
		return err_set(e, ERR_SYSTEM, "'%s' is larger than %zu bytes",
			       u->whole, q->max);
	switch (r) {
	case CURLE_OPERATION_TIMEDOUT:
		return err_set(e, ERR_SYSTEM, "'%s' is too slow: %s", u->whole,
			       why);
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_SSL_CIPHER:
	case CURLE_SSL_CERTPROBLEM:
	case CURLE_SSL_CACERT_BADFILE:
	case CURLE_SSL_ISSUER_ERROR:
	case CURLE_SSL_INVALIDCERTSTATUS:
		return err_set(e, ERR_SYSTEM, "'%s' is not to be trusted: %s",
			       u->whole, why);
	default:
		return err_set(e, ERR_HELPER, "cannot fetch '%s': %s", u->whole,
			       why);
	}
}

/* Request U. Returns the status and sets *NEXT to the target of a redirect, or
 * NULL; or returns -1. */
static long send_request(struct request *q, const struct url *u,
			 const char **next, struct err *e)
{
	const int64_t left = q->until - instant_monotonic_ms();
	char *to = NULL;
	long status = 0;
	CURLcode r;

	buf_cut(q->into, 0);
	q->headers = 0;
	q->flooded = false;
	q->refused = NULL;
	*q->type = *q->etag = *q->modified = *q->why = '\0';
	if (left <= 0)
		return set_failure(q, CURLE_OPERATION_TIMEDOUT, u, e);
	curl_easy_setopt(q->curl, CURLOPT_URL, u->whole);
	curl_easy_setopt(q->curl, CURLOPT_TIMEOUT_MS, (long)left);
	curl_easy_setopt(q->curl, CURLOPT_MAXFILESIZE_LARGE,
			 q->cut ? (curl_off_t)0 : (curl_off_t)q->max);
	r = curl_easy_perform(q->curl);
	if (r != CURLE_OK && !(q->cut && q->flooded && q->into->len == q->max))
		return set_failure(q, r, u, e);
	curl_easy_getinfo(q->curl, CURLINFO_RESPONSE_CODE, &status);
	curl_easy_getinfo(q->curl, CURLINFO_REDIRECT_URL, &to);
	*next = to ? arena_strdup(&q->f->arena, to) : NULL;
	return status;
}

static int check_robots(struct request *q, const struct url *u, struct err *e);

/* Request URL and follow redirects to the end. Returns the last status, or -1.
 * U is the last URL. */
static long follow_redirects(struct request *q, const char *url, bool robots,
			     struct url *u, struct err *e)
{
	struct url from = {0};
	const char *next = NULL;
	long status;

	for (int i = 0;; i++) {
		if (parse_url(q->f, url, u, e) < 0) {
			/* A bad redirect is not an error of the command line. */
			if (i && e->code == ERR_USAGE)
				e->code = ERR_DATA;
			return -1;
		}
		if (i && !strcmp(from.scheme, "https") &&
		    strcmp(u->scheme, "https") != 0)
			return err_set(e, ERR_DATA,
				       "'%s' leads from https to http",
				       from.whole);
		if (robots && check_robots(q, u, e) < 0)
			return -1;
		status = send_request(q, u, &next, e);
		if (status < 300 || status > 399 || !next)
			return status;
		if (i == FETCH_REDIRECTS)
			return err_set(e, ERR_SYSTEM,
				       "'%s' leads on more than %d times",
				       q->f->url, FETCH_REDIRECTS);
		if (q->into == &q->f->body)
			q->f->redirects[q->f->nredirects++] = next;
		url = next;
		from = *u;
	}
}

/* Fetch the robots.txt of the site of U into TEXT. RFC 9309: an absent one
 * allows everything, an unreachable one forbids everything. Returns 0 or -1. */
static int fetch_robots(struct request *q, const struct url *u,
			struct buf *text, struct err *e)
{
	const struct request was = *q;
	struct url last;
	struct err why;
	long status;

	q->into = text;
	q->max = ROBOTS_MAX;
	q->cut = true;
	status = follow_redirects(
		q, arena_printf(&q->f->arena, "%s/robots.txt", u->origin),
		false, &last, &why);
	q->into = was.into;
	q->max = was.max;
	q->cut = was.cut;
	if (status < 0)
		return err_set(e, why.code == ERR_SYSTEM ? ERR_DATA : why.code,
			       "cannot tell whether '%s' may be read by "
			       "programs: %s",
			       u->whole, why.text);
	if (status >= 500 || status == 429)
		return err_set(e, ERR_DATA,
			       "'%s' lets no program read it now: its "
			       "robots.txt has status %ld",
			       u->whole, status);
	if (status < 200 || status > 299)
		buf_cut(text, 0);
	return 0;
}

static int check_robots(struct request *q, const struct url *u, struct err *e)
{
	struct buf text = {0};
	int r = 0;

	if (!robots_cache_get(u->origin, &text)) {
		r = fetch_robots(q, u, &text, e);
		if (!r)
			robots_cache_put(u->origin, &text);
	}
	if (!r && !robots_allow(buf_str(&text), text.len, u->path))
		r = err_set(e, ERR_DATA,
			    "'%s' is not for programs, says its robots.txt",
			    u->whole);
	buf_release(&text);
	return r;
}

static const char *copy_or_null(struct fetch *f, const char *text)
{
	return *text ? arena_strdup(&f->arena, text) : NULL;
}

static void record_answer(struct request *q, const struct url *u)
{
	struct fetch *f = q->f;
	const size_t len = strcspn(q->type, "; \t");
	char *type;

	f->final = u->whole;
	f->charset = media_type_charset(q->type, &f->arena);
	f->now_etag = copy_or_null(f, q->etag);
	f->now_modified = copy_or_null(f, q->modified);
	if (len) {
		type = arena_copy(&f->arena, q->type, len);
		for (char *p = type; *p; p++)
			*p = ascii_is_upper(*p) ? (char)(*p | 32) : *p;
		f->type = type;
	}
	sha256_of(buf_str(&f->body), f->body.len, f->sha256);
}

/* Return 0 if the status of F is a success, else -1 with E set. */
static int check_status(struct fetch *f, struct err *e)
{
	switch (f->status) {
	case 304:
		return err_set(e, ERR_NO, "'%s' is not modified", f->final);
	case 404:
	case 410:
		return err_set(e, ERR_NO, "'%s' is not there: status %ld",
			       f->final, f->status);
	default:
		if (f->status >= 200 && f->status <= 299)
			return 0;
		return err_set(e, ERR_HELPER,
			       "the server answers for '%s' with status %ld",
			       f->final, f->status);
	}
}

static void add_request_header(struct request *q, const char *name,
			       const char *value)
{
	char *line;

	if (!value)
		return;
	line = arena_printf(&q->f->arena, "%s: %s", name, value);
	q->lines = curl_slist_append(q->lines, line);
}

int fetch_get(struct fetch *f, struct err *e)
{
	struct request q = {.f = f, .into = &f->body, .max = f->bytes};
	struct url u = {0};
	long status;

	curl_global_init(CURL_GLOBAL_DEFAULT);
	q.curl = curl_easy_init();
	if (!q.curl)
		mem_none();
	q.until = instant_monotonic_ms() + (int64_t)f->seconds * 1000;
	set_options(&q);
	add_request_header(&q, "If-None-Match", f->etag);
	add_request_header(&q, "If-Modified-Since", f->modified);
	curl_easy_setopt(q.curl, CURLOPT_HTTPHEADER, q.lines);
	status = follow_redirects(&q, f->url, f->robots, &u, e);
	if (status >= 0) {
		f->status = status;
		record_answer(&q, &u);
	}
	curl_easy_cleanup(q.curl);
	curl_slist_free_all(q.lines);
	curl_global_cleanup();
	return status < 0 ? -1 : check_status(f, e);
}

void fetch_release(struct fetch *f)
{
	buf_release(&f->body);
	arena_release(&f->arena);
}

void fetch_add_json(struct buf *out, const struct fetch *f)
{
	char now[INSTANT_TEXT];

	json_write_open(out, NULL, '{');
	json_write_text(out, "url", f->url);
	json_write_text(out, "final", f->final);
	json_write_int(out, "status", f->status);
	json_write_given(out, "type", f->type);
	json_write_given(out, "charset", f->charset);
	json_write_size(out, "bytes", f->body.len);
	json_write_text(out, "sha256", f->sha256);
	json_write_given(out, "etag", f->now_etag);
	json_write_given(out, "last_modified", f->now_modified);
	json_write_text(out, "fetched", instant_format(instant_now(), now));
	json_write_texts(out, "redirects", f->redirects, f->nredirects);
	json_write_end(out);
}
#endif
