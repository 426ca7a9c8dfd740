/*
 * Replies of a provider, streamed and whole, and the pages of its errors: any
 * bytes must give records that can be read, one verdict last, the same however
 * they are cut.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/reply.h"
#include "model/refusal.h"
#include "record/error.h"
#include "record/finish.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every line is a record, the last one the only verdict. */
static void
check(const char *records)
{
	int verdicts = 0;

	while (*records) {
		size_t len = strcspn(records, "\n");
		struct json *r = NULL;
		struct err e = {0};
		struct finish finish;
		struct error error;

		if (verdicts || json_object(&r, records, len, &e) < 0)
			abort();
		if (strcmp(json_string(r, "type"), "finish") == 0)
			verdicts += finish_read(&finish, r, &e) == 0 ? 1 : 2;
		if (strcmp(json_string(r, "type"), "error") == 0)
			verdicts += error_read(&error, r, &e) == 0 ? 1 : 2;
		json_free(r);
		records += len + 1;
	}
	if (verdicts != 1)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *bytes = (const char *)data;
	struct refusal r = {0};
	char *whole, *cut;

	if (!size)
		return 0;
	whole = reply_whole(bytes, size);
	cut = reply_cut(bytes, size, data[size / 2] % size, size);
	if (strcmp(whole, cut) != 0)
		abort();
	check(whole);
	refusal_read(&r, 400 + data[0] % 200, bytes, size);
	if (!r.kind || !*r.text || !*r.code)
		abort();
	free(whole);
	free(cut);
	return 0;
}
