#ifndef WORKSPACE_FOLDER_H
#define WORKSPACE_FOLDER_H
/*
 * folder - files of a folder of the host's, for who runs code by hand: into a
 * bundle, and what a run changed back out.
 *
 * Errors   ERR_INPUT for what can't go in: a link, a device, a path that won't
 *          do; ERR_REFUSED for too much; ERR_CONFIG and ERR_IO of the disk.
 */

#include <stdbool.h>
#include <stddef.h>

#include "core/id.h"
#include "workspace/bundle.h"

struct harvest;

/* All files of the folder and below. */
int folder_read(struct bundle *b, const char *path, struct err *e);

/*
 * Begin to put the changed files there: each is written beside its place, and
 * nothing that was there has changed until folder_commit(), which renames them
 * one after another, and removes those of `gone` (or NULL) that are gone.
 * Folders that a path leads through are made at once, and stay.
 */
struct folder_change {
	int fd; /* private: the folder */
	const struct bundle *files;
	size_t written;
	char id[ID_LEN + 1];
};

int folder_write(struct folder_change *f, const char *path,
    const struct bundle *files, struct err *e);
int folder_commit(struct folder_change *f, const struct harvest *gone,
    struct err *e);

/* Take back what was not committed. Harmless on {0}, or twice. */
void folder_release(struct folder_change *f);

/* Are they the same one? */
bool folder_same(const char *a, const char *b);

#endif
