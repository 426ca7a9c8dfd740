#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H
/*
 * progress - one line on the terminal that tells how far a long job is.
 *
 *	general.json  45%  1,230,000 messages  52,000/s  0:12 left
 *
 * It goes to stderr, only if that is a terminal, at most ten times a second,
 * and is gone when the job is done: it is for a person who waits.
 */

#include <stdbool.h>
#include <stdint.h>

struct progress_bar {
	bool on;
	int64_t start_ms, shown_ms; /* boot time */
};

void progress_start(struct progress_bar *p);

/*
 * count messages of what is called name so far; done of total bytes, or of
 * whatever tells how far it is. total is 0 where it is not known.
 */
void progress_show(struct progress_bar *p, const char *name, int64_t count,
    int64_t done, int64_t total);

void progress_end(struct progress_bar *p);

enum { PROGRESS_NUMBER = 32 };

/* "1,234,567" */
void progress_number(char out[PROGRESS_NUMBER], int64_t n);

#endif
