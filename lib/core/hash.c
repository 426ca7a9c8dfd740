#include "core/hash.h"

#include <string.h>

uint64_t
hash_bytes(uint64_t hash, const void *bytes, size_t len)
{
	const unsigned char *p = bytes;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
	return hash;
}

uint64_t
hash_number(uint64_t hash, uint64_t n)
{
	unsigned char bytes[8];

	for (size_t i = 0; i < 8; i++)
		bytes[i] = (unsigned char)(n >> 8 * i);
	return hash_bytes(hash, bytes, sizeof(bytes));
}

uint64_t
hash_text(uint64_t hash, const char *text)
{
	hash = hash_number(hash, text ? strlen(text) + 1 : 0);
	return text ? hash_bytes(hash, text, strlen(text)) : hash;
}
