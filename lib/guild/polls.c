/* get_poll_results */
#include <inttypes.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "guild/answers.h"
#include "guild/describe.h"
#include "guild/link.h"
#include "guild/live.h"
#include "record/call.h"
#include "tool/serve.h"

/* The votes for an answer, by its id. */
static int64_t
votes_of(const struct json *results, int64_t answer)
{
	const struct json *v = json_first(json_get(results, "answer_counts"));

	while (v && json_int(v, "id", -1) != answer)
		v = json_next(v);
	return json_int(v, "count", 0);
}

static void
add_poll(struct answer_parts *a, const struct json *poll)
{
	const struct json *results = json_get(poll, "results");
	const struct json *v = json_first(json_get(poll, "answers"));
	const char *question = json_string(json_get(poll, "question"), "text");
	const char *ends = json_string(poll, "expiry");
	bool final = json_bool(results, "is_finalized", false);
	struct buf *d = &a->data;
	int64_t at_ms, total = 0;

	jsonw_object(d, NULL);
	jsonw_str(d, "question", question);
	jsonw_array(d, "answers");
	for (; v; v = json_next(v)) {
		int64_t n = votes_of(results, json_int(v, "answer_id", 0));

		jsonw_object(d, NULL);
		jsonw_str(d, "text",
		    json_string(json_get(v, "poll_media"), "text"));
		jsonw_int(d, "votes", n);
		jsonw_end_object(d);
		total += n;
	}
	jsonw_end_array(d);
	jsonw_int(d, "votes", total);
	jsonw_bool(d, "several_allowed",
	    json_bool(poll, "allow_multiselect", false));
	jsonw_bool(d, "final", final);
	if (ends && clock_parse(&at_ms, ends) == 0)
		jsonw_time(d, "ends_at", at_ms);
	jsonw_end_object(d);
	buf_fmt(&a->summary, "%" PRId64 " votes on \"%.200s\", %s", total,
	    question ? question : "", final ? "final" : "not final yet");
}

static int
show_poll(struct live *l, uint64_t channel, uint64_t message,
    struct answer_parts *a, struct err *e)
{
	const struct json *poll;
	struct json *v;
	char path[96];
	int result = 0;

	snprintf(path, sizeof(path), "/channels/%" PRIu64 "/messages/%" PRIu64,
	    channel, message);
	if (live_find(l, path, &v, e) < 0)
		return -1;
	poll = json_get(v, "poll");
	if (json_kind(poll) != JSON_OBJECT) {
		result = err_set(e, ERR_INPUT, "there is no poll %" PRIu64,
		    message);
	} else {
		jsonw_array(&a->sources, NULL);
		result = describe_source(l, live_channel(l, channel), v,
		    &a->sources, e);
		jsonw_end_array(&a->sources);
		add_poll(a, poll);
	}
	json_free(v);
	return result;
}

int
guild_poll(void *ctx, const struct call *call, struct answer_parts *a,
    struct err *e)
{
	struct live *l = ctx;
	const struct json *in = call->arguments.tree;
	const char *link = json_string(in, "message");
	const char *name = json_string(in, "channel");
	struct link at;
	uint64_t channel;
	char digits[24];
	int result = -1;

	link_read(&at, link);
	channel = at.channel;
	if (!at.message)
		return err_set(e, ERR_INPUT, "message is no id or link");
	if (!channel && !name)
		return err_set(e, ERR_INPUT,
		    "channel is missing, and message is no link");
	if (channel) {
		snprintf(digits, sizeof(digits), "%" PRIu64, channel);
		name = digits;
	}
	if (live_begin(l, call, live_id(name, "<#"), e) < 0)
		return -1;
	if (live_name_channel(l, name, &channel, e) == 0 &&
	    live_readable(l, channel, name, e) == 0)
		result = show_poll(l, channel, at.message, a, e);
	live_end(l);
	return result;
}
