#include "converse/post.h"

#include <stdlib.h>

#include "core/mem.h"

static void
free_post(struct post *gone)
{
	rest_stop(&gone->call);
	rest_release(&gone->call);
	buf_release(&gone->path);
	buf_release(&gone->body);
	free(gone);
}

static void
drop(struct post *gone)
{
	struct post **at = &gone->owner->first;

	while (*at != gone)
		at = &(*at)->next;
	*at = gone->next;
	free_post(gone);
}

static void
on_ended(void *ctx)
{
	struct post *x = ctx;

	if (x->done)
		x->done(x->ctx, &x->call);
	drop(x);
}

struct post *
post_new(struct posts *list, const char *method, enum rest_urgency urgency)
{
	struct post *x = mem_new(sizeof(*x));

	x->call = (struct rest_call){.method = method,
	    .urgency = urgency,
	    .ended = on_ended,
	    .ctx = x};
	x->owner = list;
	x->next = list->first;
	list->first = x;
	return x;
}

int
post_start(struct post *x, struct err *e)
{
	x->call.path = buf_text(&x->path);
	if (x->body.len) {
		x->call.body = x->body.data;
		x->call.body_len = x->body.len;
	}
	if (x->file.name) {
		x->call.files = &x->file;
		x->call.file_count = 1;
	}
	if (rest_start(x->owner->rest, &x->call, e) == 0)
		return 0;
	drop(x);
	return -1;
}

void
posts_release(struct posts *list)
{
	struct post *x;

	while ((x = list->first) != NULL) {
		list->first = x->next;
		free_post(x);
	}
}
