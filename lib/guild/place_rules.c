/* edit_channel_permissions */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "discord/parts.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "guild/change.h"
#include "guild/changes.h"
#include "guild/describe.h"
#include "guild/hindsight.h"
#include "guild/live.h"
#include "guild/overwrites.h"
#include "guild/places.h"
#include "guild/power.h"
#include "record/community.h"
#include "tool/serve.h"

enum { PATH = 96 };

/* For whom: the one of `role` and `member` that is there. */
static int
take_whom(struct change *c, struct whom *w, struct err *e)
{
	const char *role = json_string(c->in, "role");
	const char *member = json_string(c->in, "member");

	if (!role == !member)
		return err_set(e, ERR_INPUT,
		    "it is for a role, or for a member: one of them");
	return overwrites_whom(c, role ? role : member, member != NULL, w, e);
}

/* What the arguments make of it. */
static int
take_bits(struct change *c, struct overwrite *o, struct err *e)
{
	uint64_t allow, deny, reset;

	if (power_read(&allow, json_get(c->in, "allow"), e) < 0 ||
	    power_read(&deny, json_get(c->in, "deny"), e) < 0 ||
	    power_read(&reset, json_get(c->in, "reset"), e) < 0)
		return -1;
	if ((allow & deny) | (allow & reset) | (deny & reset))
		return err_set(e, ERR_INPUT,
		    "a permission is allowed, denied or reset, not two of it");
	o->allow = (o->allow & ~(deny | reset)) | allow;
	o->deny = (o->deny & ~(allow | reset)) | deny;
	return 0;
}

static void
write_bits(struct buf *b, const char *key, const struct overwrite *o)
{
	char text[24];

	jsonw_object(b, key);
	snprintf(text, sizeof(text), "%" PRIu64, o->allow);
	jsonw_str(b, "allow", text);
	snprintf(text, sizeof(text), "%" PRIu64, o->deny);
	jsonw_str(b, "deny", text);
	jsonw_end_object(b);
}

static void
say_line(struct buf *b, const char *word, uint64_t bits)
{
	if (!bits)
		return;
	buf_fmt(b, "\n%s: ", word);
	power_names(b, bits);
}

static void
say(struct change *c, const struct place *p, const struct whom *w,
    const struct overwrite *from, const struct overwrite *to)
{
	struct buf *b = &c->p->text;
	uint64_t kept = ~(to->allow | to->deny);

	buf_str(b, "change what ");
	change_name(b, *w->name == '@' ? "" : "@", w->name, w->id);
	buf_str(b, " may do in ");
	change_name(b, p->kind == CHANNEL_CATEGORY ? "" : "#", p->name, p->id);
	if (p->kind == CHANNEL_CATEGORY)
		buf_str(b, ", and in its channels that are in step with it");
	say_line(b, "allow what is denied now",
	    to->allow & ~from->allow & from->deny);
	say_line(b, "allow", to->allow & ~from->allow & ~from->deny);
	say_line(b, "deny what is allowed now",
	    to->deny & ~from->deny & from->allow);
	say_line(b, "deny", to->deny & ~from->deny & ~from->allow);
	say_line(b, "no exception any more for what is allowed now",
	    from->allow & kept);
	say_line(b, "no exception any more for what is denied now",
	    from->deny & kept);
}

/* Is it Sophia's and the asker's to do? */
static int
check_power(struct change *c, uint64_t channel, const struct overwrite *from,
    const struct overwrite *to, struct err *e)
{
	const struct realm_channel *in = realm_channel(&c->live->realm,
	    channel);
	const struct realm_channel *above = in && in->parent
						? realm_channel(&c->live->realm,
						      in->parent)
						: NULL;

	if (power_touch(c->live, power_changed(from, to), in, above, e) < 0)
		return -1;
	return power_gain(c->live, power_gained(from, to), in, e);
}

/* What is there now for that target. */
static struct overwrite
current(struct change *c, uint64_t channel, uint64_t target, bool member)
{
	struct overwrites all = {0};
	struct overwrite o;

	overwrites_copy(&all, realm_channel(&c->live->realm, channel));
	o = *overwrites_of(&all, target, member);
	overwrites_release(&all);
	return o;
}

int
edit_channel_permissions_check(struct change *c, struct err *e)
{
	struct overwrite from, to;
	struct place p = {0};
	struct whom w = {0};

	if (!json_string(c->in, "channel"))
		return err_set(e, ERR_INPUT, "channel is missing");
	if (change_begin(c, 0, e) < 0 ||
	    change_place(c, "channel", &p, e) < 0 || take_whom(c, &w, e) < 0)
		return -1;
	if (channel_is_thread(p.kind))
		return err_set(e, ERR_REFUSED,
		    "a thread has the permissions of its channel");
	if (change_need(&p, PERMIT_VIEW | PERMIT_MANAGE_ROLES, e) < 0)
		return -1;
	from = current(c, p.id, w.id, w.member);
	to = from;
	if (take_bits(c, &to, e) < 0 || check_power(c, p.id, &from, &to, e) < 0)
		return -1;
	if (!power_changed(&from, &to))
		return err_set(e, ERR_INPUT, "nothing would change");
	places_plan(c, &p);
	jsonw_id(&c->p->plan, "target", w.id);
	jsonw_bool(&c->p->plan, "member", w.member);
	write_bits(&c->p->plan, "from", &from);
	write_bits(&c->p->plan, "to", &to);
	say(c, &p, &w, &from, &to);
	change_target_channel(c, p.id, p.name);
	change_target(c, w.member ? PROPOSAL_MEMBER : PROPOSAL_ROLE, w.id,
	    w.name);
	return 0;
}

static struct overwrite
planned(const struct change *c, const char *key)
{
	const struct json *v = json_get(c->plan, key);

	return (struct overwrite){
	    .target = change_id(c->plan, "target"),
	    .member = json_bool(c->plan, "member", false),
	    .allow = describe_bits(v, "allow"),
	    .deny = describe_bits(v, "deny"),
	};
}

/* Is it still as it was when it was proposed? And allowed? */
static int
look_again(struct change *c, const struct overwrite *to, struct err *e)
{
	uint64_t channel = change_id(c->plan, "channel");
	struct overwrite from = planned(c, "from"), now;
	int result;

	if (places_again(c, e) < 0)
		return -1;
	now = current(c, channel, to->target, to->member);
	if (power_changed(&from, &now))
		result = err_set(e, ERR_REFUSED,
		    "these permissions have been changed since it was "
		    "proposed");
	else
		result = check_power(c, channel, &now, to, e);
	live_end(c->live);
	return result;
}

int
edit_channel_permissions_act(struct change *c, struct err *e)
{
	struct overwrite to = planned(c, "to");
	uint64_t channel = change_id(c->plan, "channel");
	bool none = !to.allow && !to.deny;
	struct buf body = {0};
	char path[PATH];
	const struct change_request r = {none ? "DELETE" : "PUT", path,
	    none ? NULL : &body, none, NULL};
	char text[24];
	int result;

	if (look_again(c, &to, e) < 0)
		return -1;
	snprintf(path, sizeof(path),
	    "/channels/%" PRIu64 "/permissions/%" PRIu64, channel, to.target);
	jsonw_object(&body, NULL);
	jsonw_int(&body, "type", to.member);
	snprintf(text, sizeof(text), "%" PRIu64, to.allow);
	jsonw_raw(&body, "allow", text, strlen(text));
	snprintf(text, sizeof(text), "%" PRIu64, to.deny);
	jsonw_raw(&body, "deny", text, strlen(text));
	jsonw_end_object(&body);
	result = change_send(c, &r, NULL, e);
	buf_release(&body);
	if (result == 0)
		places_told(c, "changed the permissions in", channel,
		    json_string(c->plan, "name"));
	return result;
}

int
edit_channel_permissions_verify(struct change *c, struct err *e)
{
	struct overwrite to = planned(c, "to"), from = planned(c, "from");
	struct overwrite now = {0};
	const struct json *v;
	struct json *root;
	char path[PATH];
	int got;

	snprintf(path, sizeof(path), "/channels/%" PRIu64,
	    change_id(c->plan, "channel"));
	if ((got = hindsight_get(c, path, &root, e)) != 1)
		return got < 0 ? -1 : SEEN_NOTHING;
	v = json_first(json_get(root, "permission_overwrites"));
	while (v && change_id(v, "id") != to.target)
		v = json_next(v);
	now.allow = describe_bits(v, "allow");
	now.deny = describe_bits(v, "deny");
	json_free(root);
	return hindsight(c, !power_changed(&to, &now),
	    !power_changed(&from, &now));
}
