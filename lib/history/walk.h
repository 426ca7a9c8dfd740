#ifndef HISTORY_WALK_H
#define HISTORY_WALK_H
/*
 * walk - the archives in a folder and the folders below: *.json and *.ndjson,
 * by name. A file that is named itself is taken whatever its name; so is "-".
 * Symbolic links to folders are not followed; folders nest at most 32 deep;
 * pipes and devices in them are no archives. A folder that can't be read is
 * handed out itself, so that whoever tries to read it says so and goes on.
 */

struct err;

typedef int walk_fn(void *ctx, const char *path, struct err *e);

/*
 * Call each() on every archive in these files and folders, until it returns -1.
 * A folder without any is warned of.
 */
int walk(char *const paths[], int count, walk_fn *each, void *ctx,
    struct err *e);

#endif
