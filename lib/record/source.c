#include "record/source.h"

#include "core/buf.h"
#include "core/id.h"
#include "ext/jsonw.h"
#include "record/message.h"

static void
write_named(struct buf *to, const char *key, uint64_t id, const char *name)
{
	jsonw_object(to, key);
	jsonw_id(to, "id", id);
	jsonw_str(to, "name", name);
	jsonw_end_object(to);
}

void
source_of_message(struct buf *to, const struct message *m)
{
	const char *nickname = m->author.nickname;
	char revision[MESSAGE_REVISION];
	struct buf link = {0};

	message_revision(revision, m);
	message_link(&link, m);
	jsonw_object(to, NULL);
	jsonw_str(to, "url", link.data);
	jsonw_str(to, "revision", revision);
	write_named(to, "author", m->author.id,
	    nickname && *nickname ? nickname : m->author.name);
	write_named(to, "channel", m->channel.id, m->channel.name);
	jsonw_time(to, "at", snowflake_ms(m->id));
	if (m->plain)
		jsonw_str(to, "text", m->plain);
	else
		jsonw_strn(to, "text", m->text, m->text_len);
	jsonw_opt(to, "part", m->part);
	jsonw_opt(to, "score", m->score);
	if (m->group)
		jsonw_int(to, "group", m->group);
	if (m->reply)
		jsonw_id(to, "reply_to", m->reply);
	if (m->more.len)
		jsonw_raw(to, "more", m->more.data, m->more.len);
	jsonw_end_object(to);
	buf_release(&link);
}
