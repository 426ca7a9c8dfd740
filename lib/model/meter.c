#include "model/meter.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/err.h"
#include "ext/json.h"
#include "model/profile.h"

enum {
	TOKENS_MAX = 1000000000, /* more is nonsense */
	DECIMALS = 12,
};

static void
take(struct usage_count *c, const struct json *in, const char *key)
{
	int64_t n = json_int(in, key, -1);

	if (n >= 0 && n <= TOKENS_MAX)
		*c = (struct usage_count){.known = true, .n = n};
}

/*
 * A JSON number as plain decimal text ("9.6e-6" is "0.0000096"); "" if it is
 * negative, or too long to be a price.
 */
static void
plain_decimal(char out[METER_COST_MAX], const char *number)
{
	char digits[METER_COST_MAX];
	int count = 0, point = -1;
	long exponent = 0;
	char *end;
	size_t n = 0;
	const char *c = number, *rest;

	out[0] = '\0';
	for (; (isdigit((unsigned char)*c) || *c == '.'); c++) {
		if (*c == '.')
			point = count;
		else if (count == METER_COST_MAX / 2)
			return;
		else
			digits[count++] = *c;
	}
	if (point < 0)
		point = count;
	rest = c;
	if (*c == 'e' || *c == 'E') {
		exponent = strtol(c + 1, &end, 10);
		rest = end;
	}
	if (!count || *rest || exponent > 0 || exponent < -DECIMALS)
		return;
	point += (int)exponent;
	if (point <= 0) {
		out[n++] = '0';
		out[n++] = '.';
		for (int i = point; i < 0; i++)
			out[n++] = '0';
	}
	for (int i = 0; i < count; i++) {
		if (i == point && i > 0)
			out[n++] = '.';
		out[n++] = digits[i];
	}
	out[n] = '\0';
}

static void
take_cost(struct meter *m, const struct json *usage)
{
	const struct json *cost = json_get(usage, "cost");
	char text[METER_COST_MAX];

	if (json_kind(cost) == JSON_OBJECT)
		cost = json_get(cost, "total_cost");
	if (json_kind(cost) != JSON_NUMBER)
		return;
	plain_decimal(text, json_text(cost));
	if (*text)
		snprintf(m->cost, sizeof(m->cost), "%s", text);
}

void
meter_add(struct meter *m, const struct json *payload)
{
	const struct json *usage = json_get(payload, "usage");
	const struct json *in, *out;

	if (json_kind(usage) != JSON_OBJECT)
		usage = json_get(json_get(payload, "x_groq"), "usage");
	in = json_get(usage, "prompt_tokens_details");
	out = json_get(usage, "completion_tokens_details");
	take(&m->input, usage, "prompt_tokens");
	take(&m->output, usage, "completion_tokens");
	take(&m->cached, usage, "cached_tokens");
	take(&m->cached, usage, "prompt_cache_hit_tokens");
	take(&m->cached, in, "cached_tokens");
	take(&m->reasoning, out, "reasoning_tokens");
	take_cost(m, usage);
}

static struct usage_count
part_of(struct usage_count part, struct usage_count whole)
{
	if (part.known && whole.known && part.n > whole.n)
		part.n = whole.n;
	return part;
}

/* Units: tokens times millionths of a dollar a million = 1e-12 dollars. */
static void
estimate(const struct usage *u, const struct profile_prices *p,
    char cost[METER_COST_MAX])
{
	int64_t cached = u->cached.known && p->cached >= 0 ? u->cached.n : 0;
	int64_t fresh = u->input.n - cached;
	int64_t unit = 1000000000000, sum = 0;
	const int64_t terms[3][2] = {
	    {cached, p->cached},
	    {fresh, p->input},
	    {u->output.n, p->output},
	};
	size_t end;

	for (int i = 0; i < 3; i++) {
		if (terms[i][0] <= 0)
			continue;
		if (terms[i][1] > (INT64_MAX - sum) / terms[i][0])
			return;
		sum += terms[i][0] * terms[i][1];
	}
	snprintf(cost, METER_COST_MAX, "%" PRId64 ".%012" PRId64, sum / unit,
	    sum % unit);
	for (end = strlen(cost); cost[end - 1] == '0'; end--)
		cost[end - 1] = '\0';
	if (cost[end - 1] == '.')
		cost[end - 1] = '\0';
}

void
meter_fill(const struct meter *m, const struct profile_prices *prices,
    char cost[METER_COST_MAX], struct usage *u)
{
	u->input = m->input;
	u->output = m->output;
	u->cached = part_of(m->cached, m->input);
	u->reasoning = part_of(m->reasoning, m->output);
	cost[0] = '\0';
	memcpy(cost, m->cost, METER_COST_MAX);
	u->estimated = false;
	if (!*cost && prices && u->input.known && u->output.known) {
		estimate(u, prices, cost);
		u->estimated = *cost != '\0';
	}
	u->cost = *cost ? cost : NULL;
}
