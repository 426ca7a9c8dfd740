#ifndef STORE_POLICY_SET_H
#define STORE_POLICY_SET_H
/*
 * policy_set - change the lists of policy, one item at a time: as one step, in
 * the audit, alone (see settings).
 *
 * Errors   ERR_INPUT, naming the field, for an item that won't do.
 */

#include <stdint.h>

struct err;

enum policy_list {
	POLICY_GRANTS,
	POLICY_RULES,
	POLICY_PROTECTED,
	POLICY_MODERATORS,
};

/* An item's fields as texts; NULL for what it hasn't. */
struct policy_item {
	const char *user, *role, *guild, *channel;
	const char *capability, *tier, *mode, *effect;
	const char *until; /* a time, or "" */
};

/*
 * Put an item there, by an id or `local`: 1, or 0 if just that was there. A
 * grant takes the place of the one that was there to the same person or role in
 * the same place.
 */
int policy_add(enum policy_list list, const struct policy_item *x,
    const char *by, struct err *e);

/*
 * Take it away: 1, or 0 if there is none. Of a grant, whose it is and where
 * says which; of a rule all of it.
 */
int policy_remove(enum policy_list list, const struct policy_item *x,
    const char *by, struct err *e);

#endif
