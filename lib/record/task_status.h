#ifndef RECORD_TASK_STATUS_H
#define RECORD_TASK_STATUS_H
/*
 * task_status - the task of a turn, and how it stands: the record called
 * "task". Memory and errors as in record/any.
 */

struct buf;
struct err;
struct json;

struct task_status {
	const char *id; /* of the task */
	const char *turn;
	const char *state; /* a word of the task store */
	const char *objective;
};

int task_status_read(struct task_status *x, const struct json *root,
    struct err *e);
void task_status_write(struct buf *b, const struct task_status *x);

#endif
