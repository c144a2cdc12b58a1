/* co-model-http: request a reply or vectors from a model server. */
#include "base/compat.h"
#include "base/instant.h"
#include "cli/cli.h"
#include "model/chat.h"

#include <curl/curl.h>

static const char *url, *model = "", *key_env = "", *key_file = "";
static const char *api = "chat", *protocol = "openai";
static size_t dimension, timeout_ms = 120000;
static bool stream, dry_run, check;

static const struct opt opts[] = {
	{OPT_WORD, 0, "api", &api, "API", "chat|embeddings",
	 "ask for a reply (the default), or for vectors"},
	FLAG(0, "check", &check,
	     "ask for nothing: see whether the server answers"),
	{OPT_COUNT, 0, "dimension", &dimension, "N", NULL,
	 "ask for vectors of N numbers"},
	FLAG(0, "dry-run", &dry_run,
	     "print the request, without the key, and send nothing"),
	{OPT_STR, 0, "key-env", &key_env, "NAME", NULL,
	 "read the server's key from this environment variable"},
	{OPT_STR, 0, "key-file", &key_file, "FILE", NULL,
	 "read the server's key from this file"},
	{OPT_STR, 0, "model", &model, "MODEL", NULL, "set the model"},
	{OPT_WORD, 0, "protocol", &protocol, "PROTOCOL", CHAT_APIS,
	 "set the protocol of the server; default: openai"},
	FLAG(0, "stream", &stream, "print the reply while it is made"),
	{OPT_COUNT, 0, "timeout-ms", &timeout_ms, "N", NULL,
	 "stop after N milliseconds; default: 120000"},
	{OPT_STR, 0, "url", &url, "URL", NULL, "set the address of the server"},
	{.kind = OPT_END},
};

static const struct cmd cmd = {
	.name = "co-model-http",
	.summary = "send a request to a model server",
	.synopsis = "--url=URL [--api=chat|embeddings] "
		    "[--protocol=openai|anthropic] [--model=MODEL] "
		    "[--key-env=NAME|--key-file=FILE] [--dimension=N] "
		    "[--timeout-ms=N] [--stream] [--dry-run|--check]",
	.input = "a prompt; for vectors, JSON objects with a text, one a line",
	.opts = opts,
};

static CURL *curl;
static char why[CURL_ERROR_SIZE];
static struct endpoint server;
static struct chat chat;
static struct buf *into;  /* receives the response */
static struct err failed; /* error in the response */

static size_t receive_bytes(char *p, size_t size, size_t n, void *ctx)
{
	long status = 0;

	(void)ctx;
	if (into->len + size * n > ENDPOINT_ANSWER_MAX)
		return 0;
	buf_add(into, p, size * n);
	curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
	if (stream && status == 200 && chat_step(&chat, into, &failed) < 0)
		n = 0;
	cli_flush();
	return size * n;
}

static void open_curl(void)
{
	struct curl_slist *headers = NULL;

	curl_global_init(CURL_GLOBAL_DEFAULT);
	curl = curl_easy_init();
	if (!curl)
		mem_none();
	for (char **line = server.headers; *line; line++)
		headers = curl_slist_append(headers, *line);
	curl_easy_setopt(curl, CURLOPT_URL, server.address.p);
	curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, why);
#if LIBCURL_VERSION_NUM >= 0x075500
	curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
#else
	curl_easy_setopt(curl, CURLOPT_PROTOCOLS,
			 (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
	/* A redirect could send the texts and the key to anyone. */
	curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(curl, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
	curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	if (endpoint_is_here(&server))
		curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
	curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, 3000L);
	curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
	curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receive_bytes);
}

/* Return what the libcurl code R means. */
static enum endpoint_trouble trouble_of(CURLcode r)
{
	switch (r) {
	case CURLE_COULDNT_CONNECT:
	case CURLE_COULDNT_RESOLVE_HOST:
		return ENDPOINT_UNREACHED;
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CONNECT_ERROR:
		return ENDPOINT_UNTRUSTED;
	case CURLE_OPERATION_TIMEDOUT:
		return ENDPOINT_LATE;
	default:
		return r == CURLE_WRITE_ERROR ? ENDPOINT_FLOODS
					      : ENDPOINT_CUT_OFF;
	}
}

static long post_request(void *ctx, const struct buf *body, int64_t left,
			 struct buf *answer, int64_t *pause, struct err *e)
{
	curl_off_t asked = 0;
	long status = 0;
	CURLcode r;

	(void)ctx;
	into = answer;
	curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)left);
	curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, (long)body->len);
	if (body->len)
		curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body->p);
	r = curl_easy_perform(curl);
	if (failed.code)
		return *e = failed, -1;
	/* For this code, why holds only the elapsed time. */
	if (r == CURLE_COULDNT_CONNECT || !*why)
		snprintf(why, sizeof(why), "%s", curl_easy_strerror(r));
	if (r != CURLE_OK)
		return endpoint_trouble(&server, trouble_of(r), why, e);
	curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
	curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &asked);
	*pause = asked < 3600 ? asked * 1000 : 3600000;
	return status;
}

/* For --dry-run: print the first request and end the process. */
static long print_request(void *ctx, const struct buf *body, int64_t left,
			  struct buf *answer, int64_t *pause, struct err *e)
{
	(void)ctx, (void)left, (void)pause, (void)e;
	endpoint_show(answer, &server, body);
	cli_out_text(answer->p, answer->len);
	exit(cli_finish(0));
}

/* Request a reply or vectors, and print them. */
static int ask_and_print(struct err *e)
{
	struct endpoint_vectors vectors = {&server, model, dimension, false, 0};

	if (*api == 'e')
		return endpoint_vectors(&vectors, 0, cli_out, e);
	if (chat_ask(&chat, &server, 0, e) < 0)
		return -1;
	if (!stream)
		cli_out_text(chat.reply.p, chat.reply.len);
	cli_outs(chat.reply.p[chat.reply.len - 1] == '\n' ? "" : "\n");
	return 0;
}

int main(int argc, char **argv)
{
	const char *path = ENDPOINT_VECTORS;
	struct endpoint_address place;
	struct err e;
	int n;

	cli_start(&cmd, argc, argv, &n);
	if (!url)
		cli_usage("--url is needed");
	chat = chat_new(protocol, model);
	chat.give = stream ? cli_out_text : NULL;
	if (check || *api == 'c')
		path = check ? "/models" : chat_path(chat.api);
	place = (struct endpoint_address){url, path, key_env, key_file,
					  chat.api == CHAT_ANTHROPIC};
	compat_no_dump();
	if (endpoint_open(&server, &place, &e) < 0)
		cli_die(&e);
	server.post = dry_run ? print_request : post_request;
	server.until = instant_monotonic_ms() + (int64_t)timeout_ms;
	open_curl();
	if ((check ? endpoint_check(&server, &e) : ask_and_print(&e)) < 0)
		cli_die(&e);
	endpoint_close(&server);
	return cli_finish(0);
}
