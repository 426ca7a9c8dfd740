#ifndef MODEL_METER_H
#define MODEL_METER_H
/*
 * meter - what a reply says it used, and what that costs.
 *
 * Providers send usage once, twice, in any chunk or never, under several names.
 * The last number of each kind counts; parts are cut to what they are part of,
 * totals are not looked at. The cost is the provider's if it names one, else
 * that of the profile's prices, exact to a millionth of a millionth of a dollar
 * and marked as estimated, else unknown.
 *
 * Memory   nothing to release.
 */

#include <stddef.h>
#include <stdint.h>

#include "record/usage.h"

struct json;
struct profile_prices;

enum { METER_COST_MAX = 40 };

struct meter {
	struct usage_count input, output, cached, reasoning;
	char cost[METER_COST_MAX]; /* "" if the provider named none */
};

/* Take a payload of a reply: its usage, wherever it is. */
void meter_add(struct meter *m, const struct json *payload);

/*
 * Fill in the counts and the cost. prices may be NULL; cost is where the text
 * of an estimate is put, and must live as long as *u.
 */
void meter_fill(const struct meter *m, const struct profile_prices *prices,
    char cost[METER_COST_MAX], struct usage *u);

#endif
