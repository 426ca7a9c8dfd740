#ifndef STORE_STOP_H
#define STORE_STOP_H
/*
 * stop - tell a task from outside to stop, or what to do otherwise.
 *
 * These look the task up for `who`, and begin and commit themselves.
 * ERR_INPUT: there is no such task.
 */

struct buf;
struct context;
struct err;
struct store;

enum stopped {
	STOP_TOLD,      /* its runner will stop it, and tell whoever asked for
			   it, unless they stopped it themselves */
	STOP_CANCELLED, /* nobody ran it, and nobody will: not even who had
			   asked for it; that is told where it was asked */
	STOP_OVER,      /* it had ended before */
};

/* Add the record that tells whoever asked that the task was stopped. */
void stop_word(struct buf *b, const char *id);

int stop_task(struct store *s, const char *id, const struct context *who,
    struct err *e);

/* 1 if a runner will read it at once, 0 if whoever resumes the task will. */
int steer_task(struct store *s, const char *id, const char *text,
    const struct context *who, struct err *e);

#endif
