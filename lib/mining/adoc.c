/* adoc.c: a heading begins with "=". A line "----" begins and ends code, and the line
 * before it names the language: "[source,sh]". */
#include "mining/adoc.h"

static const char source[] = "[source,";

/* Return the length of the line at P, without its end and the blanks before that. */
static size_t line_length(const char *p, const char *end)
{
	const char *stop = memchr(p, '\n', (size_t)(end - p));
	size_t n = (size_t)((stop ? stop : end) - p);

	while (n && strchr(" \t\r", p[n - 1]))
		n--;
	return n;
}

/* Return true if the line P, of N bytes, has only C, four times at least. */
static bool is_ruler(const char *p, size_t n, char c)
{
	for (size_t i = 0; i < n; i++) {
		if (p[i] != c)
			return false;
	}
	return n >= 4;
}

/* Write a blank line and "```sh" over the line P "[source,sh]", of N bytes, and the next
 * one, of NEXT bytes. */
static void begin_code(char *p, size_t n, size_t next)
{
	const char *language = p + strlen(source);
	size_t len = strcspn(language, ",]%\n");

	memmove(p + 4, language, len);
	memcpy(p, "\n```", 4);
	memset(p + 4 + len, ' ', n + 1 + next - 4 - len);
}

/* Change the line P, of N bytes, outside of code. */
static void change_line(char *p, size_t n)
{
	const size_t marks = strspn(p, "=");

	if (n > marks && marks && marks <= 6 && p[marks] == ' ')
		memset(p, '#', marks);
	else if (is_ruler(p, n, '=') ||
		 (n > 2 && p[0] == '[' && p[n - 1] == ']'))
		memset(p, ' ', n);
	else if (n > 2 && p[0] == '.' && p[1] == ' ')
		p[0] = '-';
}

void adoc_to_markdown(char *p, size_t len)
{
	const char *end = p + len;
	bool code = false;

	while (p < end) {
		const size_t n = line_length(p, end);
		char *stop = memchr(p, '\n', (size_t)(end - p));
		char *next = stop ? stop + 1 : p + (end - p);

		if (is_ruler(p, n, '-')) {
			memset(p, '`', n);
			code = !code;
		} else if (!code && n > strlen(source) &&
			   !memcmp(p, source, strlen(source)) && next < end &&
			   is_ruler(next, line_length(next, end), '-')) {
			/* Blanks may precede the end of the line. */
			const size_t dashes = line_length(next, end);

			begin_code(p, (size_t)(next - p) - 1, dashes);
			next += dashes;
			code = true;
		} else if (!code) {
			change_line(p, n);
		}
		p = next;
	}
}
