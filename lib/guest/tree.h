#ifndef GUEST_TREE_H
#define GUEST_TREE_H
/*
 * tree - the files of the workspace: put there before code runs, told to the
 * host after it.
 *
 * A file is as it was if it is the same one (inode) and its status has not
 * changed since (ctime): a program can set back every other time. Links are
 * never followed; that something is there which is no file, is told, and it is
 * the host that refuses it.
 *
 * Memory   tree_release(). The paths are copies.
 * Errors   ERR_INPUT for a path that leads outside; ERR_IO.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "core/err.h"

struct tree_file {
	char *path;
	ino_t inode;
	struct timespec changed;
};

struct tree {
	int root; /* the folder */
	struct tree_file *files;
	size_t count, room;

	int open; /* private: the one being written */
	uint64_t left;
};

int tree_open(struct tree *t, const char *folder, struct err *e);

/* Begin a file of that size; then give its bytes. */
int tree_begin(struct tree *t, const char *path, uint64_t size, struct err *e);
int tree_write(struct tree *t, const char *bytes, size_t len, struct err *e);

/* No more will come: note how they are now. */
int tree_ready(struct tree *t, struct err *e);

/* Tell the host what there is: at most so many new or changed ones. */
int tree_tell(struct tree *t, uint64_t bytes, uint64_t files, struct err *e);

void tree_release(struct tree *t);

#endif
