#include "runtime/roles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/mem.h"
#include "ext/json.h"
#include "record/discord_answer.h"
#include "record/discord_request.h"
#include "runtime/kit.h"

enum { SEND_MS = 10000, ANSWER_MS = 20000 };

/* Take the roles of a member as Discord writes one. */
static void
take(struct roles *r, const struct json *member)
{
	const struct json *list = json_get(member, "roles");
	size_t n = 0;

	if (json_kind(list) != JSON_ARRAY)
		return;
	r->ids = mem_array(json_count(list) + 1, sizeof(*r->ids));
	r->ids[n++] = mem_dup(r->guild);
	for (const struct json *v = json_first(list); v; v = json_next(v))
		if (json_kind(v) == JSON_STRING)
			r->ids[n++] = mem_dup(json_text(v));
	r->count = n;
	r->known = true;
}

static bool
on_line(void *ctx, const struct json *record)
{
	struct roles *r = ctx;
	struct discord_answer a;
	struct err e = {0};

	if (discord_answer_read(&a, record, &e) == 0 &&
	    a.outcome == DISCORD_ANSWERED && a.kind == ERR_NONE)
		take(r, a.body.tree);
	r->asks = false;
	return true;
}

static void
on_failed(void *ctx, const struct err *why)
{
	struct roles *r = ctx;

	(void)why; /* they are not known: that is all there is to it */
	r->asks = false;
}

bool
roles_heard(const struct roles *r, const char *guild)
{
	return !r->asks && strcmp(r->guild, guild) == 0;
}

void
roles_ask(struct roles *r, const char *guild, const char *user)
{
	char path[96];
	const struct discord_request q = {.id = r->id,
	    .method = "GET",
	    .path = path,
	    .urgency = DISCORD_URGENT,
	    .timeout_ms = SEND_MS};
	struct buf line = {0};
	struct err e = {0};
	const struct crew_post *post;

	roles_forget(r);
	snprintf(r->guild, sizeof(r->guild), "%.20s", guild);
	snprintf(path, sizeof(path), "/guilds/%.20s/members/%.20s", guild,
	    user);
	id_new(r->id);
	r->job = (struct crew_job){.id = r->id,
	    .deadline_ms = clock_boot_ms() + ANSWER_MS,
	    .line = on_line,
	    .failed = on_failed,
	    .ctx = r};
	discord_request_write(&line, &q);
	r->asks = true;
	post = kit_discord(r->kit, &e);
	if (!post ||
	    crew_give(r->crew, post, line.data, line.len - 1, &r->job, &e) < 0)
		r->asks = false;
	buf_release(&line);
}

void
roles_forget(struct roles *r)
{
	crew_cancel(&r->job);
	for (size_t i = 0; i < r->count; i++)
		mem_drop(r->ids[i]);
	free(r->ids);
	r->ids = NULL;
	r->count = 0;
	r->known = r->asks = false;
	r->guild[0] = '\0';
}
