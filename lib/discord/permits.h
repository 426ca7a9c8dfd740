#ifndef DISCORD_PERMITS_H
#define DISCORD_PERMITS_H
/* permits - permissions by their names in Discord's documentation. */

#include <stdint.h>

enum { PERMITS = 53 }; /* bits */

const char *permit_name(int bit); /* NULL for one that has none */

#endif
