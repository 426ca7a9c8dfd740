#ifndef STORE_POLICY_H
#define STORE_POLICY_H
/*
 * policy - who may do what: the lists of the settings' category access, as
 * they were written. What they come to is for access/decide.
 *
 * Grants      give a person or a role a tier; without a guild, a person
 *             everywhere. An end (until_ms) may be set.
 * Rules       deny, ask or allow one capability or one tier; each condition
 *             that they have must be met.
 * Protected   channels and roles, where nothing destructive happens.
 * Moderators  people and roles that are let in, for reads only.
 *
 * Order    as written. `*at` begins as NULL and is moved on by each call.
 * Memory   texts are borrowed from the open settings.
 * Units    until_ms and at_ms are ms since 1970-01-01 UTC; until_ms 0: no end.
 */

#include <stdbool.h>
#include <stdint.h>

#include "record/tier.h"

struct json;
struct settings;

struct policy_grant {
	const char *user, *role; /* one of them, the other one is NULL */
	const char *guild;       /* NULL: everywhere */
	enum tier tier;          /* the highest */
	bool automatic;          /* nobody is asked */
	int64_t until_ms;
	const char *by; /* an id of Discord's, or "local" */
	int64_t at_ms;
};

enum policy_effect { POLICY_ALLOW, POLICY_ASK, POLICY_DENY };

struct policy_rule {
	enum policy_effect effect;
	const char *capability; /* or NULL: all of the tier */
	enum tier tier;
	const char *guild, *user, *role, *channel; /* conditions, or NULL */
	const char *by;
	int64_t at_ms;
};

struct policy_place { /* protected, or a moderator */
	const char *guild;
	const char *channel, *role, *user; /* one of them */
	const char *by;
	int64_t at_ms;
};

/* The next one: true and filled, or false after the last. */
bool policy_grant(const struct settings *s, const struct json **at,
    struct policy_grant *g);
bool policy_rule(const struct settings *s, const struct json **at,
    struct policy_rule *r);
bool policy_protected(const struct settings *s, const struct json **at,
    struct policy_place *p);
bool policy_moderator(const struct settings *s, const struct json **at,
    struct policy_place *p);

const char *policy_effect_word(enum policy_effect x); /* "deny" */

#endif
