/* get_guild_context, list_roles, get_role_info */
#include <inttypes.h>
#include <stdlib.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/id.h"
#include "core/mem.h"
#include "discord/parts.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "guild/answers.h"
#include "guild/describe.h"
#include "guild/live.h"
#include "record/call.h"
#include "tool/serve.h"

/* How many channels the asker may know of. */
static int
count_channels(struct live *l, int64_t *count, struct err *e)
{
	*count = 0;
	for (size_t i = 0; i < l->realm.channel_count; i++) {
		const struct realm_channel *c = &l->realm.channels[i];
		int may;

		if (c->kind == CHANNEL_CATEGORY || channel_is_thread(c->kind))
			continue;
		if ((may = live_may(l, c->id, false, e)) < 0)
			return -1;
		*count += may;
	}
	return 0;
}

/* Where it was asked, and what Sophia may do there. */
static int
add_here(struct live *l, const struct call *call, struct buf *d, struct err *e)
{
	const struct realm_channel *c;
	uint64_t id, bits = 0;
	int may;

	if (snowflake_read(&id, call->context.location.channel) < 0 ||
	    (c = realm_channel(&l->realm, id)) == NULL)
		return 0;
	if ((may = live_may(l, id, false, e)) <= 0)
		return may;
	if (realm_bits(&l->realm, l->reading.bot, c, &bits, e) < 0)
		return -1;
	describe_channel(d, "channel", l, live_channel(l, id));
	describe_permissions(d, "sophia_may_here", bits);
	return 0;
}

static int
add_owner(struct live *l, struct buf *d, struct err *e)
{
	const char *owner = json_string(l->guild, "owner_id");
	struct json *m;
	char path[96];
	int found;

	snprintf(path, sizeof(path), "/guilds/%" PRIu64 "/members/%.20s", l->id,
	    owner ? owner : "0");
	if ((found = live_find(l, path, &m, e)) < 0)
		return -1;
	jsonw_object(d, "owner");
	jsonw_str(d, "id", owner);
	if (found)
		jsonw_str(d, "name", describe_member_name(m));
	jsonw_end_object(d);
	json_free(m);
	return 0;
}

static void
add_guild(const struct live *l, struct buf *d)
{
	const struct json *g = l->guild;

	jsonw_str(d, "id", json_string(g, "id"));
	jsonw_str(d, "name", json_string(g, "name"));
	jsonw_opt(d, "description", json_string(g, "description"));
	jsonw_time(d, "created_at", snowflake_ms(l->id));
	jsonw_int(d, "members", json_int(g, "approximate_member_count", 0));
	jsonw_int(d, "online", json_int(g, "approximate_presence_count", 0));
	jsonw_int(d, "boost_level", json_int(g, "premium_tier", 0));
	jsonw_opt(d, "language", json_string(g, "preferred_locale"));
	jsonw_int(d, "roles", (int64_t)json_count(json_get(g, "roles")));
}

int
guild_context(void *ctx, const struct call *call, struct answer_parts *a,
    struct err *e)
{
	struct live *l = ctx;
	int64_t channels;
	uint64_t here = 0;
	int result = -1;

	(void)snowflake_read(&here, call->context.location.channel);
	if (live_begin(l, call, here, e) < 0)
		return -1;
	if (count_channels(l, &channels, e) < 0)
		goto out;
	jsonw_object(&a->data, NULL);
	add_guild(l, &a->data);
	jsonw_int(&a->data, "channels", channels);
	if (add_owner(l, &a->data, e) < 0 || add_here(l, call, &a->data, e) < 0)
		goto out;
	jsonw_end_object(&a->data);
	buf_fmt(&a->summary, "%s: %" PRId64 " members, %" PRId64 " channels",
	    json_string(l->guild, "name"),
	    json_int(l->guild, "approximate_member_count", 0), channels);
	result = 0;
out:
	live_end(l);
	return result;
}

/* ---- roles ---- */

struct place {
	const struct json *role;
};

static int
by_position(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int64_t i = json_int(x->role, "position", 0);
	int64_t k = json_int(y->role, "position", 0);

	return i != k ? (i < k ? 1 : -1) : 0;
}

int
guild_roles(void *ctx, const struct call *call, struct answer_parts *a,
    struct err *e)
{
	struct live *l = ctx;
	const struct json *roles;
	struct place *sorted;
	size_t count = 0;

	if (live_begin(l, call, 0, e) < 0)
		return -1;
	roles = json_get(l->guild, "roles");
	sorted = mem_array(json_count(roles) + 1, sizeof(*sorted));
	for (const struct json *v = json_first(roles); v; v = json_next(v))
		sorted[count++].role = v;
	qsort(sorted, count, sizeof(*sorted), by_position);
	jsonw_object(&a->data, NULL);
	jsonw_array(&a->data, "roles");
	for (size_t i = 0; i < count; i++)
		describe_role(&a->data, NULL, sorted[i].role);
	jsonw_end_array(&a->data);
	jsonw_end_object(&a->data);
	buf_fmt(&a->summary, "%zu roles, the highest first", count);
	free(sorted);
	live_end(l);
	return 0;
}

/* The channels that treat the role in another way, if the asker may see them. */
static int
add_exceptions(struct live *l, uint64_t role, struct buf *d, struct err *e)
{
	int may = 0;

	jsonw_array(d, "channels");
	for (size_t i = 0; i < l->realm.channel_count && may >= 0; i++) {
		const struct realm_channel *c = &l->realm.channels[i];

		for (size_t k = 0; k < c->rules.count; k++) {
			const struct overwrite *o = &c->rules.at[k];

			if (o->member || o->target != role ||
			    channel_is_thread(c->kind))
				continue;
			if ((may = live_may(l, c->id, false, e)) <= 0)
				break;
			jsonw_object(d, NULL);
			describe_named(d, "channel", live_channel(l, c->id));
			describe_permissions(d, "allowed", o->allow);
			describe_permissions(d, "denied", o->deny);
			jsonw_end_object(d);
		}
	}
	jsonw_end_array(d);
	return may < 0 ? -1 : 0;
}

int
guild_role(void *ctx, const struct call *call, struct answer_parts *a,
    struct err *e)
{
	struct live *l = ctx;
	const char *name = json_string(call->arguments.tree, "role");
	const struct json *role;
	int result = -1;

	if (!name)
		return err_set(e, ERR_INPUT, "role is missing");
	if (live_begin(l, call, 0, e) < 0)
		return -1;
	if (live_name_role(l, name, &role, e) < 0)
		goto out;
	jsonw_object(&a->data, NULL);
	describe_role(&a->data, "role", role);
	describe_permissions(&a->data, "permissions",
	    describe_bits(role, "permissions"));
	if (add_exceptions(l, parts_id(role, "id", NULL), &a->data, e) < 0)
		goto out;
	jsonw_end_object(&a->data);
	buf_fmt(&a->summary, "the role %s, id %s", json_string(role, "name"),
	    json_string(role, "id"));
	result = 0;
out:
	live_end(l);
	return result;
}
