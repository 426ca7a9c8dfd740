#ifndef HISTORY_INGEST_EVENT_H
#define HISTORY_INGEST_EVENT_H
/*
 * ingest_event - what each event of the gateway does, one function a name. For
 * history/ingest alone, which has the turn, and knows that the guild is wanted.
 *
 * Each is given the event's data and its guild. Errors as in history/ingest.
 */

#include <stdint.h>

struct err;
struct ingest;
struct json;

typedef int ingest_fn(struct ingest *in, uint64_t guild, const struct json *v,
    struct err *e);

ingest_fn ingest_message_create, ingest_message_update, ingest_message_delete,
    ingest_message_delete_bulk;
ingest_fn ingest_reaction_add, ingest_reaction_remove,
    ingest_reaction_remove_all, ingest_reaction_remove_emoji, ingest_vote_add,
    ingest_vote_remove;
ingest_fn ingest_guild_create, ingest_guild_update, ingest_guild_delete;
ingest_fn ingest_channel_create, ingest_channel_update, ingest_channel_delete;
ingest_fn ingest_thread_create, ingest_thread_update, ingest_thread_delete,
    ingest_thread_list_sync, ingest_thread_member_update,
    ingest_thread_members_update;
ingest_fn ingest_role_put, ingest_role_delete;
ingest_fn ingest_member_put, ingest_member_remove, ingest_members_chunk;
ingest_fn ingest_interaction;

#endif
