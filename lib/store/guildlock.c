#include "store/guildlock.h"

#include <limits.h>
#include <stdio.h>

#include "core/err.h"
#include "core/home.h"

int
guildlock_try(struct lock *l, const char *guild, struct err *e)
{
	char path[PATH_MAX], name[64];

	snprintf(name, sizeof(name), "run/guild.%.20s", guild);
	if (home_path(path, name, e) < 0)
		return -1;
	if (lock_take(l, path, LOCK_EXCLUSIVE, 0, e) == 0)
		return 1;
	if (e->kind != ERR_AGAIN)
		return -1;
	*e = (struct err){0};
	return 0;
}
