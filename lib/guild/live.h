#ifndef GUILD_LIVE_H
#define GUILD_LIVE_H
/*
 * live - a guild as Discord shows it now, for one call of a tool: who asks, and
 * what an answer to them may say.
 *
 * live_begin() fetches the guild with its roles, its channels and its active
 * threads, and whoever asks; live_end() forgets them. People are looked up when
 * a rule depends on them. The guild is the one that the call comes from; from a
 * terminal or in direct messages it is the only one that is enabled.
 *
 * What the asker may not see is as if it weren't there (access/reading): the
 * same words for a channel that is hidden and for one that is not.
 *
 * Memory   {0} is closed. Trees are borrowed until live_end().
 * Errors   Those of discord/rest; ERR_INPUT for what there is none of;
 *          ERR_DENIED for who is no member.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/reading.h"
#include "access/realm.h"
#include "core/buf.h"
#include "core/poll.h"
#include "discord/community.h"

struct call;
struct err;
struct json;
struct rest;

enum { LIVE_TREES = 5 };

struct live {
	uint64_t id; /* of the guild */
	struct realm realm;
	struct reading reading;
	const struct json *guild, *channels, *threads; /* as Discord has them */

	struct poll poll; /* private from here */
	struct rest *rest;
	struct community_lists lists;
	struct json *trees[LIVE_TREES]; /* those three; threads that aren't
					 * active: of the call, and here */
};

void live_close(struct live *l); /* harmless on {0}, or twice */

/* also: a channel that may not be in the lists, such as an old thread; or 0. */
int live_begin(struct live *l, const struct call *call, uint64_t also,
    struct err *e);
void live_end(struct live *l);

/* GET a path: 0 and *root, to be freed; or -1. */
int live_get(struct live *l, const char *path, struct json **root,
    struct err *e);

/*
 * The same, but 1, and 0 if Discord says that there is no such thing: with one
 * of its own codes, not just any 404.
 */
int live_find(struct live *l, const char *path, struct json **root,
    struct err *e);

/* Where requests go; opened when it is first needed. */
int live_rest(struct live *l, struct rest **r, struct err *e);

/* Who Sophia is there: 0 and l->reading.bot. Done by live_begin(), too. */
int live_self(struct live *l, struct err *e);

/* Its JSON, and whether the asker may see it, or read it: 1, 0 or -1. */
const struct json *live_channel(const struct live *l, uint64_t id);
int live_may(struct live *l, uint64_t channel, bool history, struct err *e);

/* ERR_INPUT, as for one that isn't there, unless its history may be shown. */
int live_readable(struct live *l, uint64_t channel, const char *name,
    struct err *e);

/*
 * The channel or role that a text means: an id, a mention, or a name, whose
 * case doesn't matter. 0 and *id; or ERR_INPUT.
 */
int live_name_channel(struct live *l, const char *text, uint64_t *id,
    struct err *e);
int live_name_role(struct live *l, const char *text, const struct json **role,
    struct err *e);

/* The id in a mention that begins so ("<#", "<@&"), or of bare digits; or 0. */
uint64_t live_id(const char *text, const char *mention);

/* Add text so that it can stand in a query. */
void live_encode(struct buf *path, const char *text);

#endif
