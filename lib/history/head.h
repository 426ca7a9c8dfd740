#ifndef HISTORY_HEAD_H
#define HISTORY_HEAD_H
/* head - look at a file before it is read: where an export's head is, and
 * whether it is the file that we know. Both leave its position as it was. */

struct archive;
struct err;

/*
 * Read the head of an export in which it comes after the messages. ERR_INPUT if
 * there is none, or the file can't be read twice.
 */
int head_find(struct archive *a, int fd, struct err *e);

/* A fingerprint of the first 64 KiB, in hex. */
int head_print(char out[20], int fd, struct err *e);

#endif
