#include "model/slot.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "core/hash.h"
#include "core/home.h"

enum { ACTORS = 4096 }; /* files for actors; two in one only wait more */

/* 1 taken, 0 held by another, -1. */
static int
take(struct lock *l, const char *name, enum lock_mode mode, struct err *e)
{
	char path[PATH_MAX];
	struct err why = {0};

	if (l->fd)
		return 1;
	if (home_path(path, name, e) < 0)
		return -1;
	if (lock_take(l, path, mode, 0, &why) == 0)
		return 1;
	if (why.kind == ERR_AGAIN)
		return 0;
	*e = why;
	return -1;
}

static int
take_actor(struct slot *s, const char *actor, struct err *e)
{
	char name[32];

	if (!actor)
		return 1;
	snprintf(name, sizeof(name), "run/model.actor.%03x",
	    (unsigned)(hash_text(HASH_START, actor) % ACTORS));
	return take(&s->actor, name, LOCK_EXCLUSIVE, e);
}

static int
take_place(struct slot *s, int count, struct err *e)
{
	int got = 0;

	for (int i = 0; i < count && got == 0; i++) {
		char name[32];

		snprintf(name, sizeof(name), "run/model.slot.%d", i);
		got = take(&s->place, name, LOCK_EXCLUSIVE, e);
	}
	return got;
}

/* Nobody who goes first is waiting, as far as a glance can tell. */
static int
take_if_quiet(struct slot *s, int count, struct err *e)
{
	int got = take(&s->waiting, "run/model.waiting", LOCK_EXCLUSIVE, e);

	if (got > 0)
		got = take_place(s, count, e);
	lock_drop(&s->waiting);
	return got;
}

int
slot_try(struct slot *s, int count, const char *actor, bool background,
    struct err *e)
{
	int got;

	if (s->place.fd)
		return 1;
	if ((got = take_actor(s, actor, e)) <= 0)
		return got;
	if (background)
		return take_if_quiet(s, count, e);
	if ((got = take_place(s, count, e)) == 0)
		return take(&s->waiting, "run/model.waiting", LOCK_SHARED, e) <
			       0
			   ? -1
			   : 0;
	lock_drop(&s->waiting);
	return got;
}

void
slot_drop(struct slot *s)
{
	lock_drop(&s->place);
	lock_drop(&s->actor);
	lock_drop(&s->waiting);
}

bool
slot_background(const char *purpose)
{
	return strcmp(purpose, "dream") == 0 ||
	       strcmp(purpose, "evaluation") == 0;
}
