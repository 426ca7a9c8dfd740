#ifndef WORKSPACE_BUNDLE_H
#define WORKSPACE_BUNDLE_H
/*
 * bundle - files of a workspace in memory: those that go into a container, and
 * those that come out of it.
 *
 * Paths    as core/path says. None twice, and none that leads through a file.
 * Limits   BUNDLE_FILES_MOST files of BUNDLE_BYTES_MOST bytes together.
 * Memory   {0} is empty. Paths and bytes are the bundle's.
 * Errors   ERR_INPUT for a path, ERR_REFUSED for too much; nothing was added.
 */

#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"
#include "core/err.h"

enum {
	BUNDLE_FILES_MOST = 100,
	BUNDLE_BYTES_MOST = 20 << 20,
};

struct bundle_file {
	char *path;
	struct buf bytes;
};

struct bundle {
	struct bundle_file files[BUNDLE_FILES_MOST];
	size_t count;
	uint64_t bytes; /* of those that were asked for, see bundle_add() */
};

/* A new file, empty, for which so many bytes are set aside; or NULL. */
struct bundle_file *bundle_add(struct bundle *b, const char *path, size_t len,
    uint64_t size, struct err *e);

/* The one of that path, or NULL. */
const struct bundle_file *bundle_find(const struct bundle *b, const char *path,
    size_t len);

/* By path, byte by byte. */
void bundle_sort(struct bundle *b);

void bundle_release(struct bundle *b); /* harmless on {0}, or twice */

#endif
