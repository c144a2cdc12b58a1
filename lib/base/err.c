/* err.c: see err.h. */
#include "base/err.h"

#include <errno.h>
#include <stdarg.h>

/* Return the largest length <= LEN that splits no UTF-8 character of TEXT. */
static size_t cut_at_character(const char *text, size_t len)
{
	while (len && ((unsigned char)text[len] & 0xC0) == 0x80)
		len--;
	return len;
}

/* Write the formatted text and, unless TAIL is "", ": TAIL" to E. */
static void format_text(struct err *e, const char *fmt, va_list ap,
			const char *tail)
{
	const size_t room = sizeof(e->text) - 4;
	size_t len;

	vsnprintf(e->text, sizeof(e->text), fmt, ap);
	len = strlen(e->text);
	if (*tail)
		len += (size_t)snprintf(e->text + len, sizeof(e->text) - len,
					": %s", tail);
	if (len <= room)
		return;
	memcpy(e->text + cut_at_character(e->text, room), "...", 4);
}

int err_set(struct err *e, enum err_code code, const char *fmt, ...)
{
	va_list ap;

	if (!e)
		return -1;
	va_start(ap, fmt);
	format_text(e, fmt, ap, "");
	va_end(ap);
	e->code = code;
	return -1;
}

int err_sys(struct err *e, const char *fmt, ...)
{
	const int number = errno;
	const char *reason = strerror(number);
	va_list ap;

	if (!e)
		return -1;
	va_start(ap, fmt);
	format_text(e, fmt, ap, reason);
	va_end(ap);
	e->code = ERR_SYSTEM;
	errno = number;
	return -1;
}

int err_take(struct err *e, const struct err *why)
{
	if (e)
		*e = *why;
	return -1;
}

void err_report(const struct report *r, const struct err *e)
{
	if (r && r->say)
		r->say(r->ctx, e);
}

void err_warn(const struct report *r, enum err_code code, const char *fmt, ...)
{
	struct err e = {.code = code};
	va_list ap;

	va_start(ap, fmt);
	format_text(&e, fmt, ap, "");
	va_end(ap);
	err_report(r, &e);
}
