/* All changes. */
#include "guild/changes.h"

#include <stddef.h>
#include <string.h>

#include "guild/change.h"

static const struct change_kind kinds[] = {
    {"send_message", send_check, send_act, send_verify},
};

const struct change_kind *
change_find(const char *capability)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].capability, capability) == 0)
			return &kinds[i];
	return NULL;
}
