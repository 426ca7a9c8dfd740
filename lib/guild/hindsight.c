#include "guild/hindsight.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/err.h"
#include "core/id.h"
#include "discord/parts.h"
#include "ext/json.h"
#include "guild/change.h"
#include "guild/live.h"
#include "guild/seek.h"
#include "guild/traits.h"
#include "store/receipt.h"

enum { SKEW_MS = 10000, PATH = 128 };

int
hindsight(struct change *c, bool done, bool undone)
{
	if (done == undone) {
		buf_str(&c->seen, "it is neither as it was nor as it should "
				  "have become");
		return SEEN_NOTHING;
	}
	if (done) {
		buf_str(&c->seen, "it is as it should have become");
		return SEEN_DONE;
	}
	buf_str(&c->seen, "it is as it was");
	return seek_late(c) ? SEEN_UNDONE : SEEN_NOTHING;
}

int
hindsight_get(struct change *c, const char *path, struct json **now,
    struct err *e)
{
	struct err why = {0};
	int got = live_find(c->live, path, now, &why);

	if (got >= 0)
		return got;
	if (why.kind != ERR_REFUSED) {
		*e = why;
		return -1;
	}
	buf_fmt(&c->seen, "Discord doesn't show it: %s", why.text);
	return SEEN_HIDDEN;
}

/* ---- what was made ---- */

/* The entry of this very call: what it made; or 0. */
static uint64_t
find_entry(const struct change *c, const struct json *log)
{
	const struct json *v = json_first(json_get(log, "audit_log_entries"));
	char reason[64];

	snprintf(reason, sizeof(reason), "call %.32s.%" PRId64 ",",
	    c->receipt->task, c->receipt->call);
	for (; v; v = json_next(v)) {
		const char *text = json_string(v, "reason");

		if (text && strncmp(text, reason, strlen(reason)) == 0 &&
		    parts_id(v, "user_id", NULL) == c->live->reading.bot)
			return parts_id(v, "target_id", NULL);
	}
	return 0;
}

static bool
is_wanted(const struct change *c, const struct json *v)
{
	const struct json *body = json_get(c->plan, "body");

	return json_int(v, "type", 0) == json_int(body, "type", 0) &&
	       traits_same_name(json_string(v, "name"),
		   json_string(body, "name"));
}

/* Without the log: what is new. */
static int
guess(struct change *c, const struct json *list, bool *other)
{
	int found = 0;

	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		uint64_t id = parts_id(v, "id", NULL);

		if (!id || snowflake_ms(id) < c->receipt->intent_ms - SKEW_MS)
			continue;
		if (!is_wanted(c, v)) {
			*other = true;
			continue;
		}
		buf_fmt(&c->seen, "%s%" PRIu64 " has appeared since",
		    found++ ? ", " : "", id);
	}
	return found;
}

static int
look_around(struct change *c, enum hindsight_made what, struct err *e)
{
	struct json *list;
	char path[PATH];
	bool other = false;
	int got;

	snprintf(path, sizeof(path), "/guilds/%" PRIu64 "/%s",
	    change_id(c->plan, "guild"),
	    what == MADE_ROLE ? "roles" : "channels");
	buf_clear(&c->seen);
	if ((got = hindsight_get(c, path, &list, e)) != 1)
		return got < 0 ? -1 : SEEN_NOTHING;
	got = guess(c, list, &other);
	json_free(list);
	if (got == 1)
		return SEEN_DONE;
	if (got == 0 && !other)
		return hindsight(c, false, true);
	buf_str(&c->seen,
	    got ? ": more than one" : "something else has appeared since");
	return SEEN_NOTHING;
}

int
hindsight_made(struct change *c, enum hindsight_made what, struct err *e)
{
	struct json *log;
	char path[PATH];
	uint64_t id;
	int got;

	if (live_self(c->live, e) < 0)
		return -1;
	snprintf(path, sizeof(path),
	    "/guilds/%" PRIu64
	    "/audit-logs?action_type=%d&limit=100&user_id=%" PRIu64,
	    change_id(c->plan, "guild"), (int)what, c->live->reading.bot);
	if ((got = hindsight_get(c, path, &log, e)) < 0)
		return -1;
	if (got != 1)
		return look_around(c, what, e);
	id = find_entry(c, log);
	json_free(log);
	if (!id)
		return hindsight(c, false, true);
	buf_fmt(&c->seen,
	    "the audit log has that %" PRIu64 " was made by this call", id);
	return SEEN_DONE;
}
