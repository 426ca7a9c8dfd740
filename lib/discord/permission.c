#include "discord/permission.h"

static uint64_t
base(const struct permission *p)
{
	uint64_t bits = p->everyone | p->granted;

	return p->owner || (bits & PERMIT_ADMINISTRATOR) ? UINT64_MAX : bits;
}

static bool
has_role(const struct permission *p, uint64_t role)
{
	for (size_t i = 0; i < p->role_count; i++)
		if (p->roles[i] == role)
			return true;
	return false;
}

/* The overwrite of one target: denied first, then allowed. */
static uint64_t
apply_one(uint64_t bits, uint64_t target, bool member,
    const struct overwrite *o, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (o[i].target == target && o[i].member == member)
			bits = (bits & ~o[i].deny) | o[i].allow;
	return bits;
}

/* Those of all roles at once: an allow of one beats a deny of another. */
static uint64_t
apply_roles(uint64_t bits, const struct permission *p,
    const struct overwrite *o, size_t count)
{
	uint64_t allow = 0, deny = 0;

	for (size_t i = 0; i < count; i++) {
		if (o[i].member || o[i].target == p->guild ||
		    !has_role(p, o[i].target))
			continue;
		allow |= o[i].allow;
		deny |= o[i].deny;
	}
	return (bits & ~deny) | allow;
}

uint64_t
permission_base(const struct permission *p)
{
	uint64_t bits = base(p);

	return p->timed_out && bits != UINT64_MAX
		   ? bits & (PERMIT_VIEW | PERMIT_HISTORY)
		   : bits;
}

uint64_t
permission_in(const struct permission *p, const struct overwrite *o,
    size_t count)
{
	uint64_t bits = base(p);

	if (bits == UINT64_MAX)
		return bits;
	bits = apply_one(bits, p->guild, false, o, count);
	bits = apply_roles(bits, p, o, count);
	bits = apply_one(bits, p->user, true, o, count);
	if (!(bits & PERMIT_VIEW))
		return 0;
	return p->timed_out ? bits & (PERMIT_VIEW | PERMIT_HISTORY) : bits;
}

uint64_t
permission_at(const struct permission *p, int64_t kind, bool joined,
    const struct overwrite *o, size_t count)
{
	uint64_t bits = permission_in(p, o, count);
	uint64_t send = channel_is_thread(kind) ? PERMIT_SEND_IN_THREADS
						: PERMIT_SEND;

	if (bits == UINT64_MAX)
		return bits;
	if (kind == CHANNEL_PRIVATE_THREAD && !joined &&
	    !(bits & PERMIT_MANAGE_THREADS))
		return 0;
	if ((kind == CHANNEL_VOICE || kind == CHANNEL_STAGE) &&
	    !(bits & PERMIT_CONNECT))
		return bits & (PERMIT_VIEW | PERMIT_HISTORY);
	if (!(bits & send))
		bits &= ~(PERMIT_EVERYONE | PERMIT_TTS | PERMIT_ATTACH |
			  PERMIT_EMBED);
	return bits;
}
