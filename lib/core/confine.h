#ifndef CORE_CONFINE_H
#define CORE_CONFINE_H
/*
 * confine - give up, for good, what a calculation on a stranger's behalf does
 * not need: opening any file or socket, dumping core, more than so much memory
 * and time. What is open stays open. Past its time a process is killed by
 * SIGXCPU; past its memory, allocation fails.
 */

#include <stddef.h>

struct err;

int confine(unsigned cpu_s, size_t memory_bytes, struct err *e);

#endif
