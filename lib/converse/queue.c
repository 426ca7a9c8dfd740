#include "converse/queue.h"

#include "converse/converse.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/log.h"
#include "discord/rest.h"
#include "store/inbox.h"

enum {
	TYPING_MS = 8000, /* Discord shows it for ten seconds */
	PLACES = 10,      /* more would use up the rate limit */
};

static void
on_again(void *ctx)
{
	struct converse *c = ctx;

	c->queue.set = false;
}

static void
type_in(struct converse *c, const char *channel)
{
	struct post *x = post_new(&c->posts, "POST", REST_NORMAL);
	struct err e = {0};

	x->call.repeatable = true;
	x->call.until_ms = clock_boot_ms() + TYPING_MS;
	buf_fmt(&x->path, "/channels/%s/typing", channel);
	if (post_start(x, &e) < 0)
		log_complain(&e);
}

int
queue_tend(struct converse *c, struct err *e)
{
	struct stmt scan = {0};
	int n = 0, got = 0;

	/* While there is room for another task, nobody waits for long. */
	if (c->queue.set || c->jobs.count < c->jobs.limit)
		return 0;
	inbox_places(&scan, &c->tasks);
	while (n < PLACES && (got = stmt_next(&scan, e)) > 0) {
		type_in(c, row_text(&scan, 0));
		n++;
	}
	stmt_end(&scan);
	c->queue.set = true;
	c->queue.again = (struct poll_timer){.fire = on_again, .ctx = c};
	poll_set_timer(&c->poll, &c->queue.again, clock_boot_ms() + TYPING_MS);
	return got < 0 ? -1 : 0;
}
