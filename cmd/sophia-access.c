/*
 * sophia-access - who may do what: grants, rules, protected targets
 * stdout: {"type":"policy",...} an item; {"type":"explanation",...} a decision;
 * {"type":"audit",...} a change
 */
#include <stdio.h>
#include <string.h>

#include "access/explain.h"
#include "access/listing.h"
#include "adapter/account.h"
#include "cli/cli.h"
#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/filter.h"
#include "core/log.h"
#include "guild/fresh.h"
#include "store/audit.h"
#include "store/policy_set.h"
#include "store/settings.h"

enum { CHANNEL = CLI_LONG, ASK, CORRECTED, FRESH, ROLES };

static int
list(struct cli *c, struct err *e)
{
	struct settings s = {0};
	struct listing l = {
	    .settings = &s,
	    .parts = LISTING_ALL,
	    .now_ms = clock_now_ms(),
	};
	struct buf b = {0};
	int n;

	while (cli_option(c) != -1)
		l.guild = c->value;
	cli_args(c, 0, 0);
	l.json = c->json;
	if (settings_open(&s, e) < 0)
		return -1;
	n = listing_write(&b, &l);
	if (cli_out(c, &b, e) < 0)
		n = -1;
	settings_close(&s);
	buf_release(&b);
	return n;
}

/* The options of an item, and at least `low` words. */
static struct policy_item
item_of(struct cli *c, int low, int high)
{
	struct policy_item x = {0};
	int o;

	while ((o = cli_option(c)) != -1)
		switch (o) {
		case 'u': x.user = c->value; break;
		case 'r': x.role = c->value; break;
		case 'g': x.guild = c->value; break;
		case 't': x.tier = c->value; break;
		case 'm': x.mode = c->value; break;
		case 'e': x.until = c->value; break;
		case 'c': x.capability = c->value; break;
		case CHANNEL: x.channel = c->value; break;
		default: break;
		}
	cli_args(c, low, high);
	return x;
}

/* Put it there, or take it away. That there is nothing to do is an exit 1. */
static int
change(struct cli *c, enum policy_list l, const struct policy_item *x,
    bool remove, struct err *e)
{
	c->none = remove ? "there is none like that" : "that is so already";
	return remove ? policy_remove(l, x, "local", e)
		      : policy_add(l, x, "local", e);
}

static int
grant(struct cli *c, struct err *e)
{
	struct policy_item x = item_of(c, 0, 0);
	int64_t until_ms;

	if (!x.mode)
		x.mode = "ask";
	if (x.until && clock_parse(&until_ms, x.until) == 0 &&
	    until_ms <= clock_now_ms())
		return err_set(e, ERR_INPUT, "until: that has passed already");
	return change(c, POLICY_GRANTS, &x, false, e);
}

static int
revoke(struct cli *c, struct err *e)
{
	const struct policy_item x = item_of(c, 0, 0);

	return change(c, POLICY_GRANTS, &x, true, e);
}

/* The first word: is it "remove", and not "add"? */
static bool
is_removed(struct cli *c)
{
	const char *word = c->argv[0];

	if (strcmp(word, "add") != 0 && strcmp(word, "remove") != 0)
		cli_usage(c, "'%s' is neither add nor remove", word);
	return *word == 'r';
}

static void
warn_unknown(const char *capability)
{
	struct err e = {0};
	int there = account_has(capability, &e);

	if (there < 0)
		log_warn("%s", e.text);
	else if (!there)
		log_warn("there is no tool %s yet; sophia tool list shows all",
		    capability);
}

static int
rule(struct cli *c, struct err *e)
{
	struct policy_item x = item_of(c, 2, 2);
	bool removed;
	int rc;

	x.effect = c->argv[1];
	removed = is_removed(c);
	rc = change(c, POLICY_RULES, &x, removed, e);
	if (rc > 0 && !removed && x.capability)
		warn_unknown(x.capability);
	return rc;
}

static int
protect(struct cli *c, struct err *e)
{
	const struct policy_item x = item_of(c, 0, 0);

	return change(c, POLICY_PROTECTED, &x, false, e);
}

static int
unprotect(struct cli *c, struct err *e)
{
	const struct policy_item x = item_of(c, 0, 0);

	return change(c, POLICY_PROTECTED, &x, true, e);
}

static int
moderator(struct cli *c, struct err *e)
{
	const struct policy_item x = item_of(c, 1, 1);

	return change(c, POLICY_MODERATORS, &x, is_removed(c), e);
}

struct wanted {
	const char *location, *tier;
	bool fresh;
};

static int
take(struct cli *c, struct explain *x, struct wanted *w, int option,
    struct err *e)
{
	switch (option) {
	case 'a': x->q.actor = c->value; break;
	case 'c': x->q.capability = c->value; break;
	case 'g': x->q.guild = c->value; break;
	case 'l': w->location = c->value; break;
	case 't': w->tier = c->value; break;
	case 'T': return explain_target(x, c->value, e);
	case ROLES: return explain_roles(x, c->value, e);
	case FRESH: w->fresh = true; break;
	case ASK: x->q.task_asks = true; break;
	case CORRECTED: x->q.asked_always = true; break;
	default: break;
	}
	return 0;
}

/* A look-up that failed is told, and gives nothing. */
static int
decide(struct cli *c, struct explain *x, const struct wanted *w, struct err *e)
{
	struct err failed = {0};
	struct buf b = {0};
	enum access_verdict v = ACCESS_DENY;
	int rc = 0;

	if (w->location)
		rc = explain_location(x, w->location, e);
	if (rc == 0 && w->fresh && fresh_roles(x, &failed) < 0)
		log_warn("their roles: %s", failed.text);
	if (rc == 0)
		rc = account_give(&b, x, w->tier, c->json, &v, e);
	if (rc > 0 && cli_out(c, &b, e) < 0)
		rc = -1;
	buf_release(&b);
	return rc < 0 ? -1 : v != ACCESS_DENY;
}

static int
explain(struct cli *c, struct err *e)
{
	struct explain x = {.q.actor = "local"};
	struct wanted w = {0};
	int o, rc = 0;

	while (rc == 0 && (o = cli_option(c)) != -1)
		rc = take(c, &x, &w, o, e);
	if (rc == 0) {
		cli_args(c, 0, 0);
		if (!x.q.capability)
			cli_usage(c, "which tool? Say --capability");
		if (!w.location && strcmp(x.q.actor, "local") != 0)
			cli_usage(c, "where do they ask? Say --location");
		rc = decide(c, &x, &w, e);
	}
	explain_release(&x);
	return rc;
}

/* A line of the audit. */
static int
show_change(void *ctx, const char *line, size_t len, struct err *e)
{
	struct cli *c = ctx;
	struct buf b = {0};
	int rc = 0;

	if (c->json)
		buf_fmt(&b, "%.*s\n", (int)len, line);
	else
		rc = audit_tell(&b, line, len, e);
	if (rc == 0)
		rc = cli_out(c, &b, e);
	buf_release(&b);
	return rc < 0 ? -1 : 1;
}

static int
show_log(struct cli *c, struct err *e)
{
	FILE *f;
	int n;

	cli_plain(c, 0, 0);
	c->none = "nothing was changed yet";
	n = audit_open(&f, e);
	if (n > 0) {
		n = filter_run(f, AUDIT_LINE, show_change, c, e);
		fclose(f);
	}
	return n;
}

static const struct cli_option list_options[] = {
    {'g', "guild", "id", "what holds in this server"},
    {0},
};

static const struct cli_option grant_options[] = {
    {'u', "user", "id", "to this person"},
    {'r', "role", "id", "to everybody with this role; needs --guild"},
    {'g', "guild", "id", "in this server; without it everywhere"},
    {'t', "tier", "tier", "up to this: read, write or destructive"},
    {'m', "mode", "mode", "ask before each change, or auto; ask if not said"},
    {'e', "until", "time", "until then, such as 2027-01-31T18:00:00Z"},
    {0},
};

static const struct cli_option whose_options[] = {
    {'u', "user", "id", "this person's"},
    {'r', "role", "id", "this role's"},
    {'g', "guild", "id", "the one for this server"},
    {0},
};

static const struct cli_option rule_options[] = {
    {'c', "capability", "name", "about this tool"},
    {'t', "tier", "tier", "or about read, scratch, write or destructive ones"},
    {'u', "user", "id", "only for this person"},
    {'r', "role", "id", "only for those with this role; needs --guild"},
    {'g', "guild", "id", "only in this server"},
    {CHANNEL, "channel", "id", "only in this channel; needs --guild"},
    {0},
};

static const struct cli_option protect_options[] = {
    {'g', "guild", "id", "in this server"},
    {CHANNEL, "channel", "id", "this channel, thread or category"},
    {'r', "role", "id", "or this role"},
    {0},
};

static const struct cli_option moderator_options[] = {
    {'g', "guild", "id", "in this server"},
    {'u', "user", "id", "this person"},
    {'r', "role", "id", "or everybody with this role"},
    {0},
};

static const struct cli_option explain_options[] = {
    {'a', "actor", "id", "who asks: local, if not said"},
    {'l', "location", "place",
	"where: local, dm:CHANNEL or guild:GUILD:CHANNEL"},
    {'c', "capability", "name", "which tool"},
    {'t', "tier", "tier", "its tier, if there is no such tool"},
    {'g', "guild", "id", "the server that is changed, if another one"},
    {'T', "target", "what",
	"channel:ID, role:ID, member:ID, message:CHANNEL:ID"},
    {ROLES, "roles", "ids", "all their roles there, with commas"},
    {FRESH, "fresh", NULL, "ask Discord for their roles"},
    {ASK, "ask", NULL, "the task asks before each change"},
    {CORRECTED, "corrected", NULL, "a collaborator corrected the task"},
    {0},
};

static const struct cli_verb verbs[] = {
    {"list", NULL, "what is enabled, granted, ruled and protected",
	list_options, list},
    {"grant", NULL, "let somebody change things", grant_options, grant},
    {"revoke", NULL, "take a grant back", whose_options, revoke},
    {"rule", "add|remove deny|ask|allow",
	"deny, ask about or allow one tool or tier", rule_options, rule},
    {"protect", NULL, "let nothing destructive happen to it", protect_options,
	protect},
    {"unprotect", NULL, "take that back", protect_options, unprotect},
    {"moderator", "add|remove", "let somebody in, for reads only",
	moderator_options, moderator},
    {"explain", NULL, "what would be decided, and each reason", explain_options,
	explain},
    {"log", NULL, "who changed which setting, and when", NULL, show_log},
    {0},
};

static const struct cli_command command = {
    .name = "sophia-access",
    .purpose = "say who may do what, and explain each decision",
    .verbs = verbs,
};

int
main(int argc, char **argv)
{
	return cli_main(&command, argc, argv);
}
