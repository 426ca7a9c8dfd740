#ifndef TAP_H
#define TAP_H
/*
 * tap - the test protocol of a C unit test, in as little as it takes.
 * A test program calls ok() or same() for each claim and ends with
 * `return tap_done();`. The name of a claim is a sentence about behaviour.
 */

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int tap_count, tap_failed;

static inline bool
tap_ok(bool good, const char *file, int line, const char *name)
{
	tap_count++;
	printf("%sok %d - %s\n", good ? "" : "not ", tap_count, name);
	if (!good) {
		tap_failed++;
		printf("# at %s:%d\n", file, line);
	}
	return good;
}

static inline bool
tap_same(const char *got, const char *want, const char *file, int line,
    const char *name)
{
	bool good = got && want ? strcmp(got, want) == 0 : got == want;

	if (!tap_ok(good, file, line, name))
		printf("# got:  %s\n# want: %s\n", got ? got : "(null)",
		    want ? want : "(null)");
	return good;
}

static inline void
tap_skip(const char *why)
{
	printf("ok %d # SKIP %s\n", ++tap_count, why);
}

static inline int
tap_done(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed ? 1 : 0;
}

#define ok(good, name) tap_ok(good, __FILE__, __LINE__, name)
#define same(got, want, name) tap_same(got, want, __FILE__, __LINE__, name)

#endif
