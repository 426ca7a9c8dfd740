#include "record/tier.h"

#include <stddef.h>
#include <string.h>

#include "record/field.h"

static const char *const words[] = {"read", "scratch", "write", "destructive",
    NULL};

const char *
tier_word(enum tier t)
{
	return words[t];
}

enum tier
tier_of(const char *word)
{
	int i = 0;

	while (i < TIER_DESTRUCTIVE && strcmp(words[i], word) != 0)
		i++;
	return (enum tier)i;
}

enum tier
tier_take(struct field *f)
{
	return (enum tier)field_word(f, "tier", words);
}
