/* base.h: the standard headers, macros and banned functions of every file.
 *
 * Every other header includes this one. Calling a function that cannot be used
 * safely (strcpy, sprintf, atoi, ...) is therefore a compile error everywhere.
 */
#ifndef CO_BASE_BASE_H
#define CO_BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

/* PRINTF(n, m): argument n is a printf format for the arguments from m on. */
#if defined(__GNUC__)
#define PRINTF(n, m) __attribute__((format(printf, n, m)))
#define NORETURN __attribute__((noreturn))
#else
#define PRINTF(n, m)
#define NORETURN
#endif

#undef strcpy
#undef strcat
#undef strncpy
#undef strncat
#undef sprintf
#undef vsprintf
#undef strtok
#undef atoi
#undef gets
#define BANNED(f) f##_is_banned_see_base_h
#define strcpy(d, s) BANNED(strcpy)
#define strcat(d, s) BANNED(strcat)
#define strncpy(d, s, n) BANNED(strncpy)
#define strncat(d, s, n) BANNED(strncat)
#define sprintf(...) BANNED(sprintf)
#define vsprintf(b, f, a) BANNED(vsprintf)
#define strtok(s, d) BANNED(strtok)
#define atoi(s) BANNED(atoi)
#define gets(s) BANNED(gets)

#endif
