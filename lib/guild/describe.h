#ifndef GUILD_DESCRIBE_H
#define GUILD_DESCRIBE_H
/*
 * describe - the parts of a guild as tools show them: Discord's objects in, JSON
 * for a model out, with names in place of numbers.
 */

#include <stdint.h>

struct buf;
struct err;
struct json;
struct live;

/* {"id", "name"} of an object with those two. */
void describe_named(struct buf *b, const char *key, const struct json *v);

/* {"id", "name", "kind", ...} of a channel or thread. */
void describe_channel(struct buf *b, const char *key, const struct live *l,
    const struct json *v);

/* ["VIEW_CHANNEL", ...] */
void describe_permissions(struct buf *b, const char *key, uint64_t bits);

/* {"id", "name", "color", ...} */
void describe_role(struct buf *b, const char *key, const struct json *role);

/* A member, with its roles by name. */
void describe_member(struct buf *b, const char *key, const struct live *l,
    const struct json *m);

/* A message of that channel, as a source. */
int describe_source(const struct live *l, const struct json *channel,
    const struct json *v, struct buf *to, struct err *e);

/* The name that people see a member by. */
const char *describe_member_name(const struct json *m);

/* The permissions in an object's decimal text. */
uint64_t describe_bits(const struct json *v, const char *key);

#endif
