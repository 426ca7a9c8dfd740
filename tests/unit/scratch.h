#ifndef SCRATCH_H
#define SCRATCH_H
/*
 * scratch - a folder of its own for a unit test, with a state folder in it.
 * Needs _GNU_SOURCE before the first include, for nftw(3).
 */

#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch[PATH_MAX];

/* The path of a name in it; good until the next but three. */
static inline const char *
in_scratch(const char *name)
{
	static char path[4][PATH_MAX + 64];
	static unsigned turn;
	char *p = path[turn++ % 4];

	snprintf(p, sizeof(path[0]), "%s/%s", scratch, name);
	return p;
}

/* Make it, and let SOPHIA_HOME be its "home". */
static inline void
scratch_open(void)
{
	const char *tmp = getenv("TMPDIR");

	umask(077);
	snprintf(scratch, sizeof(scratch), "%s/sophia-unit.XXXXXX",
	    tmp ? tmp : "/tmp");
	if (!mkdtemp(scratch)) {
		perror("mkdtemp");
		exit(1);
	}
	setenv("SOPHIA_HOME", in_scratch("home"), 1);
}

/* Move the test clock so many ms ahead; it is in the scratch folder. */
static inline void
put_clock(long ahead_ms)
{
	FILE *out = fopen(in_scratch("clock"), "w");

	if (out) {
		fprintf(out, "%ld\n", ahead_ms);
		fclose(out);
	}
	setenv("SOPHIA_CLOCK", in_scratch("clock"), 1);
}

static inline int
scratch_remove(const char *path, const struct stat *st, int type,
    struct FTW *walk)
{
	(void)st;
	(void)type;
	(void)walk;
	return remove(path);
}

static inline void
scratch_close(void)
{
	nftw(scratch, scratch_remove, 16, FTW_DEPTH | FTW_PHYS);
}

#endif
