#ifndef DISCORD_INTENTS_H
#define DISCORD_INTENTS_H
/*
 * intents - which events a session asks for (Discord's documentation, "Gateway
 * Intents"), by name and as bits, and which of them need a switch turned on in
 * the Developer Portal (privileged intents, application flags).
 */

#include <stdint.h>

struct buf;
struct err;

#define INTENT_GUILDS (UINT64_C(1) << 0)
#define INTENT_GUILD_MEMBERS (UINT64_C(1) << 1)
#define INTENT_GUILD_MODERATION (UINT64_C(1) << 2)
#define INTENT_GUILD_PRESENCES (UINT64_C(1) << 8)
#define INTENT_GUILD_MESSAGES (UINT64_C(1) << 9)
#define INTENT_GUILD_MESSAGE_REACTIONS (UINT64_C(1) << 10)
#define INTENT_DIRECT_MESSAGES (UINT64_C(1) << 12)
#define INTENT_DIRECT_MESSAGE_REACTIONS (UINT64_C(1) << 13)
#define INTENT_MESSAGE_CONTENT (UINT64_C(1) << 15)
#define INTENT_GUILD_MESSAGE_POLLS (UINT64_C(1) << 24)
#define INTENT_DIRECT_MESSAGE_POLLS (UINT64_C(1) << 25)

#define INTENTS_PRIVILEGED                                                     \
	(INTENT_GUILD_MEMBERS | INTENT_GUILD_PRESENCES | INTENT_MESSAGE_CONTENT)

/*
 * What Sophia lives on. GUILD_MEMBERS is not among it: it is asked for where
 * the application has it, see intents_offered().
 */
#define INTENTS_DEFAULT                                                        \
	(INTENT_GUILDS | INTENT_GUILD_MESSAGES |                               \
	    INTENT_GUILD_MESSAGE_REACTIONS | INTENT_DIRECT_MESSAGES |          \
	    INTENT_DIRECT_MESSAGE_REACTIONS | INTENT_MESSAGE_CONTENT |         \
	    INTENT_GUILD_MESSAGE_POLLS | INTENT_DIRECT_MESSAGE_POLLS)

/* "GUILDS,GUILD_MESSAGES" or a number: 0, or ERR_INPUT naming the bad word. */
int intents_read(uint64_t *intents, const char *text, struct err *e);

/* Add their names, ", " between any two; a bit without a name is a number. */
void intents_write(struct buf *b, uint64_t intents);

/* The privileged ones that the flags of an application allow. */
uint64_t intents_offered(int64_t flags);

/*
 * Add which privileged intents these are, as the Developer Portal calls them,
 * and where they are switched on.
 */
void intents_remedy(struct buf *b, uint64_t intents);

#endif
