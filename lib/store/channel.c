#include "store/channel.h"

#include <stdio.h>
#include <string.h>

#include "core/err.h"
#include "record/message.h"
#include "store/print.h"

static struct channel_slot *
slot_of(struct channels *c, uint64_t id)
{
	return &c->slots[print_mix(id) % CHANNEL_SLOTS];
}

void
channels_forget(struct channels *c)
{
	memset(c->slots, 0, sizeof(c->slots));
}

void
channels_release(struct channels *c)
{
	stmt_end(&c->guild);
	stmt_end(&c->find);
	stmt_end(&c->insert);
	stmt_end(&c->update);
	stmt_end(&c->language);
	channels_forget(c);
}

static uint64_t
print_of(const struct message *m)
{
	uint64_t p = print_start(m->guild.id);

	p = print_text(p, m->guild.name);
	p = print_text(p, m->guild.icon);
	p = print_text(p, m->channel.name);
	p = print_text(p, m->channel.type);
	p = print_text(p, m->channel.topic);
	p = print_text(p, m->channel.category);
	return print_mix(p ^ m->channel.parent);
}

static int
put_guild(struct channels *c, struct db *db, const struct message_guild *g,
    struct err *e)
{
	stmt_start(&c->guild, db,
	    "INSERT INTO guild(id, name, icon_url)"
	    " VALUES (?1, coalesce(?2, ''), ?3)"
	    " ON CONFLICT(id) DO UPDATE SET name = coalesce(?2, name),"
	    " icon_url = coalesce(?3, icon_url)"
	    " WHERE as_of_ms IS NULL AND (name IS NOT coalesce(?2, name)"
	    "    OR icon_url IS NOT coalesce(?3, icon_url))");
	stmt_int(&c->guild, 1, (int64_t)g->id); /* 0 is a row too */
	stmt_text(&c->guild, 2, g->name);
	stmt_text(&c->guild, 3, g->icon);
	return stmt_run(&c->guild, e);
}

/* Find the row of a channel: 1 and the slot filled, 0, or -1. */
static int
find(struct channels *c, struct db *db, uint64_t id, struct channel_slot *slot,
    struct err *e)
{
	int row;

	stmt_start(&c->find, db,
	    "SELECT ord, language, guild FROM channel WHERE id = ?1");
	stmt_int(&c->find, 1, (int64_t)id);
	row = stmt_next(&c->find, e);
	if (row > 0) {
		slot->id = id;
		slot->ord = (uint32_t)row_int(&c->find, 0);
		slot->guild = (uint64_t)row_int(&c->find, 2);
		snprintf(slot->language, sizeof(slot->language), "%s",
		    row_text(&c->find, 1));
	}
	stmt_reset(&c->find);
	return row;
}

static void
bind(struct stmt *s, uint64_t guild, const struct message_channel *ch)
{
	stmt_int(s, 1, (int64_t)ch->id);
	stmt_opt(s, 2, (int64_t)guild);
	stmt_opt(s, 3, (int64_t)ch->parent);
	stmt_text(s, 4, ch->type);
	stmt_text(s, 5, ch->name);
	stmt_text(s, 6, ch->topic);
}

static int
insert(struct channels *c, struct db *db, uint64_t guild,
    const struct message_channel *ch, struct err *e)
{
	stmt_start(&c->insert, db,
	    "INSERT INTO channel(id, guild, parent, type, name, topic)"
	    " VALUES (?1, coalesce(?2, 0), ?3, coalesce(?4, ''),"
	    " coalesce(?5, ''), ?6)");
	bind(&c->insert, guild, ch);
	return stmt_run(&c->insert, e);
}

static int
update(struct channels *c, struct db *db, uint64_t guild,
    const struct message_channel *ch, struct err *e)
{
	stmt_start(&c->update, db,
	    "UPDATE channel SET guild = coalesce(?2, guild),"
	    " parent = coalesce(?3, parent), type = coalesce(?4, type),"
	    " name = coalesce(?5, name), topic = coalesce(?6, topic)"
	    " WHERE id = ?1 AND as_of_ms IS NULL");
	bind(&c->update, guild, ch);
	return stmt_run(&c->update, e);
}

static int
put_channel(struct channels *c, struct db *db, uint64_t guild,
    const struct message_channel *ch, struct channel_slot *slot, struct err *e)
{
	int row = find(c, db, ch->id, slot, e);

	if (row < 0)
		return -1;
	if (row > 0)
		return update(c, db, guild, ch, e);
	if (insert(c, db, guild, ch, e) < 0)
		return -1;
	return find(c, db, ch->id, slot, e);
}

/* A thread's parent is a channel, whose type we are not told. */
static int
put_parent(struct channels *c, struct db *db, const struct message *m,
    struct err *e)
{
	bool thread = m->channel.type && strstr(m->channel.type, "Thread");
	struct message_channel parent = {
	    .id = m->channel.parent,
	    .name = m->channel.category,
	    .type = thread ? NULL : "GuildCategory",
	};
	struct channel_slot unused = {0};

	if (!parent.id || !parent.name)
		return 0;
	return put_channel(c, db, m->guild.id, &parent, &unused, e);
}

int
channels_put(struct channels *c, struct db *db, const struct message *m,
    const struct channel_slot **slot, struct err *e)
{
	struct channel_slot *s = slot_of(c, m->channel.id);
	uint64_t print = print_of(m);

	*slot = s;
	if (s->id == m->channel.id && s->print == print)
		return 0;
	s->id = 0;
	if (put_guild(c, db, &m->guild, e) < 0 || put_parent(c, db, m, e) < 0 ||
	    put_channel(c, db, m->guild.id, &m->channel, s, e) < 0)
		return err_in(e, "channel");
	s->print = print;
	if (m->guild.id)
		s->guild = m->guild.id;
	return 0;
}

int
channels_language(struct channels *c, struct db *db, uint64_t id,
    char language[CHANNEL_LANGUAGE], struct err *e)
{
	struct channel_slot found = *slot_of(c, id);

	language[0] = '\0';
	if (found.id != id && find(c, db, id, &found, e) < 0)
		return -1;
	if (found.id == id)
		memcpy(language, found.language, CHANNEL_LANGUAGE);
	return language[0] != '\0';
}

int
channels_set_language(struct channels *c, struct db *db, uint64_t id,
    const char *language, struct err *e)
{
	struct channel_slot *s = slot_of(c, id);

	stmt_start(&c->language, db,
	    "UPDATE channel SET language = ?2 WHERE id = ?1");
	stmt_int(&c->language, 1, (int64_t)id);
	stmt_text(&c->language, 2, language);
	if (s->id == id)
		s->id = 0;
	return stmt_run(&c->language, e);
}
