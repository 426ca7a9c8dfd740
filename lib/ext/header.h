#ifndef EXT_HEADER_H
#define EXT_HEADER_H
/*
 * header - one line of an HTTP reply's head.
 *
 * Cut "Name: value" in two, the name in lower case, without the space around
 * the value. False if it is no header, or so long that it is none of those that
 * anybody here wants, or holds a NUL.
 */

#include <stdbool.h>
#include <stddef.h>

enum { HEADER_NAME = 64, HEADER_VALUE = 512 };

bool header_split(const char *line, size_t len, char name[HEADER_NAME],
    char value[HEADER_VALUE]);

#endif
