#include "retrieve/fetch.h"

#include "core/err.h"
#include "record/message.h"
#include "retrieve/corpus.h"

static const char
    sql[] = "SELECT m.id, m.reply, m.edited, m.kind, m.flags, m.text, m.more,"
	    " c.id, c.parent, c.name, c.type, g.id, g.name,"
	    " a.id, a.name, a.discriminator, a.is_bot, p.nickname"
	    "  FROM message m"
	    "  JOIN channel c ON c.ord = m.channel"
	    "  JOIN guild g ON g.id = c.guild"
	    "  JOIN author a ON a.ord = m.author"
	    "  LEFT JOIN member p ON p.author = m.author AND p.guild = c.guild"
	    " WHERE m.ord = ?1";

static void
fill(struct stmt *s, struct message *m)
{
	m->id = (uint64_t)row_int(s, 0);
	m->reply = (uint64_t)row_int(s, 1);
	m->edited_ms = row_int(s, 2);
	m->kind = row_int(s, 3);
	m->pinned = row_int(s, 4) & 1;
	m->text = row_text(s, 5);
	m->text_len = row_len(s, 5);
	buf_str(&m->more, row_text_opt(s, 6));
	m->channel = (struct message_channel){.id = (uint64_t)row_int(s, 7),
	    .parent = (uint64_t)row_int(s, 8),
	    .name = row_text(s, 9),
	    .type = row_text_opt(s, 10)};
	m->guild = (struct message_guild){.id = (uint64_t)row_int(s, 11),
	    .name = row_text(s, 12)};
	m->author = (struct message_author){.id = (uint64_t)row_int(s, 13),
	    .name = row_text(s, 14),
	    .discriminator = row_text_opt(s, 15),
	    .bot = row_int(s, 16) != 0,
	    .nickname = row_text_opt(s, 17)};
}

int
fetch_message(struct fetch *f, uint32_t ord, struct message *m, struct err *e)
{
	int row;

	message_clear(m);
	stmt_start(&f->row, f->corpus->db, sql);
	stmt_int(&f->row, 1, ord);
	row = stmt_next(&f->row, e);
	if (row <= 0)
		return row;
	fill(&f->row, m);
	f->markup.db = f->corpus->db;
	return f->plain && markup_read(&f->markup, m, e) < 0 ? -1 : 1;
}

void
fetch_release(struct fetch *f)
{
	stmt_end(&f->row);
	markup_release(&f->markup);
}
