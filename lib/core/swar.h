#ifndef CORE_SWAR_H
#define CORE_SWAR_H
/*
 * swar - look for bytes eight at a time, in one machine word.
 *
 * Each test gives 0 if none of the eight bytes is such a one, else something
 * else, which says no more than that: look at the bytes themselves then.
 */

#include <stdint.h>
#include <string.h>

#define SWAR_ONES 0x0101010101010101U
#define SWAR_HIGH 0x8080808080808080U

static inline uint64_t
swar_load(const void *bytes)
{
	uint64_t x;

	memcpy(&x, bytes, sizeof(x));
	return x;
}

static inline uint64_t
swar_below(uint64_t x, unsigned char n) /* n <= 128 */
{
	return (x - SWAR_ONES * n) & ~x & SWAR_HIGH;
}

static inline uint64_t
swar_equal(uint64_t x, unsigned char c)
{
	return swar_below(x ^ (SWAR_ONES * c), 1);
}

static inline uint64_t
swar_high(uint64_t x) /* not ASCII */
{
	return x & SWAR_HIGH;
}

#endif
