#ifndef GUILD_POWER_H
#define GUILD_POWER_H
/*
 * power - who may hand out what: nobody gets, by asking Sophia, what they
 * couldn't give by themselves.
 *
 * Sophia   gives what she has herself, and touches roles below her highest one
 *          ("Permission Hierarchy" in Discord's documentation): else it is
 *          ERR_REFUSED, since Discord would refuse it.
 * Asker    Whatever somebody gains by a change - a permission that is allowed,
 *          or a denial that is lifted, in the server or in any channel - is one
 *          that whoever asks holds there, as Discord counts it: else it is
 *          ERR_DENIED. Owners and administrators hold all. The person at the
 *          machine is asked nothing. Which channel it is isn't told: they may
 *          not see it.
 *
 * It is computed from what Discord just said (guild/live), with the rights of
 * that moment: whoever acts later asks again.
 */

#include <stdbool.h>
#include <stdint.h>

#include "access/realm.h"

struct buf;
struct err;
struct json;
struct live;

/* "SEND_MESSAGES, CONNECT"; "nothing" for none. */
void power_names(struct buf *b, uint64_t bits);

/* The permissions in an array of their names: 0 and *bits, or ERR_INPUT. */
int power_read(uint64_t *bits, const struct json *names, struct err *e);

/* May a role get these? */
int power_grant(struct live *l, uint64_t bits, struct err *e);

/*
 * May Sophia allow or deny these in a channel, which is in that category (both
 * may be NULL)? "Edit Channel Permissions" says which ones.
 */
int power_touch(struct live *l, uint64_t bits, const struct realm_channel *in,
    const struct realm_channel *category, struct err *e);

/* May the asker let others gain these there (NULL: in the server)? */
int power_gain(struct live *l, uint64_t bits, const struct realm_channel *in,
    struct err *e);

/* Is that role below Sophia's highest one? */
int power_above(struct live *l, const struct json *role, struct err *e);

/* May that role be given to somebody (or taken away)? */
int power_hand(struct live *l, const struct json *role, bool give,
    struct err *e);

/* What one target gains, if `from` becomes `to`; and all that differs. */
uint64_t power_gained(const struct overwrite *from, const struct overwrite *to);
uint64_t power_changed(const struct overwrite *from,
    const struct overwrite *to);

#endif
