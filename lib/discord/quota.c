#include "discord/quota.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/err.h"
#include "core/hash.h"
#include "ext/json.h"

enum {
	LONGEST_MS = 24 * 3600 * 1000,
	LONGEST_BODY_MS = 3600 * 1000, /* it may be in the wrong unit */
	MOST = 1000000,                /* requests in a bucket */
};

/* Seconds with decimals, as ms rounded up; -1 if text is none. */
static int64_t
seconds_ms(const char *text, int64_t longest_ms)
{
	char *end;
	double n;

	if (!text || !*text || strspn(text, "0123456789.eE+") != strlen(text))
		return -1;
	n = strtod(text, &end);
	if (*end || !(n >= 0))
		return -1;
	n = ceil(n * 1000 - 0.000001);
	return n > (double)longest_ms ? longest_ms : (int64_t)n;
}

static int32_t
count(const char *text)
{
	char *end;
	long n = strtol(text, &end, 10);

	return *end || end == text || n < 0 || n > MOST ? -1 : (int32_t)n;
}

void
quota_start(struct quota *q)
{
	*q = (struct quota){
	    .limit = -1,
	    .left = -1,
	    .reset_ms = -1,
	    .retry_ms = -1,
	    .body_ms = -1,
	};
}

static enum quota_scope
scope(const char *word)
{
	if (strcmp(word, "global") == 0)
		return QUOTA_GLOBAL;
	return strcmp(word, "shared") == 0 ? QUOTA_SHARED : QUOTA_USER;
}

void
quota_header(struct quota *q, const char *name, const char *value)
{
	static const char prefix[] = "x-ratelimit-";

	if (strcmp(name, "retry-after") == 0)
		q->retry_ms = seconds_ms(value, LONGEST_MS);
	if (strncmp(name, prefix, sizeof(prefix) - 1) != 0)
		return;
	name += sizeof(prefix) - 1;
	if (strcmp(name, "bucket") == 0)
		q->bucket = hash_text(HASH_START, value) | 1;
	else if (strcmp(name, "limit") == 0)
		q->limit = count(value);
	else if (strcmp(name, "remaining") == 0)
		q->left = count(value);
	else if (strcmp(name, "reset-after") == 0)
		q->reset_ms = seconds_ms(value, LONGEST_MS);
	else if (strcmp(name, "global") == 0 && strcmp(value, "true") == 0)
		q->scope = QUOTA_GLOBAL;
	else if (strcmp(name, "scope") == 0)
		q->scope = scope(value);
}

void
quota_body(struct quota *q, const char *body, size_t len)
{
	struct json *root = NULL;
	struct err e = {0};

	if (json_object(&root, body, len, &e) < 0)
		return;
	q->body_ms = seconds_ms(json_text(json_get(root, "retry_after")),
	    LONGEST_BODY_MS);
	q->json = q->body_ms >= 0 || json_string(root, "message");
	if (json_bool(root, "global", false))
		q->scope = QUOTA_GLOBAL;
	json_free(root);
}

int64_t
quota_wait_ms(const struct quota *q)
{
	return q->retry_ms >= 0 ? q->retry_ms : q->body_ms;
}
