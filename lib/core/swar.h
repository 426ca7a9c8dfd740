#ifndef CORE_SWAR_H
#define CORE_SWAR_H
/*
 * swar - look for bytes eight at a time, in one machine word.
 *
 * Each test gives 0 if none of the eight bytes is such a one. Else
 * swar_before() says how many bytes at least stand before the first such one;
 * look at the next byte itself then.
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

/* Bytes other than c. */
static inline uint64_t
swar_other(uint64_t x, unsigned char c)
{
	return x ^ (SWAR_ONES * c);
}

static inline unsigned
swar_before(uint64_t found)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return found ? (unsigned)__builtin_ctzll(found) / 8 : 8;
#else
	return found ? 0 : 8;
#endif
}

static inline uint64_t
swar_high(uint64_t x) /* not ASCII */
{
	return x & SWAR_HIGH;
}

#endif
