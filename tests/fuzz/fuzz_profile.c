/* Profiles, as a person may have written them: read, or refused by field. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/err.h"
#include "model/profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct profile p = {0};
	struct err e = {0};

	if (profile_read(&p, "x", (const char *)data, size, &e) < 0) {
		if (e.kind != ERR_CONFIG || !*e.text)
			abort();
	} else if (!p.id || !p.model || p.reserve > p.context / 2 ||
		   (p.protocol == PROTOCOL_CHAT && !p.base_url)) {
		abort();
	}
	profile_release(&p);
	return 0;
}
