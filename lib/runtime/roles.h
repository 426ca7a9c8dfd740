#ifndef RUNTIME_ROLES_H
#define RUNTIME_ROLES_H
/*
 * roles - which roles somebody has in a server just now, as Discord says when
 * it is asked. The loop asks for them itself, through a sophia-discord of its
 * own: no tool and no cache has a say in it.
 *
 * Answer   A look-up that fails, or one of somebody who is no member, leaves
 *          them not known. The role that everybody has, whose id is the
 *          server's, is among those that are known.
 * Memory   {0} with the first members set. It must not move while it asks.
 */

#include <stdbool.h>
#include <stddef.h>

#include "core/id.h"
#include "runtime/crew.h"

struct kit;

struct roles {
	struct kit *kit;
	struct crew *crew;

	bool asks;  /* to be read: wait, and look again */
	bool known; /* to be read, for the guild that was asked for */
	const char **ids;
	size_t count;

	char guild[24]; /* private from here */
	char id[ID_LEN + 1];
	struct crew_job job;
};

/* Has that guild been asked for, and answered, since roles_forget()? */
bool roles_heard(const struct roles *r, const char *guild);

/* Ask. If that can't be done, it is answered at once: not known. */
void roles_ask(struct roles *r, const char *guild, const char *user);

/* What is known counts no more; a look-up under way is given up. */
void roles_forget(struct roles *r);

#endif
