#ifndef POWERLOSS_H
#define POWERLOSS_H
/* powerloss - the entries of its log, as powercut reads them. */

#include <stdint.h>

enum op {
	OP_CREATE = 1,
	OP_WRITE,
	OP_TRUNCATE,
	OP_SYNC,
	OP_SYNC_FOLDER,
	OP_RENAME,
	OP_UNLINK,
	OP_MKDIR,
};

struct entry {
	uint32_t op, a, b, pad; /* lengths of the two paths */
	uint64_t file;          /* inode */
	uint64_t at, len; /* of the bytes that follow; or at is a new length */
};

#endif
