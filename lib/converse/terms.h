#ifndef CONVERSE_TERMS_H
#define CONVERSE_TERMS_H
/*
 * terms - the settings as they are now, for a program that runs for months.
 *
 * The file is read again when it changed. While it isn't valid, that is
 * complained of once, and nobody is let in: a mistake in it never opens a door.
 *
 * Memory   {0} is none yet. The settings are borrowed until the next call.
 */

#include <stdbool.h>
#include <sys/stat.h>

#include "store/settings.h"

struct terms {
	struct settings settings; /* private */
	struct stat seen;
	bool read;
	bool bad; /* it isn't valid; to be read */
};

const struct settings *terms_now(struct terms *t);
void terms_release(struct terms *t); /* harmless on {0}, or twice */

#endif
