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

/* create_channel and create_category, which differ in their checks */
int create_channel_check(struct change *c, struct err *e);
int create_category_check(struct change *c, struct err *e);
int create_channel_act(struct change *c, struct err *e);
int create_channel_verify(struct change *c, struct err *e);

/* edit_channel */
int edit_channel_check(struct change *c, struct err *e);
int edit_channel_act(struct change *c, struct err *e);
int edit_channel_verify(struct change *c, struct err *e);

/* edit_channel_permissions */
int edit_channel_permissions_check(struct change *c, struct err *e);
int edit_channel_permissions_act(struct change *c, struct err *e);
int edit_channel_permissions_verify(struct change *c, struct err *e);

/* move_channel and move_category */
int move_channel_check(struct change *c, struct err *e);
int move_category_check(struct change *c, struct err *e);
int move_channel_act(struct change *c, struct err *e);
int move_channel_verify(struct change *c, struct err *e);

/* delete_channel */
int delete_channel_check(struct change *c, struct err *e);
int delete_channel_act(struct change *c, struct err *e);
int delete_channel_verify(struct change *c, struct err *e);

/* create_role */
int create_role_check(struct change *c, struct err *e);
int create_role_act(struct change *c, struct err *e);
int create_role_verify(struct change *c, struct err *e);

/* edit_role and edit_role_permissions, which are verified alike */
int edit_role_check(struct change *c, struct err *e);
int edit_role_act(struct change *c, struct err *e);
int edit_role_permissions_check(struct change *c, struct err *e);
int edit_role_permissions_act(struct change *c, struct err *e);
int edit_role_verify(struct change *c, struct err *e);

/* delete_role */
int delete_role_check(struct change *c, struct err *e);
int delete_role_act(struct change *c, struct err *e);
int delete_role_verify(struct change *c, struct err *e);

/* manage_member_roles */
int manage_roles_check(struct change *c, struct err *e);
int manage_roles_act(struct change *c, struct err *e);
int manage_roles_verify(struct change *c, struct err *e);

/* sandbox_publish */
int publish_check(struct change *c, struct err *e);
int publish_act(struct change *c, struct err *e);
int publish_verify(struct change *c, struct err *e);

#endif
