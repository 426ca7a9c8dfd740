#ifndef CORE_CLOCK_H
#define CORE_CLOCK_H
/*
 * clock - the only source of time.
 *
 * Units    milliseconds: clock_now_ms() since 1970-01-01 UTC, to be stored;
 *          clock_boot_ms() since boot, sleep included, for deadlines only.
 * Tests    A build with -DSOPHIA_TEST_CLOCK adds the milliseconds in the file
 *          that $SOPHIA_CLOCK names to both, read at every call, and then caps each
 *          wait at 20 ms, so that a test moves time instead of sleeping.
 */

#include <stddef.h>
#include <stdint.h>

int64_t clock_now_ms(void);
int64_t clock_boot_ms(void);

/* Milliseconds left until a boot-time deadline, for poll(2): 0 to INT_MAX. */
int clock_left_ms(int64_t deadline_ms);

/* Sleep about wait_ms; a signal may end it sooner. */
void clock_sleep_ms(int wait_ms);

enum { CLOCK_TEXT = 25 };

/* "2026-11-30T16:33:57.000Z"; years 0 to 9999. */
void clock_text(char out[CLOCK_TEXT], int64_t at_ms);

/*
 * Read an ISO 8601 time: date, or date and time with 0 to 9 digits of a second,
 * and Z or an offset; none means UTC. Returns 0, or -1 if text is none.
 */
int clock_parse(int64_t *at_ms, const char *text);

#endif
