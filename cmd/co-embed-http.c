/* co-embed-http: ask a server for the vectors of texts. */
#include "base/compat.h"
#include "base/instant.h"
#include "cli/cli.h"
#include "embed/http-protocol.h"

#include <curl/curl.h>

#define INPUT_MAX ((size_t)1024 * 1024)
#define ANSWER_MAX ((size_t)16 * 1024 * 1024)
#define CONNECT_MS 3000

static const char *url, *model = "", *key_env = "";
static size_t dimension, timeout_ms = 10000;

static const struct opt opts[] = {
	{OPT_COUNT, 0, "dimension", &dimension, "N", NULL,
	 "ask for vectors of N numbers"},
	{OPT_STR, 0, "key-env", &key_env, "NAME", NULL,
	 "the environment variable that holds the server's key"},
	{OPT_STR, 0, "model", &model, "MODEL", NULL, "the model to ask for"},
	{OPT_COUNT, 0, "timeout-ms", &timeout_ms, "N", NULL,
	 "give up after N milliseconds (default 10000)"},
	{OPT_STR, 0, "url", &url, "URL", NULL, "where the server is"},
	{.kind = OPT_END},
};

static const char *const synopsis[] = {
	"--url=URL [--model=MODEL] [--key-env=NAME] [--dimension=N]",
	"[--timeout-ms=N]", NULL};

static const struct cmd cmd = {
	.name = "co-embed-http",
	.summary = "ask a server for the vectors of texts",
	.synopsis = synopsis,
	.input = "JSON objects with a text, one a line",
	.opts = opts,
};

struct server {
	CURL *curl;
	const char *key;
	struct curl_slist *headers;
	struct buf address, *answer;
};

static size_t take(char *p, size_t size, size_t n, void *ctx)
{
	struct server *s = ctx;

	if (s->answer->len + size * n > ANSWER_MAX)
		return 0;
	buf_add(s->answer, p, size * n);
	return size * n;
}

/* The key goes from the environment into a header, and nowhere else. */
static void add_key(struct server *s, bool safe)
{
	struct buf line = {0};

	s->key = *key_env ? getenv(key_env) : "";
	if (!s->key || (*key_env && !*s->key))
		cli_usage("the variable '%s' holds no key", key_env);
	if (!*s->key)
		return;
	if (!safe)
		cli_usage("no key goes to another machine by http: use https");
	if (s->key[strcspn(s->key, "\r\n")])
		cli_usage("the key in '%s' has more than one line", key_env);
	compat_no_dump();
	buf_addf(&line, "Authorization: Bearer %s", s->key);
	s->headers = curl_slist_append(s->headers, line.p);
	buf_release(&line);
}

static void open_server(struct server *s)
{
	struct err e;
	bool loopback;

	if (http_url(&s->address, url, &loopback, &e) < 0)
		cli_die(&e);
	curl_global_init(CURL_GLOBAL_DEFAULT);
	s->curl = curl_easy_init();
	if (!s->curl)
		mem_none();
	s->headers = curl_slist_append(NULL, "Content-Type: application/json");
	add_key(s,
		loopback || s->address.p[4] == 's' || s->address.p[4] == 'S');
	curl_easy_setopt(s->curl, CURLOPT_URL, s->address.p);
#if LIBCURL_VERSION_NUM >= 0x075500
	curl_easy_setopt(s->curl, CURLOPT_PROTOCOLS_STR, "http,https");
#else
	curl_easy_setopt(s->curl, CURLOPT_PROTOCOLS,
			 (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
	/* A redirect could take the texts, and the key, to anybody. */
	curl_easy_setopt(s->curl, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(s->curl, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
	curl_easy_setopt(s->curl, CURLOPT_NOSIGNAL, 1L);
	if (loopback)
		curl_easy_setopt(s->curl, CURLOPT_NOPROXY, "*");
	curl_easy_setopt(s->curl, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
	curl_easy_setopt(s->curl, CURLOPT_HTTPHEADER, s->headers);
	curl_easy_setopt(s->curl, CURLOPT_WRITEFUNCTION, take);
	curl_easy_setopt(s->curl, CURLOPT_WRITEDATA, s);
}

static void close_server(struct server *s)
{
	curl_easy_cleanup(s->curl);
	curl_slist_free_all(s->headers);
	curl_global_cleanup();
	buf_release(&s->address);
}

/* See embed/http-protocol.h. */
static long post(void *ctx, const struct buf *body, int64_t left,
		 struct buf *answer, int64_t *pause, struct err *e)
{
	struct server *s = ctx;
	curl_off_t asked = 0;
	long status = 0;
	CURLcode r;

	s->answer = answer;
	curl_easy_setopt(s->curl, CURLOPT_TIMEOUT_MS, (long)left);
	curl_easy_setopt(s->curl, CURLOPT_POSTFIELDSIZE, (long)body->len);
	curl_easy_setopt(s->curl, CURLOPT_POSTFIELDS, body->p);
	r = curl_easy_perform(s->curl);
	if (r == CURLE_WRITE_ERROR)
		return err_set(e, ERR_HELPER,
			       "'%s' answered with more than %zu bytes",
			       s->address.p, ANSWER_MAX);
	if (r != CURLE_OK)
		return err_set(e, ERR_HELPER, "cannot reach '%s': %s",
			       s->address.p, curl_easy_strerror(r));
	curl_easy_getinfo(s->curl, CURLINFO_RESPONSE_CODE, &status);
	curl_easy_getinfo(s->curl, CURLINFO_RETRY_AFTER, &asked);
	*pause = asked < 3600 ? asked * 1000 : 3600000;
	return status;
}

/* Answer each line of standard input. */
static void answer(struct http *ask)
{
	struct lines in = {.fd = 0, .path = "-", .max = INPUT_MAX};
	struct value texts[HTTP_BATCH];
	struct buf out = {0};
	struct arena a = {0};
	struct err e;
	size_t n;
	int r;

	while ((r = http_read(&in, texts, &n, &a, &e)) > 0) {
		buf_cut(&out, 0);
		if (http_ask(ask, texts, n, &out, &e) < 0)
			cli_die(&e);
		cli_out(out.p, out.len);
		arena_reset(&a);
	}
	if (r < 0)
		cli_die(&e);
	lines_release(&in);
	buf_release(&out);
	arena_release(&a);
}

int main(int argc, char **argv)
{
	struct server server = {0};
	struct http ask = {.post = post, .ctx = &server};
	int n;

	cli_start(&cmd, argc, argv, &n);
	if (!url)
		cli_usage("--url is needed");
	open_server(&server);
	ask.model = model;
	ask.dimension = dimension;
	ask.key = server.key;
	ask.until = instant_monotonic_ms() + (int64_t)timeout_ms;
	answer(&ask);
	close_server(&server);
	return cli_finish(0);
}
