#include "history/ingest.h"

#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/err.h"
#include "core/hash.h"
#include "core/id.h"
#include "core/mem.h"
#include "discord/intents.h"
#include "discord/parts.h"
#include "ext/json.h"
#include "history/ingest_event.h"
#include "history/ingest_rights.h"
#include "record/event.h"
#include "store/base.h"
#include "store/meta.h"
#include "store/recheck.h"
#include "store/settings.h"

int
ingest_open(struct ingest *in, struct store *base, struct err *e)
{
	*in = (struct ingest){.base = base, .db = &base->db};
	in->roll.db = in->db;
	in->reader = json_reader_open();
	in->guilds = mem_array(INGEST_GUILDS, sizeof(*in->guilds));
	return messages_open(&in->messages, base, e);
}

void
ingest_close(struct ingest *in)
{
	messages_close(&in->messages);
	roll_release(&in->roll);
	community_release(&in->lists);
	message_release(&in->message);
	json_reader_close(in->reader);
	in->reader = NULL;
	free(in->guilds);
	in->guilds = NULL;
	in->guild_count = 0;
}

static int
read_guilds(struct ingest *in, struct err *e)
{
	struct settings settings;
	const char *text;

	in->guild_count = 0;
	if (settings_open(&settings, e) < 0)
		return -1;
	for (int i = 0; i < INGEST_GUILDS; i++) {
		text = settings_id(&settings, "discord.guilds", i);
		if (!text)
			break;
		if (snowflake_read(&in->guilds[in->guild_count], text) == 0)
			in->guild_count++;
	}
	settings_close(&settings);
	return 0;
}

static int64_t
print_guilds(const struct ingest *in)
{
	uint64_t print = HASH_START;

	for (size_t i = 0; i < in->guild_count; i++)
		print = hash_number(print, in->guilds[i]);
	return (int64_t)print;
}

/* Events of guilds that were disabled are passed over from now on. */
static int
end_unwanted(struct ingest *in, struct err *e)
{
	struct stmt s = {0};
	uint64_t guild, high, after = 0;
	int row, result = 0;

	do {
		stmt_start(&s, in->db,
		    "SELECT c.guild, coalesce((SELECT high FROM live"
		    "  WHERE shard = coalesce(g.shard, 0)), 0)"
		    " FROM channel c JOIN guild g ON g.id = c.guild"
		    " WHERE c.live_ms IS NOT NULL AND c.guild > ?1"
		    " ORDER BY c.guild LIMIT 1");
		stmt_int(&s, 1, (int64_t)after);
		row = stmt_next(&s, e);
		guild = row > 0 ? (uint64_t)row_int(&s, 0) : 0;
		high = row > 0 ? (uint64_t)row_int(&s, 1) : 0;
		stmt_reset(&s);
		if (row > 0 && !ingest_wants(in, guild))
			result = live_end_guild(in->db, guild, high, e);
		after = guild;
	} while (row > 0 && result == 0);
	stmt_end(&s);
	return row < 0 ? -1 : result;
}

/* What was said in guilds that were enabled since is not known yet. */
static int
check_guilds(struct ingest *in, struct err *e)
{
	int64_t now = print_guilds(in), before;

	if (meta_int(in->db, "guilds", 0, &before, e) < 0)
		return -1;
	if (now == before)
		return 0;
	if (end_unwanted(in, e) < 0 ||
	    meta_set_int(in->db, "guilds", now, e) < 0)
		return -1;
	return in->guild_count ? meta_raise(in->db, "sweep", clock_now_ms(), e)
			       : 0;
}

int
ingest_begin(struct ingest *in, struct err *e)
{
	int64_t bot;

	if (read_guilds(in, e) < 0 || messages_begin(&in->messages, e) < 0 ||
	    check_guilds(in, e) < 0 || meta_int(in->db, "bot", 0, &bot, e) < 0)
		return -1;
	in->bot = (uint64_t)bot;
	return 0;
}

int
ingest_guilds_changed(struct ingest *in, struct err *e)
{
	int64_t before;

	if (read_guilds(in, e) < 0 ||
	    meta_int(in->db, "guilds", 0, &before, e) < 0)
		return -1;
	return in->guild_count && before != print_guilds(in);
}

int
ingest_end(struct ingest *in, struct err *e)
{
	if (authors_flush(&in->messages.authors, in->db, e) < 0)
		return -1;
	return messages_end(&in->messages, e);
}

bool
ingest_wants(const struct ingest *in, uint64_t guild)
{
	for (size_t i = 0; i < in->guild_count; i++)
		if (in->guilds[i] == guild)
			return true;
	return false;
}

int
ingest_shard(struct ingest *in, int shard, struct err *e)
{
	return live_load(in->db, shard, &in->live, e);
}

/* What was missed should be fetched; until then it is not known. */
static int
miss(struct ingest *in, struct err *e)
{
	if (meta_raise(in->db, "sweep", in->at_ms, e) < 0 ||
	    roll_missed(&in->roll, in->live.shard, in->bot, in->at_ms, e) < 0)
		return -1;
	return live_end_shard(in->db, &in->live, e);
}

/* A new session: nobody tells what happened since the last one. */
static int
take_ready(struct ingest *in, const struct json *v, struct err *e)
{
	uint64_t bot = parts_id(json_get(v, "user"), "id", NULL);
	int64_t flags = json_int(json_get(v, "application"), "flags", 0);
	bool members = intents_offered(flags) & INTENT_GUILD_MEMBERS;

	if (!bot)
		return err_set(e, ERR_INPUT, "READY names no user");
	in->bot = bot;
	if (meta_set_int(in->db, "bot", (int64_t)bot, e) < 0 ||
	    meta_set_int(in->db, "members", members, e) < 0)
		return -1;
	return miss(in, e) < 0 ? -1 : 1;
}

static const struct handler {
	const char *name;
	ingest_fn *take;
	const char *guild; /* the field with its id, where it isn't guild_id */
} handlers[] = {
    {"MESSAGE_CREATE", ingest_message_create, NULL},
    {"MESSAGE_UPDATE", ingest_message_update, NULL},
    {"MESSAGE_DELETE", ingest_message_delete, NULL},
    {"MESSAGE_DELETE_BULK", ingest_message_delete_bulk, NULL},
    {"MESSAGE_REACTION_ADD", ingest_reaction_add, NULL},
    {"MESSAGE_REACTION_REMOVE", ingest_reaction_remove, NULL},
    {"MESSAGE_REACTION_REMOVE_ALL", ingest_reaction_remove_all, NULL},
    {"MESSAGE_REACTION_REMOVE_EMOJI", ingest_reaction_remove_emoji, NULL},
    {"MESSAGE_POLL_VOTE_ADD", ingest_vote_add, NULL},
    {"MESSAGE_POLL_VOTE_REMOVE", ingest_vote_remove, NULL},
    {"GUILD_CREATE", ingest_guild_create, "id"},
    {"GUILD_UPDATE", ingest_guild_update, "id"},
    {"GUILD_DELETE", ingest_guild_delete, "id"},
    {"CHANNEL_CREATE", ingest_channel_create, NULL},
    {"CHANNEL_UPDATE", ingest_channel_update, NULL},
    {"CHANNEL_DELETE", ingest_channel_delete, NULL},
    {"THREAD_CREATE", ingest_thread_create, NULL},
    {"THREAD_UPDATE", ingest_thread_update, NULL},
    {"THREAD_DELETE", ingest_thread_delete, NULL},
    {"THREAD_LIST_SYNC", ingest_thread_list_sync, NULL},
    {"THREAD_MEMBER_UPDATE", ingest_thread_member_update, NULL},
    {"THREAD_MEMBERS_UPDATE", ingest_thread_members_update, NULL},
    {"GUILD_ROLE_CREATE", ingest_role_put, NULL},
    {"GUILD_ROLE_UPDATE", ingest_role_put, NULL},
    {"GUILD_ROLE_DELETE", ingest_role_delete, NULL},
    {"GUILD_MEMBER_ADD", ingest_member_put, NULL},
    {"GUILD_MEMBER_UPDATE", ingest_member_put, NULL},
    {"GUILD_MEMBER_REMOVE", ingest_member_remove, NULL},
    {"GUILD_MEMBERS_CHUNK", ingest_members_chunk, NULL},
    {"INTERACTION_CREATE", ingest_interaction, NULL},
};

static const struct handler *
find_handler(const char *name)
{
	for (size_t i = 0; i < sizeof(handlers) / sizeof(*handlers); i++)
		if (strcmp(handlers[i].name, name) == 0)
			return &handlers[i];
	return NULL;
}

/* Take it, and if it changes who may read what, leave word of that. */
static int
take_rightly(struct ingest *in, const struct handler *h, uint64_t guild,
    const struct json *v, struct err *e)
{
	uint64_t before, now;

	if (ingest_rights(in, h->name, guild, v, &before, e) < 0 ||
	    h->take(in, guild, v, e) < 0 ||
	    ingest_rights(in, h->name, guild, v, &now, e) < 0)
		return -1;
	return before == now ? 0
			     : recheck_add(in->db, guild,
				   ingest_rights_of(h->name, v), e);
}

/* Do what the event says: 1, or 0 if it is nothing to us. */
static int
take(struct ingest *in, const struct event *x, struct err *e)
{
	const bool ready = strcmp(x->name, "READY") == 0;
	const struct handler *h = find_handler(x->name);
	const struct json *v;
	uint64_t guild;

	if (!h && !ready)
		return 0;
	if (json_reader_object(in->reader, &v, x->data, x->data_len, e) < 0)
		return err_in(e, "%s", x->name);
	if (ready)
		return take_ready(in, v, e);
	guild = parts_id(v, h->guild ? h->guild : "guild_id", NULL);
	if (!guild || !ingest_wants(in, guild))
		return 0;
	return take_rightly(in, h, guild, v, e) < 0 ? err_in(e, "%s", x->name)
						    : 1;
}

/* Dispatches are counted: what was skipped is lost, in one session. */
static int
check_sequence(struct ingest *in, const struct event *x, struct err *e)
{
	const struct live *l = &in->live;

	if (!l->sequence || !x->sequence || x->sequence <= l->sequence + 1 ||
	    strcmp(x->name, "READY") == 0)
		return 0;
	return miss(in, e);
}

int
ingest_event(struct ingest *in, const struct event *x, struct err *e)
{
	int told;

	if (x->number && x->number <= in->live.number)
		return 0;
	in->at_ms = x->at_ms;
	if (check_sequence(in, x, e) < 0)
		return -1;
	told = take(in, x, e);
	if (told < 0 && e->kind != ERR_INPUT)
		return -1;
	if (x->sequence > in->live.sequence || strcmp(x->name, "READY") == 0)
		in->live.sequence = x->sequence;
	if (x->number)
		in->live.number = x->number;
	in->live.at_ms = x->at_ms;
	if (live_save(in->db, &in->live, e) < 0)
		return -1;
	return told;
}

int
ingest_gap(struct ingest *in, int64_t number, int64_t now_ms, struct err *e)
{
	in->at_ms = now_ms;
	if (miss(in, e) < 0)
		return -1;
	in->live.number = number;
	return live_save(in->db, &in->live, e);
}
