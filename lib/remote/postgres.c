/* postgres.c: libpq without blocking. All results are binary.
 *
 * An error of the server has a code of five characters, the SQLSTATE, whose classes
 * become kinds. libpq gives no code for a failed connection, but writes it into the
 * message if it is asked to be verbose.
 */
#if __has_include(<libpq-fe.h>)
#include "remote/postgres.h"

#include "base/instant.h"
#include "base/mem.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>

#include <libpq-fe.h>

#define STATE 5			       /* characters of an SQLSTATE */
#define YEAR_2000 ((int64_t)946684800) /* PostgreSQL's epoch, in seconds */

const char *const postgres_kind_names[] = {
	[POSTGRES_INTERNAL] = "internal",
	[POSTGRES_UNREACHABLE] = "unreachable",
	[POSTGRES_REFUSED] = "refused",
	[POSTGRES_SCHEMA] = "schema",
	[POSTGRES_TIMEOUT] = "timeout",
	[POSTGRES_LIMIT] = "limit",
	[POSTGRES_INVALID] = "invalid",
	[POSTGRES_CONFLICT] = "conflict",
};

int postgres_fail(struct postgres *pg, enum postgres_kind kind, struct err *e,
		  const char *fmt, ...)
{
	struct buf text = {0};
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	pg->kind = kind;
	err_set(e, kind == POSTGRES_CONFLICT ? ERR_BUSY : ERR_HELPER, "%s",
		buf_str(&text));
	buf_release(&text);
	return -1;
}

/* Return the kind of an error with the SQLSTATE S. */
static enum postgres_kind kind_of(const char *s)
{
	static const struct {
		const char *begin;
		enum postgres_kind kind;
	} kinds[] = {
		{"08", POSTGRES_UNREACHABLE}, {"22", POSTGRES_INVALID},
		{"23", POSTGRES_CONFLICT},    {"28", POSTGRES_REFUSED},
		{"3D", POSTGRES_REFUSED},     {"3F", POSTGRES_SCHEMA},
		{"40", POSTGRES_CONFLICT},    {"42501", POSTGRES_REFUSED},
		{"42", POSTGRES_SCHEMA},      {"53", POSTGRES_UNREACHABLE},
		{"54", POSTGRES_LIMIT},	      {"55P03", POSTGRES_TIMEOUT},
		{"57014", POSTGRES_TIMEOUT},  {"57P", POSTGRES_UNREACHABLE},
	};

	for (size_t i = 0; s && i < ARRAY_LEN(kinds); i++) {
		if (!strncmp(s, kinds[i].begin, strlen(kinds[i].begin)))
			return kinds[i].kind;
	}
	return POSTGRES_INTERNAL;
}

/* Set E to the first line of MESSAGE. */
static int fail_with(struct postgres *pg, enum postgres_kind kind,
		     const char *message, struct err *e)
{
	return postgres_fail(pg, kind, e, "%.*s", (int)strcspn(message, "\n"),
			     message);
}

/* Return the SQLSTATE in the message of a failed connection: "...FATAL: 28P01: ...",
 * or NULL if the server did not answer. */
static const char *state_in(const char *message)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	const char *p = message;

	while ((p = strstr(p, ":  "))) {
		p += strlen(":  ");
		if (strspn(p, digits) == STATE && p[STATE] == ':')
			return p;
	}
	return NULL;
}

static int fail_to_connect(struct postgres *pg, struct err *e)
{
	const char *message = PQerrorMessage(pg->conn);
	const char *state = state_in(message);

	const enum postgres_kind kind = state ? kind_of(state)
					: PQconnectionNeedsPassword(pg->conn)
						? POSTGRES_REFUSED
						: POSTGRES_UNREACHABLE;

	return fail_with(pg, kind, message, e);
}

static int fail_late(struct postgres *pg, struct err *e)
{
	return postgres_fail(pg, POSTGRES_TIMEOUT, e,
			     "the server did not answer in time");
}

/* Wait until the socket of PG is ready for EVENTS. */
static int wait_for(struct postgres *pg, short events, struct err *e)
{
	struct pollfd ready = {PQsocket(pg->conn), events, 0};
	int64_t left;
	int r;

	do {
		left = pg->until - instant_monotonic_ms();
		if (left <= 0)
			return fail_late(pg, e);
		r = poll(&ready, 1, left > INT32_MAX ? INT32_MAX : (int)left);
	} while (r == 0 || (r < 0 && errno == EINTR));
	return r < 0 ? err_sys(e, "cannot wait for the server") : 0;
}

static bool is_loopback(const char *host, size_t len)
{
	static const char *const names[] = {"", "localhost", "::1"};
	struct in_addr v4;
	char text[INET_ADDRSTRLEN];

	if (len && (*host == '/' || *host == '@'))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (strlen(names[i]) == len && !strncmp(names[i], host, len))
			return true;
	}
	if (len >= sizeof(text))
		return false;
	memcpy(text, host, len);
	text[len] = '\0';
	return inet_pton(AF_INET, text, &v4) == 1 &&
	       ntohl(v4.s_addr) >> 24 == IN_LOOPBACKNET;
}

/* Return true if all hosts of LIST, separated by commas, are this machine. */
static bool are_loopback(const char *list)
{
	size_t len;

	for (;; list += len + 1) {
		len = strcspn(list, ",");
		if (!is_loopback(list, len))
			return false;
		if (!list[len])
			return true;
	}
}

/* Check the words of URL. Set *LOCAL if they name a server on this machine. Without a
 * host it may be anywhere: libpq reads a service file, or PGHOST. */
static int check_url(struct postgres *pg, const char *url, bool *local,
		     struct err *e)
{
	PQconninfoOption *options, *o;
	const char *host = NULL, *address = NULL;
	bool fault = false;
	char *message = NULL;

	options = PQconninfoParse(url, &message);
	if (!options) {
		/* The message of libpq may quote a password. */
		PQfreemem(message);
		return postgres_fail(pg, POSTGRES_INVALID, e,
				     "CO_REMOTE_URL is not an address of a "
				     "PostgreSQL server");
	}
	for (o = options; o->keyword; o++) {
		if (!o->val)
			continue;
		fault |= strstr(o->keyword, "password") != NULL;
		if (!strcmp(o->keyword, "host"))
			host = o->val;
		if (!strcmp(o->keyword, "hostaddr"))
			address = o->val;
	}
	*local = (host || address) && (!host || are_loopback(host)) &&
		 (!address || are_loopback(address));
	if (fault)
		postgres_fail(pg, POSTGRES_INVALID, e,
			      "CO_REMOTE_URL has a password: use a password "
			      "file, a certificate or Kerberos");
	PQconninfoFree(options);
	return fault ? -1 : 0;
}

static int connect_server(struct postgres *pg, struct err *e)
{
	PostgresPollingStatusType next = PGRES_POLLING_WRITING;

	while (next == PGRES_POLLING_READING || next == PGRES_POLLING_WRITING) {
		if (wait_for(pg,
			     next == PGRES_POLLING_READING ? POLLIN : POLLOUT,
			     e) < 0)
			return -1;
		next = PQconnectPoll(pg->conn);
	}
	return next == PGRES_POLLING_OK ? 0 : fail_to_connect(pg, e);
}

/* Drop a notice. It may have any bytes, and libpq would print it. */
static void drop_notice(void *ctx, const char *message)
{
	(void)ctx;
	(void)message;
}

int postgres_open(struct postgres *pg, const char *url, int64_t ms,
		  struct err *e)
{
	const char *words[] = {"dbname", "client_encoding",
			       "fallback_application_name", "sslmode", NULL};
	const char *values[] = {url, "UTF8", "co", "verify-full", NULL};
	bool local = false;

	*pg = (struct postgres){.until = instant_monotonic_ms() + ms};
	if (check_url(pg, url, &local, e) < 0)
		return -1;
	if (local)
		words[3] = NULL;
	pg->conn = PQconnectStartParams(words, values, 1);
	if (!pg->conn)
		mem_none();
	PQsetNoticeProcessor(pg->conn, drop_notice, NULL);
	PQsetErrorVerbosity(pg->conn, PQERRORS_VERBOSE);
	if (PQstatus(pg->conn) == CONNECTION_BAD)
		return fail_to_connect(pg, e);
	if (connect_server(pg, e) < 0)
		return -1;
	PQsetErrorVerbosity(pg->conn, PQERRORS_TERSE);
	if (PQsetnonblocking(pg->conn, 1) < 0 || !PQenterPipelineMode(pg->conn))
		return fail_to_connect(pg, e);
	return 0;
}

void postgres_close(struct postgres *pg)
{
	PQfinish(pg->conn);
	pg->conn = NULL;
}

const char *postgres_version(const struct postgres *pg)
{
	const char *version = PQparameterStatus(pg->conn, "server_version");

	return version ? version : "";
}

const char *postgres_role(const struct postgres *pg)
{
	return PQuser(pg->conn);
}

static int add_arg(struct postgres_args *args, unsigned type, const void *p,
		   size_t len)
{
	const int i = args->n++;

	args->types[i] = type;
	args->values[i] = p;
	args->lengths[i] = (int)len;
	args->formats[i] = type != POSTGRES_TEXT;
	return i;
}

void postgres_arg_text(struct postgres_args *args, const char *text)
{
	add_arg(args, POSTGRES_TEXT, text, 0);
}

void postgres_arg_bytes(struct postgres_args *args, const void *p, size_t len)
{
	add_arg(args, POSTGRES_BYTES, p, len);
}

void postgres_arg_number(struct postgres_args *args, int64_t n)
{
	const int i = args->n;

	snprintf(args->numbers[i], sizeof(args->numbers[i]), "%lld",
		 (long long)n);
	add_arg(args, POSTGRES_NUMBER, args->numbers[i], 0);
	args->formats[i] = 0;
}

/* Put N at P as four bytes, the highest first. */
static void put_four(char *p, uint32_t n)
{
	const uint32_t swapped = htonl(n);

	memcpy(p, &swapped, sizeof(swapped));
}

static void add_four(struct buf *out, uint32_t n)
{
	char bytes[4];

	put_four(bytes, n);
	buf_add(out, bytes, sizeof(bytes));
}

#define ARRAY_HEAD 20 /* dimensions, nulls, type, items, first index */

void postgres_array_clear(struct postgres_array *a)
{
	static const char head[ARRAY_HEAD];

	buf_cut(&a->bytes, 0);
	buf_add(&a->bytes, head, sizeof(head));
	a->n = 0;
}

void postgres_array_add(struct postgres_array *a, const void *p, size_t len)
{
	if (!a->bytes.len)
		postgres_array_clear(a);
	add_four(&a->bytes, (uint32_t)len);
	buf_add(&a->bytes, p, len);
	a->n++;
}

void postgres_array_add_number(struct postgres_array *a, uint32_t n)
{
	char bytes[4];

	put_four(bytes, n);
	postgres_array_add(a, bytes, sizeof(bytes));
}

void postgres_array_release(struct postgres_array *a)
{
	buf_release(&a->bytes);
	a->n = 0;
}

/* Return the type of arrays of TYPE, as PostgreSQL numbers it. */
static unsigned array_type(enum postgres_type type)
{
	return type == POSTGRES_BYTES  ? 1001
	       : type == POSTGRES_TEXT ? 1009
				       : 1007;
}

void postgres_arg_array(struct postgres_args *args, struct postgres_array *a,
			enum postgres_type type)
{
	if (!a->bytes.len)
		postgres_array_clear(a);
	put_four(a->bytes.p, a->n ? 1 : 0);
	put_four(a->bytes.p + 8, (uint32_t)type);
	put_four(a->bytes.p + 12, (uint32_t)a->n);
	put_four(a->bytes.p + 16, 1);
	add_arg(args, array_type(type), a->bytes.p,
		a->n ? a->bytes.len : ARRAY_HEAD - 8);
}

/* Return -1 with the error of the connection, which is lost. */
static int fail_in_use(struct postgres *pg, struct err *e)
{
	return fail_with(pg, POSTGRES_UNREACHABLE, PQerrorMessage(pg->conn), e);
}

int postgres_send(struct postgres *pg, const char *sql,
		  const struct postgres_args *args, struct err *e)
{
	static const struct postgres_args none;

	if (!args)
		args = &none;
	if (!PQsendQueryParams(pg->conn, sql, args->n, args->types,
			       args->values, args->lengths, args->formats, 1))
		return fail_in_use(pg, e);
	pg->sent++;
	return 0;
}

/* Wait until PQgetResult() returns at once. */
static int wait_for_result(struct postgres *pg, struct err *e)
{
	for (;;) {
		const int unsent = PQflush(pg->conn);

		if (unsent < 0)
			return fail_in_use(pg, e);
		if (!unsent && !PQisBusy(pg->conn))
			return 0;
		if (wait_for(pg, unsent ? POLLIN | POLLOUT : POLLIN, e) < 0)
			return -1;
		if (!PQconsumeInput(pg->conn))
			return fail_in_use(pg, e);
	}
}

/* Set *OUT to the next result of libpq, which may be NULL. */
static int next_result(struct postgres *pg, PGresult **out, struct err *e)
{
	if (wait_for_result(pg, e) < 0)
		return -1;
	*out = PQgetResult(pg->conn);
	return 0;
}

static int fail_statement(struct postgres *pg, const PGresult *r, struct err *e)
{
	const char *state = PQresultErrorField(r, PG_DIAG_SQLSTATE);
	const char *text = PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY);

	if (!state && PQstatus(pg->conn) == CONNECTION_BAD)
		return fail_in_use(pg, e);
	pg->no_schema = state && !strncmp(state, "3F", strlen("3F"));
	return fail_with(pg, kind_of(state),
			 text ? text : PQresultErrorMessage(r), e);
}

/* Read the end of the pipeline. */
static int end_pipeline(struct postgres *pg, struct err *e)
{
	PGresult *r;

	if (next_result(pg, &r, e) < 0)
		return -1;
	PQclear(r);
	pg->synced = false;
	return 0;
}

int postgres_result(struct postgres *pg, struct postgres_rows *rows,
		    struct err *e)
{
	ExecStatusType status;
	PGresult *r, *end;

	if (!pg->synced && !PQpipelineSync(pg->conn))
		return fail_in_use(pg, e);
	pg->synced = true;
	if (next_result(pg, &r, e) < 0)
		return -1;
	status = PQresultStatus(r);
	if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
		fail_statement(pg, r, e);
		PQclear(r);
		return -1;
	}
	pg->sent--;
	if (rows) {
		PQclear(rows->result);
		rows->result = r;
		rows->n = (size_t)PQntuples(r);
	} else {
		PQclear(r);
	}
	if (next_result(pg, &end, e) < 0)
		return -1;
	PQclear(end);
	return pg->sent ? 0 : end_pipeline(pg, e);
}

int postgres_run(struct postgres *pg, const char *sql,
		 const struct postgres_args *args, struct postgres_rows *rows,
		 struct err *e)
{
	if (postgres_send(pg, sql, args, e) < 0)
		return -1;
	return postgres_result(pg, rows, e);
}

int postgres_commit(struct postgres *pg, struct err *e)
{
	return postgres_run(pg, "COMMIT", NULL, NULL, e);
}

int postgres_script(struct postgres *pg, const char *sql, struct err *e)
{
	PGresult *r;
	int result = 0;

	PQexitPipelineMode(pg->conn);
	if (!PQsendQuery(pg->conn, sql))
		return fail_in_use(pg, e);
	do {
		if (next_result(pg, &r, e) < 0)
			return -1;
		if (r && !result && PQresultStatus(r) == PGRES_FATAL_ERROR)
			result = fail_statement(pg, r, e);
		PQclear(r);
	} while (r);
	PQenterPipelineMode(pg->conn);
	return result;
}

/* A hostile server may send fewer columns, for which libpq returns NULL. */
const char *postgres_bytes(const struct postgres_rows *rows, size_t row,
			   int column, size_t *len)
{
	const char *p = PQgetvalue(rows->result, (int)row, column);

	if (len)
		*len = p ? (size_t)PQgetlength(rows->result, (int)row, column)
			 : 0;
	return p ? p : "";
}

bool postgres_is_null(const struct postgres_rows *rows, size_t row, int column)
{
	return PQgetisnull(rows->result, (int)row, column);
}

int64_t postgres_number(const struct postgres_rows *rows, size_t row,
			int column)
{
	size_t len;
	const char *p = postgres_bytes(rows, row, column, &len);
	uint32_t n = 0;

	if (len == sizeof(n))
		memcpy(&n, p, sizeof(n));
	return (int32_t)ntohl(n);
}

const char *postgres_time(const struct postgres_rows *rows, size_t row,
			  int column, struct arena *a)
{
	char text[INSTANT_TEXT];
	uint32_t half[2];
	size_t len;
	const char *p = postgres_bytes(rows, row, column, &len);
	int64_t us; /* since 2000 */

	if (len != sizeof(half))
		return "";
	memcpy(half, p, sizeof(half));
	us = (int64_t)((uint64_t)ntohl(half[0]) << 32 | ntohl(half[1]));
	instant_format(
		(struct instant){us / 1000000 - (us % 1000000 < 0) + YEAR_2000,
				 0},
		text);
	return arena_strdup(a, text);
}

bool postgres_flag(const struct postgres_rows *rows, size_t row, int column)
{
	return *postgres_bytes(rows, row, column, NULL);
}

void postgres_rows_release(struct postgres_rows *rows)
{
	PQclear(rows->result);
	*rows = (struct postgres_rows){0};
}
#endif
