#ifndef CORE_BANNED_H
#define CORE_BANNED_H
/*
 * banned - functions that fail to compile here: they overflow, keep hidden
 * state, or read the clock behind core/clock's back. The idea is git's.
 * core/err.h includes it, and everything includes that.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BANNED(f) sorry_##f##_is_banned

#undef strcpy
#define strcpy(x, y) BANNED(strcpy)
#undef strcat
#define strcat(x, y) BANNED(strcat)
#undef strncpy
#define strncpy(x, y, n) BANNED(strncpy)
#undef strncat
#define strncat(x, y, n) BANNED(strncat)
#undef sprintf
#define sprintf(...) BANNED(sprintf)
#undef vsprintf
#define vsprintf(...) BANNED(vsprintf)
#undef strtok
#define strtok(x, y) BANNED(strtok)
#undef gmtime
#define gmtime(t) BANNED(gmtime)
#undef localtime
#define localtime(t) BANNED(localtime)
#undef atoi
#define atoi(s) BANNED(atoi)
#undef system
#define system(s) BANNED(system)
#undef mktemp
#define mktemp(s) BANNED(mktemp)

#endif
