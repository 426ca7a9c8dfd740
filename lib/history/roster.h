#ifndef HISTORY_ROSTER_H
#define HISTORY_ROSTER_H
/*
 * roster - put what Discord's objects say of a guild's structure into the
 * index: the same for an event and for an answer to a request.
 *
 * Within the turn of an ingest, in->at_ms being when it was told.
 */

#include <stdint.h>

struct channel_facts;
struct err;
struct ingest;
struct json;

int roster_guild(struct ingest *in, const struct json *v, struct err *e);

/* The member `roles` of a guild object: those, and no others. */
int roster_roles(struct ingest *in, uint64_t guild, const struct json *v,
    struct err *e);

/* Lists of members, and of channels or threads; NULL is an empty one. */
int roster_members(struct ingest *in, uint64_t guild, const struct json *list,
    struct err *e);
int roster_channels(struct ingest *in, uint64_t guild, const struct json *list,
    struct err *e);

/* One of each. ERR_INPUT if a channel is none. */
int roster_channel(struct ingest *in, uint64_t guild, const struct json *v,
    struct channel_facts *c, struct err *e);

/* A channel or thread was deleted, and all that was in it with it. */
int roster_channel_gone(struct ingest *in, uint64_t id, struct err *e);

int roster_member(struct ingest *in, uint64_t guild, const struct json *v,
    struct err *e);

#endif
