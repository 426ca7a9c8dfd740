#include "guild/member.h"

#include <inttypes.h>
#include <stdio.h>
#include <strings.h>

#include "core/buf.h"
#include "core/err.h"
#include "discord/parts.h"
#include "ext/json.h"
#include "guild/describe.h"
#include "guild/live.h"

enum { FOUND_MOST = 100 };

int
member_search(struct live *l, const char *name, struct json **page,
    struct err *e)
{
	struct buf path = {0};
	int result;

	buf_fmt(&path,
	    "/guilds/%" PRIu64 "/members/search?limit=%d&query=", l->id,
	    FOUND_MOST);
	live_encode(&path, name + (*name == '@'));
	result = live_get(l, buf_text(&path), page, e);
	buf_release(&path);
	return result;
}

static bool
is_called(const struct json *m, const char *name)
{
	const struct json *user = json_get(m, "user");
	const char *const names[] = {json_string(m, "nick"),
	    json_string(user, "global_name"), json_string(user, "username")};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i] && strcasecmp(names[i], name) == 0)
			return true;
	return false;
}

/* The ids of all that were found, for whoever asks to choose from. */
static int
unclear(const struct json *page, const char *name, struct err *e)
{
	struct buf list = {.limit = 300};

	for (const struct json *m = json_first(page); m; m = json_next(m))
		buf_fmt(&list, "%s%s (%s)", list.len ? ", " : "",
		    describe_member_name(m),
		    json_string(json_get(m, "user"), "id"));
	err_set(e, ERR_INPUT,
	    list.len ? "'%.60s' could be: %s; give the id"
		     : "no member '%.60s'%s",
	    name, buf_text(&list));
	buf_release(&list);
	return -1;
}

static int
find_named(struct live *l, const char *name, uint64_t *id, struct err *e)
{
	struct json *page;
	int result = 0, matches = 0;

	name += *name == '@';
	if (member_search(l, name, &page, e) < 0)
		return -1;
	for (const struct json *m = json_first(page); m; m = json_next(m))
		if (is_called(m, name)) {
			*id = parts_id(json_get(m, "user"), "id", NULL);
			matches++;
		}
	if (matches != 1)
		result = unclear(page, name, e);
	json_free(page);
	return result;
}

int
member_find(struct live *l, const char *name, struct json **m, struct err *e)
{
	uint64_t id = live_id(name, "<@");
	char path[96];
	int found;

	*m = NULL;
	if (!id && find_named(l, name, &id, e) < 0)
		return -1;
	snprintf(path, sizeof(path), "/guilds/%" PRIu64 "/members/%" PRIu64,
	    l->id, id);
	if ((found = live_find(l, path, m, e)) < 0)
		return -1;
	return found ? 0 : err_set(e, ERR_INPUT, "no member %" PRIu64, id);
}
