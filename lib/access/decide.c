#include "access/decide.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "access/concern.h"
#include "access/standing.h"
#include "core/clock.h"
#include "store/policy.h"

static const char *const verdicts[] = {"deny", "ask", "allow"};

const char *
access_word(enum access_verdict v)
{
	return verdicts[v];
}

enum tier
access_tier(const char *capability, enum tier declared)
{
	static const char *const names[] = {"manage_member_roles",
	    "edit_role_permissions", "edit_channel_permissions", "move_channel",
	    "move_category", "delete_channel", "delete_role", "delete_messages",
	    "clear_messages"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (capability && strcmp(names[i], capability) == 0)
			return TIER_DESTRUCTIVE;
	return declared;
}

static enum tier
tier_here(const struct access_question *q)
{
	return access_tier(q->capability, q->tier);
}

static bool
is_change(const struct access_question *q)
{
	return tier_here(q) >= TIER_WRITE;
}

static void settle(struct access_decision *d, enum access_verdict v,
    const char *fmt, ...) FORMAT(3, 4);

/* Make the verdict v, unless it is stricter already; and say why. */
static void
settle(struct access_decision *d, enum access_verdict v, const char *fmt, ...)
{
	char line[sizeof(d->why)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	standing_note(&d->reasons, "%s: %s", access_word(v), line);
	if (v < d->verdict || !d->why[0])
		snprintf(d->why, sizeof(d->why), "%s", line);
	if (v < d->verdict)
		d->verdict = v;
}

static void
write_end(char out[CLOCK_TEXT + 16], int64_t until_ms)
{
	char at[CLOCK_TEXT];

	out[0] = '\0';
	if (!until_ms)
		return;
	clock_text(at, until_ms);
	snprintf(out, CLOCK_TEXT + 16, ", until %s", at);
}

/* "grant to role 9 in server 1 (up to write, ask) by local" */
static void
note_grant(struct buf *b, const struct policy_grant *g, const char *what)
{
	char end[CLOCK_TEXT + 16];

	write_end(end, g->until_ms);
	standing_note(b, "grant to %s %s %s%s (up to %s, %s%s) by %s: %s",
	    g->role ? "role" : "user", g->role ? g->role : g->user,
	    g->guild ? "in server " : "everywhere", g->guild ? g->guild : "",
	    tier_word(g->tier), g->automatic ? "auto" : "ask", end, g->by,
	    what);
}

static bool
has_ended(const struct policy_grant *g, int64_t now_ms)
{
	return g->until_ms && g->until_ms <= now_ms;
}

/* What this grant gives the call. */
static enum access_verdict
weigh_grant(struct buf *why, const struct access_question *q,
    const struct policy_grant *g)
{
	const enum standing is = standing_among(q, g->user, g->role, g->guild);
	const char *what = NULL;

	if (is == STANDING_NO)
		return ACCESS_DENY;
	if (has_ended(g, q->now_ms))
		what = "it has ended";
	else if (is == STANDING_MAYBE)
		what = "not counted, since their roles aren't known";
	else if (g->tier < tier_here(q))
		what = "it does not reach that far";
	note_grant(why, g, what ? what : "it counts");
	return what ? ACCESS_DENY : g->automatic ? ACCESS_ALLOW : ACCESS_ASK;
}

static void
weigh_grants(struct access_decision *d, const struct access_question *q)
{
	const struct json *at = NULL;
	enum access_verdict best = ACCESS_DENY, one;
	struct policy_grant g;

	if (standing_operator(q->actor)) {
		best = ACCESS_ASK;
		standing_note(&d->reasons,
		    "operators have every tier, and are asked");
	}
	while (policy_grant(q->settings, &at, &g)) {
		one = weigh_grant(&d->reasons, q, &g);
		best = one > best ? one : best;
	}
	settle(d, best,
	    best == ACCESS_DENY  ? "there is no grant for %s calls here"
	    : best == ACCESS_ASK ? "a grant covers %s calls, and asks"
				 : "a grant covers %s calls",
	    tier_word(tier_here(q)));
}

static void
weigh_protection(struct access_decision *d, const struct access_question *q)
{
	const struct json *at = NULL;
	struct policy_place p;
	enum standing is;

	if (tier_here(q) != TIER_DESTRUCTIVE)
		return;
	while (policy_protected(q->settings, &at, &p)) {
		is = concern_protected(q, &p);
		if (is == STANDING_YES)
			settle(d, ACCESS_DENY,
			    "%s %s is protected: nothing destructive is done "
			    "to it, inside it, or around it",
			    p.role ? "role" : "channel",
			    p.role ? p.role : p.channel);
		if (is == STANDING_MAYBE)
			settle(d, ACCESS_DENY,
			    "it isn't known whether this would touch %s %s, "
			    "which is protected",
			    p.role ? "role" : "channel",
			    p.role ? p.role : p.channel);
	}
}

/*
 * Whoever may not change anything may not delete either: what is denied or
 * asked about for write calls is so for destructive ones.
 */
static bool
is_named(const struct access_question *q, const struct policy_rule *r)
{
	const enum tier t = tier_here(q);

	if (r->capability)
		return q->capability &&
		       strcmp(r->capability, q->capability) == 0;
	return r->tier == t ||
	       (r->effect != POLICY_ALLOW && r->tier == TIER_WRITE &&
		   t == TIER_DESTRUCTIVE);
}

static enum standing
concerns(const struct access_question *q, const struct policy_rule *r)
{
	enum standing who, where = STANDING_YES;

	if (!is_named(q, r))
		return STANDING_NO;
	who = standing_among(q, r->user, r->role, r->guild);
	if (r->channel && r->effect == POLICY_ALLOW)
		where = concern_only(q, r->channel) ? STANDING_YES
						    : STANDING_NO;
	else if (r->channel)
		where = concern_touches(q, r->channel);
	return who < where ? who : where;
}

static void
add(struct buf *b, const char *what, const char *id)
{
	if (id)
		buf_fmt(b, " %s %s", what, id);
}

static void
note_rule(struct buf *b, const struct policy_rule *r, enum standing is)
{
	buf_fmt(b, "rule: %s %s%s", policy_effect_word(r->effect),
	    r->capability ? r->capability : tier_word(r->tier),
	    r->capability ? "" : " calls");
	add(b, "of user", r->user);
	add(b, "of role", r->role);
	add(b, "in server", r->guild);
	add(b, "in channel", r->channel);
	add(b, "by", r->by);
	standing_note(b, "%s",
	    is == STANDING_YES ? ""
	    : r->effect == POLICY_ALLOW
		? ": not counted, since it isn't known to be about this"
		: ": counted, since it can't be told that it isn't about "
		  "this");
}

/* The strictest of the rules that are about this; false if none is. */
static bool
find_rule(struct access_decision *d, const struct access_question *q,
    enum policy_effect *effect)
{
	const struct json *at = NULL;
	struct policy_rule r;
	enum standing is;
	bool found = false;

	*effect = POLICY_ALLOW;
	while (policy_rule(q->settings, &at, &r)) {
		is = concerns(q, &r);
		if (is == STANDING_NO)
			continue;
		note_rule(&d->reasons, &r, is);
		if (is == STANDING_MAYBE && r.effect == POLICY_ALLOW)
			continue;
		found = true;
		*effect = r.effect > *effect ? r.effect : *effect;
	}
	return found;
}

static void
weigh_rules(struct access_decision *d, const struct access_question *q)
{
	const char *name = q->capability ? q->capability : "this";
	enum policy_effect effect;

	if (!find_rule(d, q, &effect))
		return;
	if (effect == POLICY_DENY)
		settle(d, ACCESS_DENY, "a rule denies %.64s here", name);
	else if (effect == POLICY_ASK)
		settle(d, ACCESS_ASK, "a rule has %.64s asked about", name);
	else if (d->verdict == ACCESS_ASK) {
		d->verdict = ACCESS_ALLOW;
		d->why[0] = '\0';
		settle(d, ACCESS_ALLOW, "a rule has %.64s not asked about",
		    name);
	}
}

static void
weigh_strictness(struct access_decision *d, const struct access_question *q)
{
	if (!is_change(q))
		return;
	if (q->task_asks)
		settle(d, ACCESS_ASK, "the task asks before each change");
	if (q->asked_always)
		settle(d, ACCESS_ASK,
		    "somebody else corrected the task, so its owner is asked");
}

static void
weigh(struct access_decision *d, const struct access_question *q)
{
	const enum standing in = standing_admitted(q, &d->reasons);

	if (in != STANDING_YES)
		settle(d, ACCESS_DENY, "you are not let in here");
	else if (is_change(q))
		weigh_grants(d, q);
	else
		settle(d, ACCESS_ALLOW, "%s calls are for whoever is let in",
		    tier_word(tier_here(q)));
	weigh_protection(d, q);
	weigh_rules(d, q);
	weigh_strictness(d, q);
}

void
access_decide(struct access_decision *d, const struct access_question *q)
{
	*d = (struct access_decision){.verdict = ACCESS_ALLOW};
	if (standing_open(q, &d->reasons))
		weigh(d, q);
	else
		settle(d, ACCESS_DENY, "this place is not enabled");
	d->confirm = d->verdict == ACCESS_ASK &&
		     tier_here(q) == TIER_DESTRUCTIVE;
}

void
access_release(struct access_decision *d)
{
	buf_release(&d->reasons);
}

static bool
is_granted_by_role(const struct access_question *q)
{
	const struct json *at = NULL;
	struct policy_grant g;

	while (policy_grant(q->settings, &at, &g))
		if (g.role && g.tier >= tier_here(q) &&
		    !has_ended(&g, q->now_ms) &&
		    standing_among(q, NULL, g.role, g.guild) != STANDING_NO)
			return true;
	return false;
}

static bool
is_ruled_by_role(const struct access_question *q)
{
	const struct json *at = NULL;
	struct policy_rule r;

	while (policy_rule(q->settings, &at, &r))
		if (r.role && concerns(q, &r) != STANDING_NO)
			return true;
	return false;
}

const char *
access_needs_roles(const struct access_question *q)
{
	struct access_question blind = *q;

	blind.roles = (struct access_roles){0};
	if (!standing_guild(q) || !standing_open(q, NULL))
		return NULL;
	if (standing_admitted(&blind, NULL) == STANDING_MAYBE ||
	    (is_change(q) && is_granted_by_role(&blind)) ||
	    is_ruled_by_role(&blind))
		return standing_guild(q);
	return NULL;
}
