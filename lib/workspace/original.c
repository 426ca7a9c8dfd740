#include "workspace/original.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/clock.h"
#include "core/err.h"
#include "discord/cdn.h"
#include "discord/raw.h"
#include "discord/rest.h"
#include "ext/json.h"
#include "workspace/attached.h"

enum { NOT_FOUND = 404, FORBIDDEN = 403, WAIT_MS = 30000, PATH = 128 };

static void
on_ended(void *ctx)
{
	(void)ctx; /* its end says it */
}

static int
given_up(struct err *e)
{
	return err_set(e, ERR_REFUSED, "the import was given up");
}

/* What its answer says about the message. */
static int
judge(const struct rest_call *x, const struct attached *a, struct err *e)
{
	const struct verdict *v = &x->verdict;

	if (x->end == REST_ANSWERED && x->status == NOT_FOUND && v->code)
		return err_set(e, ERR_INPUT,
		    "message %" PRIu64 " isn't there (any more): %s",
		    a->message, v->text);
	if (x->end == REST_ANSWERED && x->status == FORBIDDEN && v->code)
		return err_set(e, ERR_DENIED,
		    "Sophia may not read message %" PRIu64 ": %s", a->message,
		    v->text);
	return v->kind ? err_set(e, v->kind, "%s", v->text) : 0;
}

static int
fetch(struct original *o, const struct attached *a, struct err *e)
{
	char path[PATH];
	struct rest_call x = {
	    .method = "GET",
	    .path = path,
	    .until_ms = clock_boot_ms() + WAIT_MS,
	    .ended = on_ended,
	};
	int result;

	snprintf(path, sizeof(path), "/channels/%" PRIu64 "/messages/%" PRIu64,
	    a->channel, a->message);
	result = rest_start(o->rest, &x, e);
	while (result == 0 && !x.end && !*o->stop)
		result = rest_step(o->rest, POLL_NEVER, e);
	if (result == 0)
		result = x.end ? judge(&x, a, e) : given_up(e);
	if (result == 0)
		result = json_object(&o->root, buf_text(&x.reply), x.reply.len,
		    e);
	rest_release(&x);
	return result;
}

/* Its own files, then those of what it forwards. */
static const struct json *
find_file(const struct json *message, uint64_t id)
{
	const struct json *v = json_first(
	    json_get(message, "message_snapshots"));
	const struct json *file = attached_in(json_get(message, "attachments"),
	    id);

	for (; v && !file; v = json_next(v))
		file = attached_in(
		    json_get(json_get(v, "message"), "attachments"), id);
	return file;
}

static int
take_file(struct original *o, const struct attached *a, struct err *e)
{
	const struct json *file = find_file(o->root, a->id);

	if (!file)
		return err_set(e, ERR_INPUT,
		    "message %" PRIu64 " is there, but attachment %" PRIu64
		    " was taken off it",
		    a->message, a->id);
	o->url = json_string(file, "url");
	o->name = json_string(file, "filename");
	o->size = json_int(file, "size", -1);
	if (!o->url || !o->name)
		return err_set(e, ERR_REFUSED,
		    "Discord doesn't say where the attachment is");
	return raw_read(&o->message, o->root, e);
}

int
original_message(struct original *o, const struct attached *a, struct err *e)
{
	if (a->message)
		return fetch(o, a, e) < 0 ? -1 : take_file(o, a, e);
	o->url = a->url;
	o->name = a->name;
	o->size = a->size;
	if (cdn_until_ms(a->url) > clock_now_ms())
		return 0;
	return err_set(e, ERR_REFUSED,
	    "the address of a file that came with a command holds for a day, "
	    "and can't be renewed: it must be attached again");
}

int
original_file(struct original *o, struct err *e)
{
	int result;

	if (o->size > ORIGINAL_MOST)
		return err_set(e, ERR_REFUSED,
		    "the file has %" PRId64 " bytes, and at most 20 MiB can "
		    "be imported",
		    o->size);
	o->file.url = o->url;
	o->file.limit = ORIGINAL_MOST;
	result = download_start(&o->file, o->rest, e);
	while (result == 0 && !o->file.over && !*o->stop)
		result = rest_step(o->rest, POLL_NEVER, e);
	if (result < 0)
		return -1;
	if (!o->file.over)
		return given_up(e);
	if (o->file.why.kind) {
		*e = o->file.why;
		return -1;
	}
	if (o->size >= 0 && (size_t)o->size != o->file.bytes.len)
		return err_set(e, ERR_AGAIN,
		    "%zu bytes came, where Discord says that the file has "
		    "%" PRId64,
		    o->file.bytes.len, o->size);
	return 0;
}

void
original_release(struct original *o)
{
	download_release(&o->file);
	message_release(&o->message);
	json_free(o->root);
	o->root = NULL;
}
