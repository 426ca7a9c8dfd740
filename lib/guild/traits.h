#ifndef GUILD_TRAITS_H
#define GUILD_TRAITS_H
/*
 * traits - what can be set about a channel or a role: its name, a topic, slow
 * mode, a colour. Arguments of a call in; Discord's fields out, and words for a
 * person.
 *
 * Lengths and numbers are those of Discord's documentation ("Modify Channel",
 * "Modify Guild Role").
 */

#include <stdint.h>

#include "core/buf.h"

struct change;
struct err;
struct json;

struct traits {
	struct buf
	    body; /* members of a JSON object that is open: what is set */
	struct buf from; /* the same, as they are now */
	struct buf text; /* a line each: "topic: "low" -> "high"" */
	int count;
};

void traits_start(struct traits *t);
void traits_release(struct traits *t); /* harmless on {0}, or twice */

/*
 * Take them from the arguments: what is that already is left out. old is the
 * channel of that kind as it is, or NULL for one to be made. ERR_INPUT for what
 * such a channel hasn't, or Discord doesn't take.
 */
int traits_channel(struct traits *t, struct change *c, int64_t kind,
    const struct json *old, struct err *e);
int traits_role(struct traits *t, struct change *c, const struct json *old,
    struct err *e);

/* One more, which is no argument: JSON text. */
void traits_add(struct traits *t, const char *field, const char *to,
    const char *from);

/* End the objects, and put them into the plan, as body and from. */
void traits_plan(struct traits *t, struct change *c);

/*
 * Verify: does `now` have all that the plan's body says, or all of what was
 * before? An enum change_seen; and c->seen.
 */
int traits_seen(struct change *c, const struct json *now);

/* Whether Discord may have made the one name of the other. */
int traits_same_name(const char *a, const char *b);

#endif
