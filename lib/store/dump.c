#include "store/dump.h"

#include <string.h>

#include "core/buf.h"
#include "core/err.h"

enum { PAGE_ROWS = 500, PAGE_BYTES = 256 << 10 };

static const char channel_sql[] =
    "SELECT c.ord, c.id, c.guild, g.name, g.icon_url, c.parent, c.type, c.name,"
    " c.topic, (SELECT p.name FROM channel p WHERE p.id = c.parent)"
    " FROM channel c JOIN guild g ON g.id = c.guild"
    " WHERE c.id >= ?1 ORDER BY c.id LIMIT 1";

static const char message_sql[] =
    "SELECT m.id, m.kind, m.flags, m.reply, m.edited, m.text, m.more, a.id,"
    " a.name, a.discriminator, a.display, a.is_bot, w.nickname, w.color,"
    " (SELECT json_group_array(json(j)) FROM (SELECT"
    "  iif(r.color IS NULL,"
    "   json_object('id', CAST(r.id AS TEXT), 'name', r.name,"
    "    'position', r.position),"
    "   json_object('id', CAST(r.id AS TEXT), 'name', r.name,"
    "    'color', r.color, 'position', r.position)) AS j"
    "  FROM member_role mr JOIN role r ON r.id = mr.role"
    "  WHERE mr.author = a.ord AND mr.guild = ?3"
    "  ORDER BY r.position DESC, r.id))"
    " FROM message m JOIN author a ON a.ord = m.author"
    " LEFT JOIN member w ON w.author = a.ord AND w.guild = ?3"
    " WHERE m.channel = ?1 AND m.id > ?2 ORDER BY m.id LIMIT ?4";

void
dump_release(struct dump *d)
{
	stmt_end(&d->channel);
	stmt_end(&d->message);
	message_release(&d->m);
}

/* Fill guild and channel: the texts are borrowed from the statement. */
static void
read_channel(struct dump *d, uint32_t *ord)
{
	struct stmt *s = &d->channel;
	struct message *m = &d->m;

	*ord = (uint32_t)row_int(s, 0);
	m->channel.id = (uint64_t)row_int(s, 1);
	m->guild.id = (uint64_t)row_int(s, 2);
	m->guild.name = row_text(s, 3);
	m->guild.icon = row_text_opt(s, 4);
	m->channel.parent = (uint64_t)row_int(s, 5);
	m->channel.type = *row_text(s, 6) ? row_text(s, 6) : NULL;
	m->channel.name = row_text(s, 7);
	m->channel.topic = row_text_opt(s, 8);
	m->channel.category = row_text_opt(s, 9);
}

static void
read_message(struct dump *d)
{
	struct stmt *s = &d->message;
	struct message *m = &d->m;

	buf_clear(&m->more);
	buf_clear(&m->roles);
	m->id = (uint64_t)row_int(s, 0);
	m->kind = row_int(s, 1);
	m->pinned = row_int(s, 2) & 1;
	m->reply = (uint64_t)row_int(s, 3);
	m->edited_ms = row_int(s, 4);
	m->text = row_text(s, 5);
	m->text_len = row_len(s, 5);
	buf_str(&m->more, row_text(s, 6));
	m->author.id = (uint64_t)row_int(s, 7);
	m->author.name = row_text(s, 8);
	m->author.discriminator = row_text_opt(s, 9);
	m->author.display = row_text_opt(s, 10);
	m->author.bot = row_int(s, 11) != 0;
	m->author.nickname = row_text_opt(s, 12);
	m->author.color = row_text_opt(s, 13);
	buf_str(&m->roles, row_text(s, 14));
}

/* A page of one channel. */
static int
page_of(struct dump *d, uint32_t ord, struct buf *to, struct err *e)
{
	size_t start = to->len;
	int row, count = 0;

	stmt_start(&d->message, d->db, message_sql);
	stmt_int(&d->message, 1, ord);
	stmt_int(&d->message, 2, (int64_t)d->after);
	stmt_int(&d->message, 3, (int64_t)d->m.guild.id);
	stmt_int(&d->message, 4, PAGE_ROWS);
	while ((row = stmt_next(&d->message, e)) > 0) {
		read_message(d);
		message_write(to, &d->m);
		d->after = d->m.id;
		count++;
		if (to->len - start >= PAGE_BYTES)
			break;
	}
	stmt_reset(&d->message);
	return row < 0 ? -1 : count;
}

int
dump_page(struct dump *d, struct buf *to, struct err *e)
{
	uint32_t ord;
	int row, count = 0;

	if (d->only && d->at < d->only)
		d->at = d->only;
	do {
		stmt_start(&d->channel, d->db, channel_sql);
		stmt_int(&d->channel, 1, (int64_t)d->at);
		row = stmt_next(&d->channel, e);
		if (row <= 0)
			break;
		read_channel(d, &ord);
		if (d->only && d->m.channel.id != d->only)
			break;
		if (d->m.channel.id != d->at)
			d->after = 0;
		d->at = d->m.channel.id;
		count = page_of(d, ord, to, e);
		if (count == 0) {
			d->at++;
			d->after = 0;
		}
	} while (count == 0);
	stmt_reset(&d->channel);
	return row < 0 ? -1 : count;
}
