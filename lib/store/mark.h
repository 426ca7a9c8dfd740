#ifndef STORE_MARK_H
#define STORE_MARK_H
/*
 * mark - how far an archive was read, in the table `import`.
 *
 * It is committed with the messages up to it, so that after a crash both agree.
 * Store functions (store/base): the caller holds the transaction.
 */

#include <stdbool.h>
#include <stdint.h>

struct db;
struct err;

struct mark {
	const char *path; /* canonical */
	int64_t size, mtime_ms;
	char head[20]; /* fingerprint of its first bytes */
	int64_t offset;
	bool done;
};

/* 1 and m's offset and done, if this very file was begun before; 0 if not. */
int mark_find(struct db *db, struct mark *m, struct err *e);
int mark_save(struct db *db, const struct mark *m, struct err *e);

#endif
