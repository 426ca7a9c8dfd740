/*
 * fuzz_wipe - whatever an event holds, what is found to be blanked lies within
 * it, in order; and JSON stays JSON of the same length when it is.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ext/json.h"
#include "store/tombstone.h"
#include "store/wipe.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct grave list[] = {{GRAVE_MESSAGE, 1, 0}, {GRAVE_CHANNEL, 2, 0}};
	const struct graves g = {.at = list, .count = 2};
	struct wipe_span spans[WIPE_SPANS];
	char *text = malloc(size + 1);
	size_t n, end = 0;
	bool was;

	memcpy(text, data, size);
	text[size] = '\0';
	was = json_is_object(text, size);
	n = wipe_find(spans, text, size, &g);
	for (size_t i = 0; i < n; i++) {
		if (spans[i].at < end || spans[i].len > size - spans[i].at)
			abort();
		end = spans[i].at + spans[i].len;
		memset(text + spans[i].at, ' ', spans[i].len);
	}
	if (was && !json_is_object(text, size))
		abort();
	free(text);
	return 0;
}
