#ifndef GUILD_ANSWERS_H
#define GUILD_ANSWERS_H
/*
 * answers - the tools of sophia-guild, each as tool/serve wants it. share/tools
 * says what each takes and gives; ctx is a struct live, which is closed between
 * two calls.
 */

struct answer_parts;
struct call;
struct err;

int guild_context(void *ctx, const struct call *call, struct answer_parts *a,
    struct err *e);
int guild_roles(void *ctx, const struct call *call, struct answer_parts *a,
    struct err *e);
int guild_role(void *ctx, const struct call *call, struct answer_parts *a,
    struct err *e);
int guild_members(void *ctx, const struct call *call, struct answer_parts *a,
    struct err *e);
int guild_member(void *ctx, const struct call *call, struct answer_parts *a,
    struct err *e);
int guild_threads(void *ctx, const struct call *call, struct answer_parts *a,
    struct err *e);
int guild_thread(void *ctx, const struct call *call, struct answer_parts *a,
    struct err *e);
int guild_poll(void *ctx, const struct call *call, struct answer_parts *a,
    struct err *e);
int guild_verify(void *ctx, const struct call *call, struct answer_parts *a,
    struct err *e);

#endif
