/* The events about reactions and votes, of history/ingest_event.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/err.h"
#include "discord/parts.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "history/ingest.h"
#include "history/ingest_event.h"
#include "store/base.h"
#include "store/message_row.h"
#include "store/reaction.h"

enum { KEY_MAX = 160 }; /* bytes of what an emoji is called */

/* A mark, and how `more` names it. */
struct target {
	uint64_t message, emoji_id;
	const char *emoji;
	int64_t answer;
	char key[KEY_MAX];
};

/* Writes one member of `more` anew, with the count changed. */
typedef void rewrite_fn(struct buf *to, const struct json *more,
    const struct target *t, int change);

static int
find_target(struct target *t, const struct json *v, struct err *e)
{
	const struct json *emoji = json_get(v, "emoji");

	*t = (struct target){
	    .message = parts_id(v, "message_id", NULL),
	    .emoji_id = parts_id(emoji, "id", NULL),
	    .emoji = parts_text(emoji, "name", NULL),
	    .answer = json_int(v, "answer_id", 0),
	};
	if (!t->message)
		return err_set(e, ERR_INPUT, "no message_id");
	if (t->answer)
		snprintf(t->key, sizeof(t->key), "vote:%" PRId64, t->answer);
	else if (t->emoji_id)
		snprintf(t->key, sizeof(t->key), "%" PRIu64, t->emoji_id);
	else
		snprintf(t->key, sizeof(t->key), "%s",
		    t->emoji ? t->emoji : "");
	return 0;
}

/* Is the member of `reactions` that emoji? */
static bool
is_emoji(const struct json *v, const struct target *t)
{
	const char *name = json_string(v, "emoji");

	if (t->emoji_id)
		return parts_id(v, "id", NULL) == t->emoji_id;
	return !parts_id(v, "id", NULL) && name && t->emoji &&
	       strcmp(name, t->emoji) == 0;
}

static void
write_reaction(struct buf *to, const char *name, uint64_t id, int64_t count)
{
	if (count <= 0)
		return;
	jsonw_object(to, NULL);
	jsonw_opt(to, "emoji", name);
	if (id)
		jsonw_id(to, "id", id);
	jsonw_int(to, "count", count);
	jsonw_end_object(to);
}

static void
rewrite_reactions(struct buf *to, const struct json *more,
    const struct target *t, int change)
{
	const struct json *v = json_first(json_get(more, "reactions"));
	bool met = false;

	jsonw_array(to, "reactions");
	for (; v; v = json_next(v)) {
		bool it = is_emoji(v, t);

		write_reaction(to, json_string(v, "emoji"),
		    parts_id(v, "id", NULL),
		    json_int(v, "count", 1) + (it ? change : 0));
		met |= it;
	}
	if (!met)
		write_reaction(to, t->emoji, t->emoji_id, change);
	jsonw_end_array(to);
}

static void
rewrite_none(struct buf *to, const struct json *more, const struct target *t,
    int change)
{
	const struct json *v = json_first(json_get(more, "reactions"));

	(void)change;
	jsonw_array(to, "reactions");
	for (; v; v = json_next(v))
		if (*t->key && !is_emoji(v, t))
			write_reaction(to, json_string(v, "emoji"),
			    parts_id(v, "id", NULL), json_int(v, "count", 1));
	jsonw_end_array(to);
}

static void
rewrite_answer(struct buf *to, const struct json *v, int64_t place,
    const struct target *t, int change)
{
	int64_t id = json_int(v, "id", place);
	int64_t votes = json_int(v, "votes", 0) +
			(id == t->answer ? change : 0);

	jsonw_object(to, NULL);
	jsonw_opt(to, "text", json_string(v, "text"));
	if (json_get(v, "votes") || id == t->answer)
		jsonw_int(to, "votes", votes < 0 ? 0 : votes);
	if (id != place)
		jsonw_int(to, "id", id);
	jsonw_end_object(to);
}

static void
rewrite_poll(struct buf *to, const struct json *more, const struct target *t,
    int change)
{
	const struct json *poll = json_get(more, "poll");
	const struct json *v = json_first(json_get(poll, "answers"));
	int64_t place = 1;

	if (!poll)
		return;
	jsonw_object(to, "poll");
	jsonw_opt(to, "question", json_string(poll, "question"));
	jsonw_array(to, "answers");
	for (; v; v = json_next(v))
		rewrite_answer(to, v, place++, t, change);
	jsonw_end_array(to);
	jsonw_opt(to, "ends", json_string(poll, "ends"));
	jsonw_end_object(to);
}

/* Put the message's `more` with one member written anew. */
static int
rewrite(struct ingest *in, const struct target *t, int change,
    enum message_part part, rewrite_fn *write, struct err *e)
{
	struct message *m = &in->message, old = {0};
	struct json *more = NULL;
	struct message_row r;
	int row;

	message_clear(m);
	m->id = t->message;
	row = message_row_find(&in->messages.rows, in->db, t->message, &old, &r,
	    e);
	message_row_done(&in->messages.rows);
	if (row > 0 && old.more.len)
		row = json_object(&more, old.more.data, old.more.len, e) < 0
			  ? -1
			  : 1;
	if (row > 0) {
		jsonw_object(&m->more, NULL);
		write(&m->more, more, t, change);
		jsonw_end_object(&m->more);
		row = messages_update(&in->messages, m, 1U << part, e);
	}
	json_free(more);
	message_release(&old);
	return row < 0 ? -1 : 0;
}

/* What is not indexed has no counts; the page that brings it brings them. */
static int
is_indexed(struct ingest *in, uint64_t message, struct err *e)
{
	struct stmt s = {0};
	int row;

	stmt_start(&s, in->db, "SELECT 1 FROM message WHERE id = ?1");
	stmt_int(&s, 1, (int64_t)message);
	row = stmt_next(&s, e);
	stmt_end(&s);
	return row;
}

static int
mark(struct ingest *in, const struct json *v, bool on, enum message_part part,
    rewrite_fn *write, struct err *e)
{
	struct target t;
	int change, indexed;

	if (find_target(&t, v, e) < 0)
		return -1;
	indexed = is_indexed(in, t.message, e);
	if (indexed <= 0 || !*t.key)
		return indexed < 0 ? -1 : 0;
	if (reaction_put(in->db,
		&(struct reaction){.message = t.message,
		    .user = parts_id(v, "user_id", NULL),
		    .emoji = t.key,
		    .on = on,
		    .at_ms = in->at_ms},
		&change, e) < 0)
		return -1;
	return change ? rewrite(in, &t, change, part, write, e) : 0;
}

int
ingest_reaction_add(struct ingest *in, uint64_t guild, const struct json *v,
    struct err *e)
{
	(void)guild;
	return mark(in, v, true, MESSAGE_REACTIONS, rewrite_reactions, e);
}

int
ingest_reaction_remove(struct ingest *in, uint64_t guild, const struct json *v,
    struct err *e)
{
	(void)guild;
	return mark(in, v, false, MESSAGE_REACTIONS, rewrite_reactions, e);
}

/* Both: without an emoji, all of them. */
static int
clear(struct ingest *in, const struct json *v, struct err *e)
{
	struct target t;
	int row;

	if (find_target(&t, v, e) < 0)
		return -1;
	row = is_indexed(in, t.message, e);
	if (row <= 0)
		return row;
	row = reaction_clear(in->db, t.message, *t.key ? t.key : NULL,
	    in->at_ms, e);
	if (row <= 0)
		return row;
	return rewrite(in, &t, 0, MESSAGE_REACTIONS, rewrite_none, e);
}

int
ingest_reaction_remove_all(struct ingest *in, uint64_t guild,
    const struct json *v, struct err *e)
{
	(void)guild;
	return clear(in, v, e);
}

int
ingest_reaction_remove_emoji(struct ingest *in, uint64_t guild,
    const struct json *v, struct err *e)
{
	(void)guild;
	return clear(in, v, e);
}

int
ingest_vote_add(struct ingest *in, uint64_t guild, const struct json *v,
    struct err *e)
{
	(void)guild;
	return mark(in, v, true, MESSAGE_POLL, rewrite_poll, e);
}

int
ingest_vote_remove(struct ingest *in, uint64_t guild, const struct json *v,
    struct err *e)
{
	(void)guild;
	return mark(in, v, false, MESSAGE_POLL, rewrite_poll, e);
}
