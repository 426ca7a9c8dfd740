#define _GNU_SOURCE /* getentropy */
#include "core/id.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/err.h"
#include "core/log.h"

static const char alphabet[] = "0123456789abcdefghjkmnpqrstvwxyz";

static const int64_t discord_epoch_ms = 1420070400000;

#ifdef SOPHIA_TEST_CLOCK
static bool
seeded(uint64_t *bits)
{
	static uint64_t state;
	const char *seed = getenv("SOPHIA_SEED");

	if (!seed)
		return false;
	if (!state)
		state = strtoull(seed, NULL, 10) * 2 + 1;
	state = state * 6364136223846793005U + 1442695040888963407U;
	*bits = state;
	return true;
}
#else
static bool
seeded(uint64_t *bits)
{
	(void)bits;
	return false;
}
#endif

uint64_t
id_random(void)
{
	struct err e = {0};
	uint64_t bits;

	if (seeded(&bits) || getentropy(&bits, sizeof(bits)) == 0)
		return bits;
	err_sys(&e, ERR_INTERNAL, "no randomness");
	log_complain(&e);
	exit(ERR_INTERNAL);
}

void
id_new(char out[ID_LEN + 1])
{
	uint64_t time = (uint64_t)clock_now_ms() & 0xffffffffffff;
	uint64_t high = time << 2 | (id_random() & 3); /* 50 bits a half */
	uint64_t low = id_random();

	for (int i = ID_LEN / 2 - 1; i >= 0; i--) {
		out[i] = alphabet[high & 31];
		out[i + ID_LEN / 2] = alphabet[low & 31];
		high >>= 5;
		low >>= 5;
	}
	out[ID_LEN] = '\0';
}

bool
id_valid(const char *text)
{
	return text && strlen(text) == ID_LEN &&
	       strspn(text, alphabet) == ID_LEN;
}

int
snowflake_read(uint64_t *id, const char *text)
{
	char *end;
	unsigned long long n;

	if (!text || *text < '1' || *text > '9')
		return -1;
	errno = 0;
	n = strtoull(text, &end, 10);
	if (errno || *end || !n || n > INT64_MAX)
		return -1;
	*id = n;
	return 0;
}

int64_t
snowflake_ms(uint64_t id)
{
	return (int64_t)(id >> 22) + discord_epoch_ms;
}

uint64_t
snowflake_first(int64_t at_ms)
{
	return at_ms <= discord_epoch_ms
		   ? 0
		   : (uint64_t)(at_ms - discord_epoch_ms) << 22;
}
