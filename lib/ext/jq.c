#include "ext/jq.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <jq.h>
#include <jv.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/mem.h"

/* libjq consumes every jv it is given; no jv leaves this file. */
struct jq {
	jq_state *state;
	char why[256]; /* what libjq first complained of */
};

static void
on_error(void *ctx, jv message)
{
	struct jq *jq = ctx;

	if (jv_get_kind(message) == JV_KIND_STRING && !*jq->why)
		snprintf(jq->why, sizeof(jq->why), "%.*s",
		    (int)strcspn(jv_string_value(message), "\n"),
		    jv_string_value(message));
	jv_free(message);
}

static void
on_debug(void *ctx, jv message)
{
	(void)ctx;
	jv_free(message);
}

/* There is no input but the one a filter is run on. */
static jv
on_input(jq_state *state, void *ctx)
{
	(void)state;
	(void)ctx;
	return jv_invalid_with_msg(jv_string("there is no more input"));
}

int
jq_open(struct jq **out, const char *filter, struct err *e)
{
	struct jq *jq = mem_new(sizeof(*jq));

	jq->state = jq_init();
	if (!jq->state) {
		free(jq);
		return err_set(e, ERR_INTERNAL, "libjq does not start");
	}
	jq_set_error_cb(jq->state, on_error, jq);
	/* libjq 1.6 leaves these two uninitialised, and `input` calls one */
	jq_set_debug_cb(jq->state, on_debug, NULL);
	jq_set_input_cb(jq->state, on_input, NULL);
	if (!jq_compile(jq->state, filter)) {
		err_set(e, ERR_INPUT, "filter: %s", jq->why);
		jq_close(jq);
		return -1;
	}
	*out = jq;
	return 0;
}

void
jq_close(struct jq *jq)
{
	if (!jq)
		return;
	jq_teardown(&jq->state);
	free(jq);
}

/* Why an invalid value came out: 0 for "no more", -1 with *e for an error. */
static int
verdict(jv invalid, struct err *e)
{
	jv message = jv_invalid_get_msg(invalid);
	int result = 0;

	if (jv_get_kind(message) == JV_KIND_STRING)
		result = err_set(e, ERR_INPUT, "%s", jv_string_value(message));
	else if (jv_get_kind(message) != JV_KIND_NULL)
		result = err_set(e, ERR_INPUT, "the filter raised an error");
	jv_free(message);
	return result;
}

/*
 * One output, a line. libjq leaves the controls of C1 as they are, which some
 * terminals obey: they are all 0xc2 and a byte from 0x80 to 0x9f.
 */
static void
add_line(struct buf *out, const char *text, size_t len)
{
	const char *end = text + len, *c1 = text;

	while ((c1 = memchr(c1, 0xc2, (size_t)(end - c1))) != NULL) {
		unsigned char next = (unsigned char)c1[1];

		if (next < 0x80 || next > 0x9f) {
			c1++;
			continue;
		}
		buf_add(out, text, (size_t)(c1 - text));
		buf_fmt(out, "\\u%04x", next);
		text = c1 += 2;
	}
	buf_add(out, text, (size_t)(end - text));
	buf_char(out, '\n');
}

int
jq_run(struct jq *jq, const char *text, size_t len, struct buf *out,
    struct err *e)
{
	jv value, made;
	int count = 0;

	if (len > INT_MAX)
		return err_set(e, ERR_INPUT, "JSON text is too long");
	value = jv_parse_sized(text, (int)len);
	if (!jv_is_valid(value))
		return verdict(value, e) < 0
			   ? -1
			   : err_set(e, ERR_INPUT, "not one JSON text");
	jq_start(jq->state, value, 0);
	while (jv_is_valid(made = jq_next(jq->state))) {
		jv line = jv_dump_string(made, 0);

		add_line(out, jv_string_value(line),
		    (size_t)jv_string_length_bytes(jv_copy(line)));
		jv_free(line);
		count++;
		if (out->full)
			return err_set(e, ERR_REFUSED,
			    "the result is more than %zu bytes", out->limit);
	}
	return verdict(made, e) < 0 ? -1 : count;
}
