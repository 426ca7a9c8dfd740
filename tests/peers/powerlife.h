#ifndef POWERLIFE_H
#define POWERLIFE_H
/*
 * powerlife - the lives of gateways that powercut cuts short: see there. They
 * end the program if something fails.
 */

#include <stdint.h>

struct event;

enum { LIFE_SEGMENT = 4096 }; /* bytes; small, so that there are many */

void life_work(const char *seen);
void life_tell(void);

/* What tells the contents of an event from others. */
uint64_t life_print(const struct event *x);

#endif
