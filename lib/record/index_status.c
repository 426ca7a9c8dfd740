#include "record/index_status.h"

#include "core/buf.h"
#include "core/id.h"
#include "ext/jsonw.h"

/* When the messages at both ends were sent. */
static void
write_span(struct buf *b, uint64_t oldest, uint64_t newest)
{
	if (!oldest)
		return;
	jsonw_time(b, "oldest", snowflake_ms(oldest));
	jsonw_time(b, "newest", snowflake_ms(newest));
}

void
index_status_write(struct buf *b, const struct index_status *s)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "index");
	jsonw_str(b, "path", s->path);
	jsonw_int(b, "bytes", s->bytes);
	jsonw_int(b, "guilds", s->guilds);
	jsonw_int(b, "channels", s->channels);
	jsonw_int(b, "authors", s->authors);
	jsonw_int(b, "messages", s->messages);
	jsonw_int(b, "tokens", s->tokens);
	jsonw_int(b, "tombstones", s->tombstones);
	write_span(b, s->oldest, s->newest);
	jsonw_bool(b, "stale", s->stale);
	jsonw_line(b);
}

void
index_channel_write(struct buf *b, const struct index_channel *c)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "channel");
	jsonw_id(b, "id", c->id);
	if (c->guild)
		jsonw_id(b, "guild", c->guild);
	jsonw_str(b, "name", c->name);
	jsonw_str(b, "kind", c->type);
	jsonw_str(b, "language", c->language);
	jsonw_int(b, "messages", c->messages);
	write_span(b, c->oldest, c->newest);
	jsonw_int(b, "ranges", c->ranges);
	jsonw_int(b, "gaps", c->gaps);
	jsonw_bool(b, "live", c->live);
	jsonw_opt(b, "forbidden", c->forbidden);
	jsonw_line(b);
}
