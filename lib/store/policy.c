#include "store/policy.h"

#include <stddef.h>
#include <string.h>

#include "core/clock.h"
#include "ext/json.h"
#include "store/settings.h"

static const char *const effects[] = {"allow", "ask", "deny"};

const char *
policy_effect_word(enum policy_effect x)
{
	return effects[x];
}

static const struct json *
next(const struct settings *s, const char *list, const struct json **at)
{
	*at = *at ? json_next(*at) : settings_items(s, list);
	return *at;
}

/* 0 where it isn't there; what is there was checked when it was read. */
static int64_t
time_of(const struct json *v, const char *key)
{
	const char *text = json_string(v, key);
	int64_t at_ms = 0;

	return text && clock_parse(&at_ms, text) == 0 ? at_ms : 0;
}

bool
policy_grant(const struct settings *s, const struct json **at,
    struct policy_grant *g)
{
	const struct json *v = next(s, "access.grants", at);

	if (!v)
		return false;
	*g = (struct policy_grant){
	    .user = json_string(v, "user"),
	    .role = json_string(v, "role"),
	    .guild = json_string(v, "guild"),
	    .tier = tier_of(json_string(v, "tier")),
	    .automatic = strcmp(json_string(v, "mode"), "auto") == 0,
	    .until_ms = time_of(v, "until"),
	    .by = json_string(v, "by"),
	    .at_ms = time_of(v, "at"),
	};
	return true;
}

static enum policy_effect
effect_of(const struct json *v)
{
	const char *word = json_string(v, "effect");

	return strcmp(word, "allow") == 0 ? POLICY_ALLOW
	       : strcmp(word, "ask") == 0 ? POLICY_ASK
					  : POLICY_DENY;
}

bool
policy_rule(const struct settings *s, const struct json **at,
    struct policy_rule *r)
{
	const struct json *v = next(s, "access.rules", at);
	const char *tier = json_string(v, "tier");

	if (!v)
		return false;
	*r = (struct policy_rule){
	    .effect = effect_of(v),
	    .capability = json_string(v, "capability"),
	    .tier = tier ? tier_of(tier) : TIER_READ,
	    .guild = json_string(v, "guild"),
	    .user = json_string(v, "user"),
	    .role = json_string(v, "role"),
	    .channel = json_string(v, "channel"),
	    .by = json_string(v, "by"),
	    .at_ms = time_of(v, "at"),
	};
	return true;
}

static bool
place(const struct json *v, struct policy_place *p)
{
	if (!v)
		return false;
	*p = (struct policy_place){
	    .guild = json_string(v, "guild"),
	    .channel = json_string(v, "channel"),
	    .role = json_string(v, "role"),
	    .user = json_string(v, "user"),
	    .by = json_string(v, "by"),
	    .at_ms = time_of(v, "at"),
	};
	return true;
}

bool
policy_protected(const struct settings *s, const struct json **at,
    struct policy_place *p)
{
	return place(next(s, "access.protected", at), p);
}

bool
policy_moderator(const struct settings *s, const struct json **at,
    struct policy_place *p)
{
	return place(next(s, "access.moderators", at), p);
}
