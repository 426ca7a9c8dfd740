/* The events about messages, of history/ingest_event.h. */
#include "core/err.h"
#include "core/id.h"
#include "discord/community.h"
#include "discord/parts.h"
#include "discord/raw.h"
#include "ext/json.h"
#include "history/ingest.h"
#include "history/ingest_event.h"
#include "history/learn.h"
#include "store/base.h"
#include "store/live.h"
#include "store/notice.h"
#include "store/reaction.h"
#include "store/roll.h"

enum { ROLES_FRESH_MS = 60000 }; /* told so often, they aren't stored again */

/* A message comes with its author's roles of that moment. */
static int
take_member(struct ingest *in, uint64_t guild, const struct json *v,
    struct err *e)
{
	struct member_facts m;
	const struct json *member = json_get(v, "member");

	if (json_kind(json_get(member, "roles")) != JSON_ARRAY ||
	    !community_member(&m, &in->lists, guild, member,
		json_get(v, "author")))
		return 0;
	return roll_member_lately(&in->roll, &in->messages.authors, &m,
	    in->at_ms, ROLES_FRESH_MS, e);
}

int
ingest_message_create(struct ingest *in, uint64_t guild, const struct json *v,
    struct err *e)
{
	struct message *m = &in->message;
	int put;

	if (raw_read(m, v, e) < 0)
		return -1;
	m->guild.id = guild;
	put = messages_put(&in->messages, m, e);
	if (put < 0 || take_member(in, guild, v, e) < 0 ||
	    live_reaches(in->db, m->channel.id, in->at_ms, m->id, e) < 0)
		return -1;
	if (m->id > in->live.high)
		in->live.high = m->id;
	return put == PUT_NEW ? learn_sometimes(in, m, e) : 0;
}

/* An edit, or no more than an embed, a pin: what isn't told stays. */
int
ingest_message_update(struct ingest *in, uint64_t guild, const struct json *v,
    struct err *e)
{
	struct message *m = &in->message;
	unsigned told;
	int put;

	if (raw_read_part(m, v, &told, e) < 0)
		return -1;
	m->guild.id = guild;
	put = messages_update(&in->messages, m, told, e);
	if (put == PUT_ABSENT && raw_is(v))
		put = messages_put(&in->messages, m, e);
	if (put < 0)
		return -1;
	if (put != PUT_CHANGED)
		return 0;
	if (reaction_touch(in->db, m->id, in->at_ms, e) < 0)
		return -1;
	return notice_add(in->db, m->id, e);
}

int
ingest_message_delete(struct ingest *in, uint64_t guild, const struct json *v,
    struct err *e)
{
	uint64_t id = parts_id(v, "id", NULL);

	(void)guild;
	if (!id)
		return err_set(e, ERR_INPUT, "no id");
	return messages_delete(&in->messages, id, in->at_ms, e) < 0 ? -1 : 0;
}

int
ingest_message_delete_bulk(struct ingest *in, uint64_t guild,
    const struct json *v, struct err *e)
{
	uint64_t id;

	(void)guild;
	for (v = json_first(json_get(v, "ids")); v; v = json_next(v)) {
		const char *text = json_text(v);

		if (!text || snowflake_read(&id, text) < 0)
			continue;
		if (messages_delete(&in->messages, id, in->at_ms, e) < 0)
			return -1;
	}
	return 0;
}
