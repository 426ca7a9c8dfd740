#include "workspace/attached.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/venue.h"
#include "core/err.h"
#include "core/id.h"
#include "core/mem.h"
#include "ext/db.h"
#include "ext/json.h"
#include "record/context.h"
#include "store/base.h"
#include "store/tombstone.h"

/*
 * An attachment gets its id when it is sent up, a little before its message. A
 * message that forwards it may be much younger.
 */
enum { EARLY_MS = 24 * 3600 * 1000, LATE_MS = 60 * 1000, TIME_SHIFT = 22 };

const struct json *
attached_in(const struct json *list, uint64_t id)
{
	const struct json *v = json_first(list);
	uint64_t one;

	while (v &&
	       (!json_string(v, "id") ||
		   snowflake_read(&one, json_string(v, "id")) < 0 || one != id))
		v = json_next(v);
	return v;
}

/* ---- with a request ---- */

/* Of a request itself, or of what it forwards. */
static const struct json *
of_request(const struct json *turn, uint64_t id)
{
	const struct json *more = json_get(json_get(turn, "more"), "forwarded");
	const struct json *v = attached_in(json_get(turn, "attachments"), id);

	return v ? v : attached_in(json_get(more, "attachments"), id);
}

/* Of the message that it replies to. */
static bool
of_reply(struct attached *a, const struct json *turn)
{
	const struct json *reply = json_get(turn, "reply");
	const struct json *more = json_get(reply, "forwarded");
	const char *id = json_string(reply, "id");

	if (!attached_in(json_get(reply, "attachments"), a->id) &&
	    !attached_in(json_get(more, "attachments"), a->id))
		return false;
	return id && snowflake_read(&a->message, id) == 0;
}

static bool
take_file(struct attached *a, const struct json *file, const char *claim)
{
	static const char message[] = "message:";

	if (!file || !claim)
		return false;
	if (strncmp(claim, message, strlen(message)) == 0)
		return snowflake_read(&a->message, claim + strlen(message)) ==
		       0;
	a->url = mem_dup(json_string(file, "url"));
	a->name = mem_dup(json_string(file, "name"));
	a->size = json_int(file, "size", 0);
	return a->url != NULL;
}

/* Is it in this turn? */
static bool
take_turn(struct attached *a, const struct json *turn, const char *claim,
    const struct context *c)
{
	const struct json *at = json_get(turn, "location");
	const char *channel = json_string(at, "channel");

	if (!channel || snowflake_read(&a->channel, channel) < 0 ||
	    (!take_file(a, of_request(turn, a->id), claim) &&
		!of_reply(a, turn)))
		return false;
	a->asked = c->location.channel &&
		   strcmp(c->location.channel, channel) == 0;
	return true;
}

/* The turns of the task, the last one first: 1, 0 or -1. */
static int
find_asked(struct attached *a, struct store *tasks, const struct context *c,
    struct err *e)
{
	struct stmt s = {0};
	int row, found = 0;

	stmt_start(&s, &tasks->db,
	    "SELECT t.record, (SELECT key FROM claim WHERE turn = t.id)"
	    " FROM turn t WHERE t.task = ?1 AND instr(t.record, ?2) > 0"
	    " ORDER BY t.n DESC");
	stmt_text(&s, 1, c->task);
	stmt_int(&s, 2, (int64_t)a->id);
	while (!found && (row = stmt_next(&s, e)) != 0) {
		struct json *turn = NULL;

		if (row < 0 ||
		    json_read(&turn, row_text(&s, 0), row_len(&s, 0), e) < 0)
			found = -1;
		else
			found = take_turn(a, turn, row_text_opt(&s, 1), c);
		json_free(turn);
	}
	stmt_end(&s);
	return found;
}

/* ---- elsewhere ---- */

/* Those that hold its id, from one message id to another: 1, 0 or -1. */
static int
search(struct attached *a, struct venue *v, struct db *index, uint64_t from,
    uint64_t to, struct err *e)
{
	struct stmt s = {0};
	char digits[32];
	int row, may = 0;

	snprintf(digits, sizeof(digits), "\"id\":\"%" PRIu64 "\"", a->id);
	stmt_start(&s, index,
	    "SELECT m.id, c.id FROM message m JOIN channel c"
	    " ON c.ord = m.channel WHERE m.id BETWEEN ?1 AND ?2"
	    " AND instr(m.more, ?3) > 0 ORDER BY m.id");
	stmt_int(&s, 1, (int64_t)from);
	stmt_int(&s, 2, (int64_t)to);
	stmt_text(&s, 3, digits);
	while (may == 0 && (row = stmt_next(&s, e)) != 0) {
		a->message = (uint64_t)row_int(&s, 0);
		a->channel = (uint64_t)row_int(&s, 1);
		may = row < 0 ? -1 : venue_takes(v, a->channel, e);
	}
	stmt_end(&s);
	return may;
}

static int
find_indexed(struct attached *a, struct venue *v, struct db *index,
    struct err *e)
{
	const uint64_t late = (uint64_t)LATE_MS << TIME_SHIFT;
	const uint64_t early = (uint64_t)EARLY_MS << TIME_SHIFT;
	int found = 0;

	if (index)
		found = search(a, v, index, a->id > late ? a->id - late : 0,
		    a->id + early, e);
	if (index && found == 0)
		found = search(a, v, index, 0, INT64_MAX, e);
	if (found != 0)
		return found < 0 ? -1 : 0;
	return err_set(e, ERR_INPUT,
	    "no message that is indexed, and may be read here, has the "
	    "attachment %" PRIu64 ": give the link of its message",
	    a->id);
}

static int
find_linked(struct attached *a, struct venue *v, const char *link,
    struct err *e)
{
	int may;

	if (!tombstone_ids(link, &a->channel, &a->message))
		return err_set(e, ERR_INPUT, "'%.100s' is no link to a message",
		    link);
	may = venue_takes(v, a->channel, e);
	if (may == 0)
		return err_set(e, ERR_DENIED,
		    "whoever asks can't be shown here what is in the channel "
		    "of that message, if there is one");
	return may < 0 ? -1 : 0;
}

/*
 * The guild of its channel, and its name there. One that the index doesn't know
 * is read only where it is asked for, or by the person at the machine.
 */
static int
name_place(struct attached *a, struct db *index, const char *guild,
    struct err *e)
{
	struct stmt s = {0};
	int row = 0;

	if (index) {
		stmt_start(&s, index,
		    "SELECT guild, name FROM channel WHERE id = ?1");
		stmt_int(&s, 1, (int64_t)a->channel);
		row = stmt_next(&s, e);
	}
	if (row > 0) {
		a->guild = (uint64_t)row_int(&s, 0);
		a->place = mem_dup(row_text(&s, 1));
	} else if (guild && snowflake_read(&a->guild, guild) < 0) {
		a->guild = 0;
	}
	stmt_end(&s);
	return row < 0 ? -1 : 0;
}

/* What was deleted isn't fetched any more. */
static int
check_deleted(const struct attached *a, struct err *e)
{
	struct tombstones t = {0};
	char link[128];
	int dead;

	if (!a->message)
		return 0;
	snprintf(link, sizeof(link),
	    "https://discord.com/channels/@me/%" PRIu64 "/%" PRIu64, a->channel,
	    a->message);
	dead = tombstones_link(&t, link, e);
	tombstones_close(&t);
	return dead > 0 ? err_set(e, ERR_REFUSED,
			      "message %" PRIu64 " was deleted", a->message)
			: dead;
}

int
attached_find(struct attached *a, struct store *tasks, struct db *index,
    const struct context *c, const char *id, const char *link, struct err *e)
{
	struct venue v = {0};
	int found = 0;

	if (!id || snowflake_read(&a->id, id) < 0)
		return err_set(e, ERR_INPUT,
		    "'%.40s' is no id of an attachment", id ? id : "");
	if (!link)
		found = find_asked(a, tasks, c, e);
	if (found < 0 || (!a->asked && venue_open_here(&v, index, c, e) < 0))
		return -1;
	if (link)
		found = find_linked(a, &v, link, e);
	else if (!found)
		found = find_indexed(a, &v, index, e);
	else if (!a->asked && (found = venue_takes(&v, a->channel, e)) == 0)
		found = err_set(e, ERR_DENIED,
		    "what came with an earlier request can't be shown here");
	venue_close(&v);
	if (found < 0 || name_place(a, index, c->location.guild, e) < 0)
		return -1;
	return check_deleted(a, e);
}

void
attached_release(struct attached *a)
{
	free(a->place);
	free(a->url);
	free(a->name);
	*a = (struct attached){0};
}
