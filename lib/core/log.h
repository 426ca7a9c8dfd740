#ifndef CORE_LOG_H
#define CORE_LOG_H
/*
 * log - what a program tells the person who runs it, on stderr, a line each:
 * "sophia-NAME: text". Text may quote a stranger, so a control character
 * never reaches the terminal: it is printed as '?'.
 */

#include "core/err.h"

void log_name(const char *name); /* borrowed for the life of the program */

void log_complain(const struct err *e);
void log_warn(const char *fmt, ...) FORMAT(1, 2);

#endif
