#include "discord/crowd.h"

#include <stdlib.h>

#include "core/mem.h"

enum { SORTS = 16 }; /* of roles that no overwrite names */

struct pair {
	const struct crowd *crowd;
	const struct crowd_rules *seen, *read;
	uint64_t need;
	struct crowd_role *roles; /* those that make a difference */
	size_t role_count;
};

static bool
names(const struct crowd_rules *r, uint64_t target, bool member)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->at[i].target == target && r->at[i].member == member)
			return true;
	return false;
}

/* Roles that no overwrite names differ in these bits only. */
static unsigned
sort_of(const struct pair *p, const struct crowd_role *r)
{
	return (r->permissions & PERMIT_VIEW ? 1U : 0) |
	       (r->permissions & PERMIT_HISTORY ? 2U : 0) |
	       (r->permissions & PERMIT_CONNECT & p->need ? 4U : 0) |
	       (r->permissions & PERMIT_ADMINISTRATOR ? 8U : 0);
}

static bool
has_role(const struct pair *p, uint64_t id)
{
	const struct crowd *c = p->crowd;

	for (size_t i = 0; i < c->role_count; i++)
		if (c->roles[i].id == id)
			return true;
	for (size_t i = 0; i < p->role_count; i++)
		if (p->roles[i].id == id)
			return true;
	return id == c->guild;
}

/* Roles that overwrites name, but of which nothing else was told. */
static void
add_strangers(struct pair *p, const struct crowd_rules *r)
{
	for (size_t i = 0; i < r->count; i++)
		if (!r->at[i].member && !has_role(p, r->at[i].target))
			p->roles[p->role_count++] = (struct crowd_role){
			    .id = r->at[i].target,
			};
}

static void
choose_roles(struct pair *p)
{
	const struct crowd *c = p->crowd;
	bool have[SORTS] = {false};

	p->roles = mem_array(c->role_count + p->seen->count + p->read->count +
				 1,
	    sizeof(*p->roles));
	add_strangers(p, p->seen);
	add_strangers(p, p->read);
	for (size_t i = 0; i < c->role_count; i++) {
		const struct crowd_role *r = &c->roles[i];
		unsigned sort = sort_of(p, r);

		if (!names(p->seen, r->id, false) &&
		    !names(p->read, r->id, false)) {
			if (have[sort])
				continue;
			have[sort] = true;
		}
		p->roles[p->role_count++] = *r;
	}
}

/* Does this one see the first channel, but not read the other? */
static bool
is_left_out(const struct pair *p, const struct permission *who)
{
	struct permission late = *who;

	late.timed_out = true; /* as anybody may be who reads it */
	return (permission_in(&late, p->seen->at, p->seen->count) &
		   PERMIT_VIEW) &&
	       (permission_in(&late, p->read->at, p->read->count) & p->need) !=
		   p->need;
}

/* The same of somebody with these two roles, which may be one, or none. */
static bool
is_pair_left_out(const struct pair *p, uint64_t user,
    const struct crowd_role *a, const struct crowd_role *b)
{
	uint64_t roles[2] = {a ? a->id : 0, b ? b->id : 0};

	return is_left_out(p,
	    &(struct permission){
		.guild = p->crowd->guild,
		.user = user,
		.everyone = p->crowd->everyone,
		.granted = (a ? a->permissions : 0) | (b ? b->permissions : 0),
		.roles = roles,
		.role_count = a ? (b ? 2 : 1) : 0,
	    });
}

/* Of all who might have that id, or of all whom no overwrite names (0). */
static bool
is_any_left_out(const struct pair *p, uint64_t user)
{
	if (is_pair_left_out(p, user, NULL, NULL))
		return true;
	for (size_t i = 0; i < p->role_count; i++)
		for (size_t k = i; k < p->role_count; k++)
			if (is_pair_left_out(p, user, &p->roles[i],
				k == i ? NULL : &p->roles[k]))
				return true;
	return false;
}

static bool
is_user_left_out(const struct pair *p, uint64_t user)
{
	struct permission who = {.guild = p->crowd->guild,
	    .user = user,
	    .owner = user == p->crowd->owner};

	if (who.owner)
		return false;
	who.everyone = p->crowd->everyone;
	if (p->crowd->known(p->crowd->ctx, user, &who))
		return is_left_out(p, &who);
	return is_any_left_out(p, user);
}

static bool
is_named_left_out(const struct pair *p, const struct crowd_rules *r)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->at[i].member && is_user_left_out(p, r->at[i].target))
			return true;
	return false;
}

bool
crowd_covers(const struct crowd *c, const struct crowd_rules *seen,
    const struct crowd_rules *read, uint64_t need)
{
	struct pair p = {.crowd = c,
	    .seen = seen,
	    .read = read,
	    .need = need | PERMIT_VIEW};
	bool left_out;

	choose_roles(&p);
	left_out = is_any_left_out(&p, 0) || is_named_left_out(&p, seen) ||
		   is_named_left_out(&p, read);
	free(p.roles);
	return !left_out;
}
