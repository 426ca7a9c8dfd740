#include "guild/told.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/buf.h"
#include "ext/jsonw.h"
#include "guild/link.h"

static void
told(struct buf *b, const char *key, const char *mark, uint64_t id,
    const char *name)
{
	char mention[32];

	snprintf(mention, sizeof(mention), "<%s%" PRIu64 ">", mark, id);
	jsonw_object(b, key);
	jsonw_id(b, "id", id);
	jsonw_opt(b, "name", name);
	jsonw_str(b, "mention", mention);
	jsonw_end_object(b);
}

void
told_channel(struct buf *b, const char *key, uint64_t id, const char *name)
{
	told(b, key, "#", id, name);
}

void
told_role(struct buf *b, const char *key, uint64_t id, const char *name)
{
	told(b, key, "@&", id, name);
}

void
told_member(struct buf *b, const char *key, uint64_t id, const char *name)
{
	told(b, key, "@", id, name);
}

void
told_message(struct buf *b, const char *key, uint64_t guild, uint64_t channel,
    uint64_t id)
{
	struct buf link = {0};

	link_write(&link, guild, channel, id);
	jsonw_object(b, key);
	jsonw_id(b, "id", id);
	jsonw_str(b, "link", buf_text(&link));
	jsonw_end_object(b);
	buf_release(&link);
}
