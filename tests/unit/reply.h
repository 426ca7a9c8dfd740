#ifndef REPLY_H
#define REPLY_H
/* reply - decode a reply as a test wants it cut, and give its records. */

#include <stdlib.h>

#include "core/buf.h"
#include "core/err.h"
#include "ext/json.h"
#include "model/chat_reply.h"
#include "model/aliases.h"
#include "model/profile.h"
#include "record/request.h"

static struct profile reply_profile = {.id = "p", .model = "m"};
static struct aliases reply_names;
static const struct request reply_request = {
    .id = "r",
    .profile = "p",
    .purpose = "task",
};

/* The records of a reply whose bytes come as [0,cut), then step by step. */
static inline char *
reply_cut(const char *bytes, size_t len, size_t cut, size_t step)
{
	struct chat_reply r = {
	    .request = &reply_request,
	    .profile = &reply_profile,
	    .aliases = &reply_names,
	};
	struct buf out = {0};

	if (cut)
		chat_reply_feed(&r, bytes, cut, &out);
	for (size_t at = cut, n; at < len; at += n) {
		n = len - at < step ? len - at : step;
		chat_reply_feed(&r, bytes + at, n, &out);
	}
	chat_reply_end(&r, &out);
	chat_reply_release(&r);
	return buf_take(&out);
}

static inline char *
reply_whole(const char *bytes, size_t len)
{
	return reply_cut(bytes, len, 0, len ? len : 1);
}

#endif
