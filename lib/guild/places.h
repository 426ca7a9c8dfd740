#ifndef GUILD_PLACES_H
#define GUILD_PLACES_H
/*
 * places - what the changes of channels have in common.
 *
 * Seen     What is written into a channel's name or topic is read by whoever
 *          sees the channel, and a role's name by the whole server: for that
 *          the proposal's destination is a channel that everybody sees.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct change;
struct err;
struct place;

/* "Guild" limits, of Discord's documentation. */
enum { CHANNELS_MOST = 500, CATEGORY_MOST = 50, GUILD_ROLES_MOST = 250 };

/* The plan begins with the guild, the channel, its name and kind. */
void places_plan(struct change *c, const struct place *p);

/*
 * The category that the argument `category` names, with room for one more
 * channel (other than p, if that is in it): 0 and *in.
 */
int places_category(struct change *c, uint64_t p, struct place *in,
    struct err *e);

/* How many channels are in that category; 0 for those in none. */
size_t places_inside(const struct change *c, uint64_t category);

bool places_is_community(const struct change *c);

/* The destination of what the whole server can read. ERR_REFUSED: nowhere. */
int places_for_all(struct change *c, struct err *e);

/* What came of it, for act: a summary, and the channel as data. */
void places_told(struct change *c, const char *what, uint64_t id,
    const char *name);

/* Begin again, for act: the rights of whoever asks, as they are now. */
int places_again(struct change *c, struct err *e);

/* Verify, of a channel whose traits were set. */
int places_seen(struct change *c, struct err *e);

#endif
