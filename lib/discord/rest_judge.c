#include "discord/rest_judge.h"

#include <string.h>

#include "core/clock.h"
#include "core/id.h"

enum {
	FIRST_MS = 500,
	LONGEST_MS = 30000,
	TOO_MANY = 429,
	UNAUTHORIZED = 401,
	TIMED_OUT = 408,
	SERVER_ERROR = 500,
};

static bool
is_read(const struct rest_call *c)
{
	return strcmp(c->method, "GET") == 0;
}

bool
rest_may_repeat(const struct rest_call *c)
{
	if (c->once)
		return false;
	return c->repeatable || is_read(c) || strcmp(c->method, "PUT") == 0 ||
	       strcmp(c->method, "DELETE") == 0;
}

void
rest_finish(struct rest_call *c, enum rest_end end, enum err_kind kind,
    const char *text)
{
	bool sent = end != REST_UNSENT || c->doubtful;

	c->state = CALL_OVER;
	c->end = end == REST_UNSENT && c->doubtful ? REST_UNKNOWN : end;
	if (end == REST_ANSWERED) {
		verdict_read(&c->verdict, c->status, buf_text(&c->reply),
		    c->reply.len);
		if (c->status == UNAUTHORIZED && !c->route.open)
			snprintf(c->verdict.text, sizeof(c->verdict.text), "%s",
			    REST_BAD_TOKEN);
		return;
	}
	if (kind == ERR_AGAIN && sent && !is_read(c))
		kind = ERR_UNKNOWN;
	c->verdict = (struct verdict){.kind = kind};
	snprintf(c->verdict.text, sizeof(c->verdict.text), "%s%.380s",
	    sent && !is_read(c) ? "it may be done: " : "", text);
}

/* Half a second, doubled each time, up to a quarter less. */
static int64_t
backoff_ms(int tries)
{
	int64_t ms = FIRST_MS;

	for (; tries > 1 && ms < LONGEST_MS; tries--)
		ms *= 2;
	if (ms > LONGEST_MS)
		ms = LONGEST_MS;
	return ms - (int64_t)(id_random() % (uint64_t)(ms / 4));
}

void
rest_line_up(struct rest_call *c, int64_t wait_ms)
{
	c->state = CALL_WAITING;
	c->not_before_ms = clock_boot_ms() + wait_ms;
}

/* Is another attempt worth it; then it stands in line again. */
static bool
try_again(struct rest_call *c, bool safe)
{
	if (!safe || c->tries >= REST_TRIES)
		return false;
	rest_line_up(c, backoff_ms(c->tries));
	return true;
}

/* A success whose body is no JSON: a page of something before Discord. */
static bool
is_strange(const struct rest_call *c)
{
	return c->status >= 200 && c->status < 300 && c->reply.len > 0 &&
	       !strchr("{[", c->reply.data[0]);
}

/* Discord, or something before it, has spoken. */
static void
judge_answer(struct rest_call *c)
{
	const bool strange = is_strange(c);
	char text[64];

	if (c->status == TOO_MANY) {
		c->tries--; /* it was no attempt */
		rest_line_up(c, 0);
		return;
	}
	if (c->status < SERVER_ERROR && c->status != TIMED_OUT && !strange) {
		rest_finish(c, REST_ANSWERED, ERR_NONE, NULL);
		return;
	}
	c->doubtful = c->doubtful || !is_read(c);
	if (try_again(c, rest_may_repeat(c)))
		return;
	snprintf(text, sizeof(text),
	    strange ? "what answers is not Discord"
		    : "Discord answers with HTTP %d",
	    c->status);
	rest_finish(c, is_read(c) && !strange ? REST_ANSWERED : REST_UNKNOWN,
	    ERR_AGAIN, text);
}

void
rest_judge(struct rest_call *c)
{
	const struct http_call *h = &c->attempt.http;
	enum err_kind kind = h->why.kind;

	c->status = h->status;
	switch (h->end) {
	case HTTP_DONE: judge_answer(c); return;
	case HTTP_UNSENT:
		if (!try_again(c, kind == ERR_AGAIN))
			rest_finish(c, REST_UNSENT, kind, h->why.text);
		return;
	default:
		c->doubtful = c->doubtful || !is_read(c);
		if (!try_again(c, kind == ERR_AGAIN && rest_may_repeat(c)))
			rest_finish(c, REST_UNKNOWN, kind, h->why.text);
	}
}

const char *
rest_reason(enum limit_why why)
{
	switch (why) {
	case LIMIT_TOKEN: return REST_BAD_TOKEN;
	case LIMIT_EDGE:
		return "a proxy before Discord refuses this address for now";
	case LIMIT_INVALIDS:
		return "too many requests were refused (401, 403, 429) in the "
		       "last ten minutes";
	default: return "it was not its turn in time: Discord's rate limits";
	}
}
