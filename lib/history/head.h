#ifndef HISTORY_HEAD_H
#define HISTORY_HEAD_H
/* head - look at a file before it is read: where an export's head is, and
 * whether it is the file that we know. Both leave its position as it was. */

struct archive;
struct err;
struct mark;
struct stat;

/*
 * Read the head of an export in which it comes after the messages. ERR_INPUT if
 * there is none, or the file can't be read twice.
 */
int head_find(struct archive *a, int fd, struct err *e);

/* Fill what tells a file from another: size, time, and its first 64 KiB. */
int head_mark(struct mark *m, int fd, const struct stat *st, struct err *e);

#endif
