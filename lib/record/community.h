#ifndef RECORD_COMMUNITY_H
#define RECORD_COMMUNITY_H
/*
 * community - what Discord tells of a guild, its channels, roles and members:
 * passed from whoever reads it (discord/community) to whoever keeps it
 * (store/community), and to the permission algorithm. Not a line of NDJSON.
 *
 * Memory   texts and lists are borrowed from where they came from.
 * Ids      0 for none. Permissions are Discord's 64 bits.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Discord's "Channel Types", as far as they matter here. */
enum channel_kind {
	CHANNEL_TEXT = 0,
	CHANNEL_DM = 1,
	CHANNEL_VOICE = 2,
	CHANNEL_GROUP_DM = 3,
	CHANNEL_CATEGORY = 4,
	CHANNEL_NEWS = 5,
	CHANNEL_NEWS_THREAD = 10,
	CHANNEL_PUBLIC_THREAD = 11,
	CHANNEL_PRIVATE_THREAD = 12,
	CHANNEL_STAGE = 13,
	CHANNEL_DIRECTORY = 14,
	CHANNEL_FORUM = 15,
	CHANNEL_MEDIA = 16,
};

enum { OVERWRITES_MOST = 1000, ROLES_MOST = 1000 };

struct overwrite {
	uint64_t target; /* a role, or a user */
	bool member;     /* it is a user */
	uint64_t allow, deny;
};

struct guild_facts {
	uint64_t id, owner;
	const char *name, *icon; /* NULL if not told */
};

struct channel_facts {
	uint64_t id, guild, parent, owner;
	uint64_t last; /* the newest message in it; 0 if not told */
	int64_t kind;
	const char *name, *topic; /* NULL if not told */
	int64_t position;
	bool nsfw;
	bool archived, locked; /* of a thread */
	int64_t archived_ms;   /* 0 if not told */
	bool has_overwrites;   /* they are told, if only as none */
	const struct overwrite *overwrites;
	size_t overwrite_count;
};

struct role_facts {
	uint64_t id, guild, permissions;
	const char *name;
	char color[8]; /* "#rrggbb"; "" for none */
	int64_t position;
};

struct member_facts {
	uint64_t id, guild;
	const char *name, *discriminator, *display, *nickname;
	bool bot;
	bool has_user;      /* name and so on are told */
	bool has_roles;     /* they are told, if only as none */
	int64_t timeout_ms; /* may not speak until then; 0 for no such time */
	const uint64_t *roles;
	size_t role_count;
};

bool channel_is_thread(int64_t kind);

/* The exporter's word, as archives have it: "GuildTextChat". */
const char *channel_kind_word(int64_t kind); /* "" for one we don't know */

#endif
