#include "record/gateway_status.h"

#include "core/clock.h"
#include "ext/jsonw.h"
#include "record/field.h"

/* A time, 0 where there is none. */
static int64_t
take_time(struct field *f, const char *key)
{
	const char *text = field_str_opt(f, key);
	int64_t at_ms = 0;

	if (text && clock_parse(&at_ms, text) < 0)
		at_ms = 0;
	return at_ms;
}

int
gateway_status_read(struct gateway_status *x, const struct json *root,
    struct err *e)
{
	struct field f;

	field_start(&f, root, "gateway", e);
	x->shard = (int)field_int(&f, "shard");
	x->pid = (int)field_int(&f, "pid");
	x->state = field_str(&f, "state");
	x->reason = field_str_opt(&f, "reason");
	x->user = field_str_opt(&f, "user");
	x->at_ms = take_time(&f, "at");
	x->since_ms = take_time(&f, "since");
	x->until_ms = take_time(&f, "until");
	x->latency_ms = field_int_opt(&f, "latency_ms", -1);
	x->guilds = field_int(&f, "guilds");
	x->events = field_int(&f, "events");
	x->identified = field_int(&f, "identified");
	x->resumed = field_int(&f, "resumed");
	x->failed = field_int(&f, "failed");
	x->number = field_int(&f, "number");
	x->sequence = field_int(&f, "sequence");
	return field_end(&f);
}

void
gateway_status_write(struct buf *b, const struct gateway_status *x)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "gateway");
	jsonw_int(b, "shard", x->shard);
	jsonw_int(b, "pid", x->pid);
	jsonw_str(b, "state", x->state);
	jsonw_opt(b, "reason", x->reason);
	jsonw_opt(b, "user", x->user);
	jsonw_time(b, "at", x->at_ms);
	jsonw_time(b, "since", x->since_ms);
	if (x->until_ms)
		jsonw_time(b, "until", x->until_ms);
	if (x->latency_ms >= 0)
		jsonw_int(b, "latency_ms", x->latency_ms);
	jsonw_int(b, "guilds", x->guilds);
	jsonw_int(b, "events", x->events);
	jsonw_int(b, "identified", x->identified);
	jsonw_int(b, "resumed", x->resumed);
	jsonw_int(b, "failed", x->failed);
	jsonw_int(b, "number", x->number);
	jsonw_int(b, "sequence", x->sequence);
	jsonw_line(b);
}
