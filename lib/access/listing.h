#ifndef ACCESS_LISTING_H
#define ACCESS_LISTING_H
/*
 * listing - the policy as it stands: what is enabled, who is an operator, and
 * the lists of store/policy.
 *
 * Record   {"type":"policy","kind", and what the item has}; the kinds are
 *          server, direct, person, operator, grant, rule, protected, moderator.
 */

#include <stdbool.h>
#include <stdint.h>

struct buf;
struct settings;

enum {
	LISTING_PLACES = 1,
	LISTING_OPERATORS = 2,
	LISTING_GRANTS = 4,
	LISTING_RULES = 8,
	LISTING_PROTECTED = 16,
	LISTING_MODERATORS = 32,
	LISTING_ALL = 63,
};

struct listing {
	const struct settings *settings;
	const char *guild; /* only what holds there, too; NULL: all */
	unsigned parts;    /* of LISTING_... */
	bool json;         /* records, else lines for a person */
	bool mentions; /* in lines, people and so on as Discord shows them */
	int64_t now_ms;
};

int listing_write(struct buf *b, const struct listing *l); /* how many */

#endif
