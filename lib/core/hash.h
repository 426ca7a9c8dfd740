#ifndef CORE_HASH_H
#define CORE_HASH_H
/*
 * hash - FNV-1a, 64 bits: to compare, never to protect.
 * (Fowler, Noll, Vo: offset basis and prime as published by the authors.)
 */

#include <stddef.h>
#include <stdint.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)

uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t len);
uint64_t hash_number(uint64_t hash, uint64_t n);
uint64_t hash_text(uint64_t hash, const char *text); /* NULL is not "" */

#endif
