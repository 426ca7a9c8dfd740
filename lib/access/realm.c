#include "access/realm.h"

#include <stdlib.h>
#include <string.h>

#include "core/mem.h"

static bool known(void *ctx, uint64_t user, struct permission *p);

void
realm_start(struct realm *r, uint64_t guild, uint64_t owner,
    const struct realm_source *from)
{
	*r = (struct realm){.source = *from};
	r->crowd.guild = guild;
	r->crowd.owner = owner;
}

/* Room for one more of a list that has count of them. */
static void *
grow(void *list, size_t count, size_t *room, size_t size)
{
	if (count < *room)
		return list;
	*room = *room ? 2 * *room : 64;
	return mem_resize(list, *room, size);
}

void
realm_add_role(struct realm *r, uint64_t id, uint64_t permissions)
{
	if (id == r->crowd.guild) {
		r->crowd.everyone = permissions;
		return;
	}
	r->roles = grow(r->roles, r->crowd.role_count, &r->role_room,
	    sizeof(*r->roles));
	r->roles[r->crowd.role_count++] = (struct crowd_role){
	    .id = id,
	    .permissions = permissions,
	};
}

void
realm_add_channel(struct realm *r, const struct channel_facts *c, int64_t ord)
{
	struct realm_channel *new;

	r->channels = grow(r->channels, r->channel_count, &r->channel_room,
	    sizeof(*r->channels));
	new = &r->channels[r->channel_count++];
	*new = (struct realm_channel){
	    .id = c->id,
	    .parent = c->parent,
	    .ord = ord,
	    .kind = c->kind,
	    .rules.count = c->overwrite_count,
	    .from = r->overwrite_count,
	};
	for (size_t i = 0; i < c->overwrite_count; i++) {
		r->overwrites = grow(r->overwrites, r->overwrite_count,
		    &r->overwrite_room, sizeof(*r->overwrites));
		r->overwrites[r->overwrite_count++] = c->overwrites[i];
	}
}

static int
by_place(const void *a, const void *b)
{
	const struct realm_channel *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

static void
set_rules(struct realm *r, struct realm_channel *c)
{
	const struct realm_channel *parent;

	if (!channel_is_thread(c->kind))
		return;
	parent = realm_channel(r, c->parent);
	c->ruled = parent && parent->ruled && !channel_is_thread(parent->kind);
	if (c->ruled)
		c->rules = parent->rules;
}

void
realm_ready(struct realm *r)
{
	r->crowd.roles = r->roles;
	r->crowd.known = known;
	r->crowd.ctx = r;
	if (r->channel_count)
		qsort(r->channels, r->channel_count, sizeof(*r->channels),
		    by_place);
	for (size_t i = 0; i < r->channel_count; i++) {
		struct realm_channel *c = &r->channels[i];

		c->rules.at = r->overwrites ? r->overwrites + c->from : NULL;
		c->ruled = *channel_kind_word(c->kind) != '\0';
	}
	for (size_t i = 0; i < r->channel_count; i++)
		set_rules(r, &r->channels[i]);
}

void
realm_release(struct realm *r)
{
	struct realm_member *next;

	for (struct realm_member *m = r->members; m; m = next) {
		next = m->next;
		free(m);
	}
	free(r->channels);
	free(r->overwrites);
	free(r->roles);
	*r = (struct realm){0};
}

static uint64_t
permissions_of(const struct realm *r, uint64_t role)
{
	for (size_t i = 0; i < r->crowd.role_count; i++)
		if (r->roles[i].id == role)
			return r->roles[i].permissions;
	return 0;
}

/* The member, asked for once; NULL and *e if it can't be looked up. */
static const struct realm_member *
member(struct realm *r, uint64_t user, struct err *e)
{
	struct realm_member *m = r->members;

	while (m && m->user != user)
		m = m->next;
	if (m)
		return m;
	m = mem_new(sizeof(*m));
	m->user = user;
	m->next = r->members;
	r->members = m;
	if (r->source.member(r->source.ctx, m, e) < 0)
		return NULL;
	for (size_t i = 0; i < m->role_count; i++)
		m->granted |= permissions_of(r, m->roles[i]);
	return m;
}

static bool
known(void *ctx, uint64_t user, struct permission *p)
{
	struct realm *r = ctx;
	const struct realm_member *m = member(r, user, &r->failed);

	if (!m || !m->known)
		return false;
	p->granted = m->granted;
	p->roles = m->roles;
	p->role_count = m->role_count;
	return true;
}

static int
by_id(const void *key, const void *item)
{
	uint64_t id;
	const struct realm_channel *c = item;

	memcpy(&id, key, sizeof(id));
	return id < c->id ? -1 : id > c->id;
}

const struct realm_channel *
realm_channel(const struct realm *r, uint64_t id)
{
	return r->channel_count ? bsearch(&id, r->channels, r->channel_count,
				      sizeof(*r->channels), by_id)
				: NULL;
}

int
realm_bits(struct realm *r, uint64_t user, const struct realm_channel *c,
    uint64_t *bits, struct err *e)
{
	const struct realm_member *m = member(r, user, e);
	struct permission p = {.guild = r->crowd.guild, .user = user};
	int joined = 0;

	*bits = 0;
	if (!m)
		return -1;
	if (!m->known || !c->ruled)
		return 0;
	if (c->kind == CHANNEL_PRIVATE_THREAD)
		joined = r->source.joined(r->source.ctx, user, c, e);
	if (joined < 0)
		return -1;
	p.owner = user == r->crowd.owner;
	p.everyone = r->crowd.everyone;
	p.timed_out = m->timed_out;
	(void)known(r, user, &p);
	*bits = permission_at(&p, c->kind, joined, c->rules.at, c->rules.count);
	return 1;
}

int
realm_guild_bits(struct realm *r, uint64_t user, uint64_t *bits, struct err *e)
{
	const struct realm_member *m = member(r, user, e);
	struct permission p = {.guild = r->crowd.guild, .user = user};

	*bits = 0;
	if (!m)
		return -1;
	if (!m->known)
		return 0;
	p.owner = user == r->crowd.owner;
	p.everyone = r->crowd.everyone;
	p.timed_out = m->timed_out;
	(void)known(r, user, &p);
	*bits = permission_base(&p);
	return 1;
}

int
realm_knows(struct realm *r, uint64_t user, struct err *e)
{
	const struct realm_member *m = member(r, user, e);

	return m ? m->known || m->left : -1;
}
