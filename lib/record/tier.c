#include "record/tier.h"

#include <stddef.h>

#include "record/field.h"

static const char *const words[] = {"read", "scratch", "write", "destructive",
    NULL};

const char *
tier_word(enum tier t)
{
	return words[t];
}

enum tier
tier_take(struct field *f)
{
	return (enum tier)field_word(f, "tier", words);
}
