#ifndef STORE_PRINT_H
#define STORE_PRINT_H
/*
 * print - a fingerprint of 64 bits of what was stored, so that the same again
 * is known without asking the database. Not for outsiders' benefit: who makes
 * two rows collide only keeps his own name from being renewed.
 */

#include <stddef.h>
#include <stdint.h>

static inline uint64_t
print_mix(uint64_t x) /* the finisher of SplitMix64 */
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
	return x ^ (x >> 31);
}

static inline uint64_t
print_start(uint64_t seed)
{
	return print_mix(seed + 0x9e3779b97f4a7c15);
}

/* FNV-1a; NULL and "" differ, and so do the places where texts meet. */
static inline uint64_t
print_text(uint64_t p, const char *text)
{
	if (!text)
		return p * 0x100000001b3 + 1;
	for (; *text; text++)
		p = (p ^ (unsigned char)*text) * 0x100000001b3;
	return (p ^ 0x100) * 0x100000001b3;
}

#endif
