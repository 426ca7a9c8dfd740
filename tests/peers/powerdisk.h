#ifndef POWERDISK_H
#define POWERDISK_H
/*
 * powerdisk - what may be on a disk when its power is lost: built from a log of
 * powerloss, cut after any of its entries.
 *
 * What was synced is there. Of the rest the chance decides: nothing, all,
 * lengths without contents, or any of it, torn too. Names in a folder are kept
 * in the order in which they were changed, as journals keep them.
 */
#include <stddef.h>
#include <stdint.h>

enum disk_chance { DISK_NOTHING, DISK_ALL, DISK_ZEROS, DISK_ANY };

struct disk;

struct disk *disk_open(const char *log); /* NULL if it can't be read */
void disk_close(struct disk *d);
size_t disk_count(const struct disk *d);

/* Build in an empty folder what is there after the first n entries. */
void disk_build(struct disk *d, size_t n, enum disk_chance how, unsigned seed,
    const char *folder);

/* The bytes last written to this path in the first n entries, or NULL. */
const char *disk_written(const struct disk *d, size_t n, const char *path,
    size_t *len);

#endif
