#ifndef GUILD_CHANGES_H
#define GUILD_CHANGES_H
/*
 * changes - the three functions of each change, for the table in changes.c. See
 * change for what they do; share/tools says what each takes.
 */

struct change;
struct err;

/* send_message */
int send_check(struct change *c, struct err *e);
int send_act(struct change *c, struct err *e);
int send_verify(struct change *c, struct err *e);

/* edit_message */
int edit_check(struct change *c, struct err *e);
int edit_act(struct change *c, struct err *e);
int edit_verify(struct change *c, struct err *e);

/* delete_messages, and clear_messages, which differs in its check */
int delete_check(struct change *c, struct err *e);
int clear_check(struct change *c, struct err *e);
int delete_act(struct change *c, struct err *e);
int delete_verify(struct change *c, struct err *e);

/* create_thread */
int thread_check(struct change *c, struct err *e);
int thread_act(struct change *c, struct err *e);
int thread_verify(struct change *c, struct err *e);

/* create_poll */
int poll_check(struct change *c, struct err *e);
int poll_act(struct change *c, struct err *e);
int poll_verify(struct change *c, struct err *e);

#endif
