#include <stdint.h>

#include "core/buf.h"
#include "core/err.h"
#include "discord/raw.h"
#include "ext/json.h"
#include "record/message.h"

#include "message_again.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct message m = {0};
	struct json *v = NULL;
	struct buf once = {0};
	struct err e = {0};

	if (json_object(&v, (const char *)data, size, &e) == 0 &&
	    raw_read(&m, v, &e) == 0) {
		message_write(&once, &m);
		message_again(&once);
	}
	message_release(&m);
	json_free(v);
	buf_release(&once);
	return 0;
}
