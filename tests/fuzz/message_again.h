#ifndef MESSAGE_AGAIN_H
#define MESSAGE_AGAIN_H
/* message_again - what holds for every message record, wherever it came from. */

#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "ext/json.h"
#include "record/message.h"

/* The record of a message must read, and be written the same again. */
static inline void
message_again(const struct buf *once)
{
	struct message m = {0};
	struct json *v = NULL;
	struct buf twice = {0}, words = {0};
	struct err e = {0};

	if (json_object(&v, once->data, once->len, &e) < 0 ||
	    message_read_json(&m, v, &e) < 0)
		abort();
	message_write(&twice, &m);
	if (strcmp(once->data, twice.data) != 0)
		abort();
	message_words(&words, &m);
	message_release(&m);
	json_free(v);
	buf_release(&twice);
	buf_release(&words);
}

#endif
