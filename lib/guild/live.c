#include "guild/live.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "access/admission.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/id.h"
#include "discord/parts.h"
#include "discord/rest.h"
#include "ext/json.h"
#include "record/call.h"
#include "store/settings.h"

enum { NOT_FOUND = 404, WAIT_MS = 12000, PATH = 160 };

enum { THE_GUILD, THE_CHANNELS, THE_THREADS, ASKED_FOR, HERE };

int
live_rest(struct live *l, struct rest **r, struct err *e)
{
	if (!l->rest && rest_open(&l->rest, &l->poll, e) < 0)
		return -1;
	*r = l->rest;
	return 0;
}

/* One GET: 1, 0 for what isn't there, or -1. */
static int
fetch(struct live *l, const char *path, struct json **root, struct err *e)
{
	struct rest_call c = {
	    .method = "GET",
	    .path = path,
	    .until_ms = clock_boot_ms() + WAIT_MS,
	};
	struct rest *rest;
	struct err why = {0};
	int result = 1;

	*root = NULL;
	if (live_rest(l, &rest, e) < 0)
		return -1;
	if (rest_ask(rest, &c, &why) < 0) {
		result = c.status == NOT_FOUND && c.verdict.code ? 0 : -1;
		*e = result < 0 ? why : *e;
	} else if (json_read(root, buf_text(&c.reply), c.reply.len, e) < 0) {
		result = -1;
	}
	rest_release(&c);
	return result;
}

int
live_find(struct live *l, const char *path, struct json **root, struct err *e)
{
	return fetch(l, path, root, e);
}

int
live_get(struct live *l, const char *path, struct json **root, struct err *e)
{
	int got = fetch(l, path, root, e);

	if (got == 0)
		return err_set(e, ERR_INPUT, "Discord knows no %s", path);
	return got < 0 ? -1 : 0;
}

/* ---- who may do what ---- */

static int
find_member(void *ctx, struct realm_member *m, struct err *e)
{
	struct live *l = ctx;
	struct member_facts facts;
	struct json *root;
	char path[PATH];
	int got;

	snprintf(path, sizeof(path), "/guilds/%" PRIu64 "/members/%" PRIu64,
	    l->id, m->user);
	if ((got = live_find(l, path, &root, e)) <= 0)
		return got;
	if (community_member(&facts, &l->lists, l->id, root, NULL) &&
	    facts.has_roles) {
		m->known = true;
		m->timed_out = facts.timeout_ms > clock_now_ms();
		for (size_t i = 0; i < facts.role_count; i++)
			m->roles[m->role_count++] = facts.roles[i];
	}
	json_free(root);
	return 0;
}

static int
find_joined(void *ctx, uint64_t user, const struct realm_channel *c,
    struct err *e)
{
	struct live *l = ctx;
	struct json *root;
	struct err why = {0};
	char path[PATH];
	int got;

	snprintf(path, sizeof(path),
	    "/channels/%" PRIu64 "/thread-members/%" PRIu64, c->id, user);
	got = live_find(l, path, &root, &why);
	json_free(root);
	if (got >= 0 || why.kind == ERR_REFUSED) /* not even we see it */
		return got > 0;
	*e = why;
	return -1;
}

static void
add_channel(struct live *l, const struct json *v)
{
	struct channel_facts c;

	if (community_channel(&c, &l->lists, l->id, v) && c.guild == l->id &&
	    !realm_channel(&l->realm, c.id))
		realm_add_channel(&l->realm, &c, 0);
}

static void
fill_realm(struct live *l)
{
	const struct realm_source from = {
	    .member = find_member,
	    .joined = find_joined,
	    .ctx = l,
	};
	const struct json *v = json_first(json_get(l->guild, "roles"));
	struct role_facts role;

	realm_start(&l->realm, l->id, parts_id(l->guild, "owner_id", NULL),
	    &from);
	for (; v; v = json_next(v))
		if (community_role(&role, l->id, v))
			realm_add_role(&l->realm, role.id, role.permissions);
	for (v = json_first(l->channels); v; v = json_next(v))
		add_channel(l, v);
	for (v = json_first(l->threads); v; v = json_next(v))
		add_channel(l, v);
	realm_ready(&l->realm);
}

/* A thread that isn't active; what isn't there, or elsewhere, is left out. */
static int
add_another(struct live *l, uint64_t id, int tree, struct err *e)
{
	char path[PATH];
	struct json *root;
	struct err why = {0};
	int got;

	if (!id || realm_channel(&l->realm, id))
		return 0;
	snprintf(path, sizeof(path), "/channels/%" PRIu64, id);
	got = live_find(l, path, &root, &why);
	if (got < 0 && why.kind != ERR_REFUSED) {
		*e = why;
		return -1;
	}
	if (got <= 0)
		return 0;
	l->trees[tree] = root;
	add_channel(l, root);
	realm_ready(&l->realm);
	return 0;
}

/* ---- the guild ---- */

static int
only_guild(uint64_t *id, struct err *e)
{
	struct settings s = {0};
	const char *first, *second;
	int result = -1;

	if (settings_open(&s, e) < 0)
		return -1;
	first = settings_id(&s, "discord.guilds", 0);
	second = first ? settings_id(&s, "discord.guilds", 1) : NULL;
	if (!first)
		err_set(e, ERR_CONFIG,
		    "no server is enabled: sophia settings set "
		    "discord.guilds ID");
	else if (second)
		err_set(e, ERR_INPUT,
		    "there are several servers: this must be asked in one");
	else
		result = snowflake_read(id, first);
	settings_close(&s);
	return result;
}

static int
find_guild(struct live *l, const struct call *call, struct err *e)
{
	const struct location *at = &call->context.location;

	if (at->kind != LOCATION_GUILD)
		return only_guild(&l->id, e);
	if (snowflake_read(&l->id, at->guild) < 0)
		return err_set(e, ERR_DENIED, "the call names no server");
	return admission_guild(at->guild, e);
}

static int
fetch_guild(struct live *l, struct err *e)
{
	char path[PATH];

	snprintf(path, sizeof(path), "/guilds/%" PRIu64 "?with_counts=true",
	    l->id);
	if (live_get(l, path, &l->trees[THE_GUILD], e) < 0)
		return -1;
	snprintf(path, sizeof(path), "/guilds/%" PRIu64 "/channels", l->id);
	if (live_get(l, path, &l->trees[THE_CHANNELS], e) < 0)
		return -1;
	snprintf(path, sizeof(path), "/guilds/%" PRIu64 "/threads/active",
	    l->id);
	if (live_get(l, path, &l->trees[THE_THREADS], e) < 0)
		return -1;
	l->guild = l->trees[THE_GUILD];
	l->channels = l->trees[THE_CHANNELS];
	l->threads = json_get(l->trees[THE_THREADS], "threads");
	return 0;
}

int
live_self(struct live *l, struct err *e)
{
	struct json *self;

	if (l->reading.bot)
		return 0;
	if (live_get(l, "/users/@me", &self, e) < 0)
		return -1;
	l->reading.bot = parts_id(self, "id", NULL);
	json_free(self);
	return 0;
}

static int
no_member(const struct live *l, struct err *e)
{
	if (!l->realm.failed.kind)
		return err_set(e, ERR_DENIED,
		    "whoever asks is no member of this server");
	*e = l->realm.failed;
	return -1;
}

/* Whoever asks must be a member, and where all will read the answer. */
static int
find_asker(struct live *l, const struct call *call, struct err *e)
{
	const struct context *c = &call->context;
	struct reading *w = &l->reading;
	struct permission p;
	uint64_t here;

	w->actor = 0;
	w->here = NULL;
	if (strcmp(c->actor.id, "local") == 0)
		return 0;
	if (snowflake_read(&w->actor, c->actor.id) < 0 ||
	    !l->realm.crowd.known(&l->realm, w->actor, &p))
		return no_member(l, e);
	if (c->location.kind != LOCATION_GUILD ||
	    c->visibility != VISIBILITY_PUBLIC)
		return 0;
	if (snowflake_read(&here, c->location.channel) < 0)
		return err_set(e, ERR_DENIED,
		    "it isn't known where the answer will be read");
	if (add_another(l, here, HERE, e) < 0)
		return -1;
	return reading_place(w, &l->realm, here, e);
}

int
live_begin(struct live *l, const struct call *call, uint64_t also,
    struct err *e)
{
	if (find_guild(l, call, e) < 0 || live_self(l, e) < 0)
		return -1;
	if (fetch_guild(l, e) == 0) {
		fill_realm(l);
		if (add_another(l, also, ASKED_FOR, e) == 0 &&
		    find_asker(l, call, e) == 0)
			return 0;
	}
	live_end(l);
	return -1;
}

void
live_end(struct live *l)
{
	realm_release(&l->realm);
	for (size_t i = 0; i < LIVE_TREES; i++) {
		json_free(l->trees[i]);
		l->trees[i] = NULL;
	}
	l->guild = l->channels = l->threads = NULL;
	l->reading.here = NULL;
}

void
live_close(struct live *l)
{
	live_end(l);
	community_release(&l->lists);
	rest_close(l->rest);
	l->rest = NULL;
	poll_release(&l->poll);
}
