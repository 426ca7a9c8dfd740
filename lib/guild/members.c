/* list_members, get_member_profile */
#include <inttypes.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/id.h"
#include "discord/parts.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "guild/answers.h"
#include "guild/describe.h"
#include "guild/live.h"
#include "guild/member.h"
#include "record/call.h"
#include "tool/serve.h"

enum {
	SHOWN = 25, /* if not said */
	SHOWN_MOST = 100,
	PAGE = 1000,
	PAGES = 5, /* that are looked through for one answer */
};

struct listing {
	struct live *live;
	const struct json *role; /* NULL for all */
	int64_t limit, count;
	uint64_t after; /* the id that was looked at last */
	struct buf *data;
};

static bool
has_role(const struct json *member, const struct json *role)
{
	const char *want = role ? json_string(role, "id") : NULL;
	const struct json *v = json_first(json_get(member, "roles"));

	if (!want || parts_id(role, "id", NULL) == 0)
		return true;
	while (v && (!json_text(v) || strcmp(json_text(v), want) != 0))
		v = json_next(v);
	return v != NULL;
}

/* Of @everyone nobody has to be a member. */
static const struct json *
telling_role(const struct live *l, const struct json *role)
{
	return role && parts_id(role, "id", NULL) == l->id ? NULL : role;
}

/* Show those of a page that are wanted: true once there are enough. */
static bool
show_page(struct listing *x, const struct json *page)
{
	for (const struct json *m = json_first(page); m; m = json_next(m)) {
		if (x->count == x->limit)
			return true;
		x->after = parts_id(json_get(m, "user"), "id", NULL);
		if (!has_role(m, x->role))
			continue;
		describe_member(x->data, NULL, x->live, m);
		x->count++;
	}
	return false;
}

static int
no_list(struct err *e)
{
	if (e->kind == ERR_REFUSED)
		return err_in(e,
		    "Discord doesn't list members; the privileged intent "
		    "Server Members must be switched on in the developer "
		    "portal; a search by name works without");
	return -1;
}

/* All members, a page after the other: 1 if there may be more, or 0. */
static int
list_all(struct listing *x, struct err *e)
{
	for (int i = 0; i < PAGES; i++) {
		struct json *page;
		char path[128];
		size_t got;
		bool full;

		snprintf(path, sizeof(path),
		    "/guilds/%" PRIu64 "/members?limit=%d&after=%" PRIu64,
		    x->live->id, PAGE, x->after);
		if (live_get(x->live, path, &page, e) < 0)
			return no_list(e);
		got = json_count(page);
		full = show_page(x, page);
		json_free(page);
		if (full || got < PAGE)
			return full;
	}
	return 1;
}

static int
list_found(struct listing *x, const char *name, struct err *e)
{
	struct json *page;
	int more;

	if (member_search(x->live, name, &page, e) < 0)
		return -1;
	more = show_page(x, page);
	json_free(page);
	return more;
}

static int
read_listing(struct listing *x, const struct json *in, struct err *e)
{
	const char *role = json_string(in, "role");
	const char *cursor = json_string(in, "cursor");

	x->limit = json_int(in, "limit", SHOWN);
	if (x->limit < 1 || x->limit > SHOWN_MOST)
		return err_set(e, ERR_INPUT, "limit is no number from 1 to %d",
		    SHOWN_MOST);
	if (cursor && snowflake_read(&x->after, cursor) < 0)
		return err_set(e, ERR_INPUT, "this is no cursor of this tool");
	if (role && live_name_role(x->live, role, &x->role, e) < 0)
		return -1;
	x->role = telling_role(x->live, x->role);
	return 0;
}

int
guild_members(void *ctx, const struct call *call, struct answer_parts *a,
    struct err *e)
{
	struct live *l = ctx;
	struct listing x = {.live = l, .data = &a->data};
	const char *query = json_string(call->arguments.tree, "query");
	int more = -1;

	if (live_begin(l, call, 0, e) < 0)
		return -1;
	if (read_listing(&x, call->arguments.tree, e) < 0)
		goto out;
	jsonw_object(&a->data, NULL);
	jsonw_array(&a->data, "members");
	more = query && *query ? list_found(&x, query, e) : list_all(&x, e);
	jsonw_end_array(&a->data);
	jsonw_int(&a->data, "count", x.count);
	jsonw_end_object(&a->data);
	buf_fmt(&a->summary, "%" PRId64 " members%s", x.count,
	    more > 0 ? "; there are more" : "");
	if (more > 0 && !(query && *query))
		buf_fmt(&a->cursor, "%" PRIu64, x.after);
out:
	live_end(l);
	return more < 0 ? -1 : 0;
}

/* ---- one of them ---- */

int
guild_member(void *ctx, const struct call *call, struct answer_parts *a,
    struct err *e)
{
	struct live *l = ctx;
	const char *name = json_string(call->arguments.tree, "member");
	struct json *m = NULL;
	int result;

	if (!name)
		return err_set(e, ERR_INPUT, "member is missing");
	if (live_begin(l, call, 0, e) < 0)
		return -1;
	result = member_find(l, name, &m, e);
	if (result == 0) {
		describe_member(&a->data, NULL, l, m);
		buf_fmt(&a->summary, "%s, id %s", describe_member_name(m),
		    json_string(json_get(m, "user"), "id"));
	}
	json_free(m);
	live_end(l);
	return result;
}
