#ifndef CORE_ID_H
#define CORE_ID_H
/*
 * id - our own ids, and Discord's.
 *
 * Ours     20 characters of Crockford's base32 in lower case: 48 bits of wall
 *          time in ms, then 52 random bits. They sort by time. $SOPHIA_SEED
 *          makes the random bits repeatable in a test build.
 * Discord  A snowflake is 64 bits, decimal in text; its upper 42 bits are ms
 *          since 2015-01-01 UTC (Discord's documentation, "Snowflakes").
 */

#include <stdbool.h>
#include <stdint.h>

enum { ID_LEN = 20 };

void id_new(char out[ID_LEN + 1]);
bool id_valid(const char *text);

uint64_t id_random(void); /* 64 bits, like those of an id */

/*
 * A snowflake from its decimal text: 0 and *id, or -1 if it is none. It has one
 * spelling, without zeros before it.
 */
int snowflake_read(uint64_t *id, const char *text);
int64_t snowflake_ms(uint64_t id);       /* when it was made */
uint64_t snowflake_first(int64_t at_ms); /* the lowest one of that ms */

#endif
