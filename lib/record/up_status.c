#include "record/up_status.h"

#include "core/clock.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/field.h"

/* A time, 0 where there is none. */
static int64_t
time_of(const struct json *in, const char *key)
{
	const char *text = json_string(in, key);
	int64_t at_ms;

	return text && clock_parse(&at_ms, text) == 0 ? at_ms : 0;
}

static struct up_child
read_child(const struct json *v)
{
	return (struct up_child){
	    .name = json_string(v, "name"),
	    .state = json_string(v, "state"),
	    .pid = (int)json_int(v, "pid", 0),
	    .since_ms = time_of(v, "since"),
	    .restarts = json_int(v, "restarts", 0),
	    .next_ms = time_of(v, "next"),
	    .detail = json_string(v, "detail"),
	    .error = json_string(v, "error"),
	};
}

int
up_status_read(struct up_status *x, const struct json *root, struct err *e)
{
	const struct json *v;
	struct field f;

	*x = (struct up_status){0};
	field_start(&f, root, "up", e);
	x->state = field_str(&f, "state");
	x->pid = (int)field_int(&f, "pid");
	x->at_ms = time_of(root, "at");
	x->since_ms = time_of(root, "since");
	v = json_first(field_array(&f, "children"));
	for (; v && x->count < UP_CHILDREN_MAX; v = json_next(v)) {
		struct up_child child = read_child(v);

		if (child.name && child.state)
			x->children[x->count++] = child;
	}
	return field_end(&f);
}

static void
write_child(struct buf *b, const struct up_child *c)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "name", c->name);
	jsonw_str(b, "state", c->state);
	if (c->pid)
		jsonw_int(b, "pid", c->pid);
	jsonw_time(b, "since", c->since_ms);
	jsonw_int(b, "restarts", c->restarts);
	if (c->next_ms)
		jsonw_time(b, "next", c->next_ms);
	jsonw_opt(b, "detail", c->detail);
	jsonw_opt(b, "error", c->error);
	jsonw_end_object(b);
}

void
up_status_write(struct buf *b, const struct up_status *x)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "up");
	jsonw_str(b, "state", x->state);
	jsonw_int(b, "pid", x->pid);
	jsonw_time(b, "at", x->at_ms);
	jsonw_time(b, "since", x->since_ms);
	jsonw_array(b, "children");
	for (int i = 0; i < x->count; i++)
		write_child(b, &x->children[i]);
	jsonw_end_array(b);
	jsonw_line(b);
}
