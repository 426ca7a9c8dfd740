/* What operators say about access: /access and /protect. */
#include <stdint.h>
#include <stdlib.h>

#include "access/explain.h"
#include "access/listing.h"
#include "adapter/account.h"
#include "converse/menu.h"
#include "converse/converse.h"
#include "converse/visit.h"
#include "core/clock.h"
#include "core/err.h"
#include "store/policy_set.h"

enum { DAY_MS = 24 * 3600 * 1000, DAYS_MOST = 3650 };

/* List some of the policy, as far as it is about this place. */
static int
list(struct visit *v, unsigned parts, const char *none)
{
	const struct listing l = {
	    .settings = terms_now(&v->c->terms),
	    .guild = v->x.guild,
	    .parts = parts,
	    .mentions = true,
	    .now_ms = clock_now_ms(),
	};

	if (!listing_write(&v->text, &l))
		buf_str(&v->text, none);
	return 0;
}

static int
list_all(struct visit *v, struct err *e)
{
	(void)e;
	return list(v, LISTING_ALL, "");
}

static int
list_protected(struct visit *v, struct err *e)
{
	(void)e;
	return list(v, LISTING_PROTECTED, "Nothing is protected here.");
}

/* What the options name; a grant can hold everywhere. */
static struct policy_item
item_of(const struct visit *v)
{
	const bool all = interaction_flag(&v->x, "everywhere", false);

	return (struct policy_item){
	    .user = interaction_option(&v->x, "user"),
	    .role = interaction_option(&v->x, "role"),
	    .channel = interaction_option(&v->x, "channel"),
	    .guild = all ? NULL : v->x.guild,
	};
}

/* Put it there, or take it away, and say so. */
static int
change(struct visit *v, enum policy_list l, const struct policy_item *x,
    bool remove, struct err *e)
{
	int done = remove ? policy_remove(l, x, v->x.user, e)
			  : policy_add(l, x, v->x.user, e);

	if (done < 0)
		return menu_admit(v, e);
	buf_str(&v->text, done > 0 ? "Done."
			  : remove ? "There is none like that."
				   : "That is so already.");
	return 0;
}

static int
grant(struct visit *v, struct err *e)
{
	const char *days = interaction_option(&v->x, "days");
	const char *mode = interaction_option(&v->x, "mode");
	struct policy_item x = item_of(v);
	char until[CLOCK_TEXT];
	int64_t n;

	x.tier = interaction_option(&v->x, "tier");
	x.mode = mode ? mode : "ask";
	if (days) {
		n = strtoll(days, NULL, 10);
		if (n < 1 || n > DAYS_MOST) {
			buf_str(&v->text, "Say 1 to 3650 days.");
			return 0;
		}
		clock_text(until, clock_now_ms() + n * DAY_MS);
		x.until = until;
	}
	return change(v, POLICY_GRANTS, &x, false, e);
}

static int
revoke(struct visit *v, struct err *e)
{
	const struct policy_item x = item_of(v);

	return change(v, POLICY_GRANTS, &x, true, e);
}

static int
list_rules(struct visit *v, struct err *e)
{
	(void)e;
	return list(v, LISTING_RULES, "There are no rules here.");
}

static struct policy_item
rule_of(const struct visit *v)
{
	struct policy_item x = item_of(v);

	x.effect = interaction_option(&v->x, "effect");
	x.capability = interaction_option(&v->x, "capability");
	x.tier = interaction_option(&v->x, "tier");
	return x;
}

static int
add_rule(struct visit *v, struct err *e)
{
	const struct policy_item x = rule_of(v);
	int there = 1, rc = change(v, POLICY_RULES, &x, false, e);

	if (rc == 0 && x.capability)
		there = account_has(x.capability, e);
	if (there == 0)
		buf_str(&v->text, " But there is no tool of that name yet.");
	return there < 0 ? menu_admit(v, e) : rc;
}

static int
remove_rule(struct visit *v, struct err *e)
{
	const struct policy_item x = rule_of(v);

	return change(v, POLICY_RULES, &x, true, e);
}

static int
protect(struct visit *v, struct err *e)
{
	const struct policy_item x = item_of(v);

	return change(v, POLICY_PROTECTED, &x, false, e);
}

static int
unprotect(struct visit *v, struct err *e)
{
	const struct policy_item x = item_of(v);

	return change(v, POLICY_PROTECTED, &x, true, e);
}

/* Discord tells the roles of whom an option names, and of who asks. */
static int
explain(struct visit *v, struct err *e)
{
	const char *user = interaction_option(&v->x, "user");
	const char *channel = interaction_option(&v->x, "channel");
	const struct json *roles = user ? interaction_roles(&v->x, "user")
					: v->x.roles;
	struct explain x = {
	    .q = {
		.actor = user ? user : v->x.user,
		.location = menu_who(v).location,
		.capability = interaction_option(&v->x, "capability"),
	    }};
	enum access_verdict verdict;
	int rc = 0;

	if (channel)
		x.q.location.channel = channel;
	if (!x.q.capability)
		x.q.capability = "";
	if (roles)
		rc = explain_roles_json(&x, roles, e);
	if (rc == 0)
		rc = account_give(&v->text, &x,
		    interaction_option(&v->x, "tier"), false, &verdict, e);
	explain_release(&x);
	return rc < 0 ? menu_admit(v, e) : 0;
}

static const struct menu_sub access_subs[] = {
    {"list", list_all},
    {"grant", grant},
    {"revoke", revoke},
    {"rule-add", add_rule},
    {"rule-remove", remove_rule},
    {"rule-list", list_rules},
    {"explain", explain},
    {0},
};

static const struct menu_sub protect_subs[] = {
    {"add", protect},
    {"remove", unprotect},
    {"list", list_protected},
    {0},
};

int
menu_access(struct visit *v, struct err *e)
{
	return menu_sub(v, access_subs, e);
}

int
menu_protect(struct visit *v, struct err *e)
{
	return menu_sub(v, protect_subs, e);
}
