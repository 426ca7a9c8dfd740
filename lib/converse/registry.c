#include "converse/registry.h"

#include <limits.h>

#include "converse/converse.h"
#include "core/err.h"
#include "core/file.h"
#include "core/home.h"
#include "core/log.h"
#include "discord/commands.h"
#include "discord/rest.h"
#include "ext/json.h"

enum { FILE_MAX = 256 << 10 };

static void
on_replaced(void *ctx, const struct rest_call *call)
{
	(void)ctx;
	if (call->verdict.kind)
		log_warn("registering the commands: %s", call->verdict.text);
}

static struct post *
request(struct converse *c, const char *method)
{
	struct post *x = post_new(&c->posts, method, REST_BULK);

	x->ctx = c;
	buf_fmt(&x->path, "/applications/%s/commands", c->application);
	return x;
}

static void
replace(struct converse *c)
{
	struct post *x = request(c, "PUT");
	struct err e = {0};

	x->done = on_replaced;
	buf_add(&x->body, c->registry.text.data, c->registry.text.len);
	if (post_start(x, &e) < 0)
		log_complain(&e);
}

static void
on_fetched(void *ctx, const struct rest_call *call)
{
	struct converse *c = ctx;
	struct json *theirs = NULL;
	struct err e = {0};

	if (call->verdict.kind)
		log_warn("fetching the commands: %s", call->verdict.text);
	else if (json_read(&theirs, buf_text(&call->reply), call->reply.len,
		     &e) < 0)
		log_complain(&e);
	else if (!commands_same(c->registry.ours, theirs))
		replace(c);
	json_free(theirs);
}

int
registry_start(struct converse *c, struct err *e)
{
	struct registry *r = &c->registry;
	char path[PATH_MAX];
	struct post *x;

	r->text.limit = FILE_MAX;
	if (home_share_path(path, "discord/commands.json", e) < 0 ||
	    file_read(&r->text, path, e) < 0 ||
	    json_read(&r->ours, buf_text(&r->text), r->text.len, e) < 0)
		return -1;
	x = request(c, "GET");
	x->done = on_fetched;
	return post_start(x, e);
}

void
registry_release(struct registry *r)
{
	buf_release(&r->text);
	json_free(r->ours);
	r->ours = NULL;
}
