#include "workspace/keeper.h"

#include <stdbool.h>

#include "core/err.h"
#include "core/log.h"
#include "core/poll.h"
#include "core/signals.h"
#include "store/news.h"
#include "store/settings.h"
#include "workspace/enabled.h"
#include "workspace/run.h"
#include "workspace/spare.h"

struct keeper {
	struct poll poll;
	struct signals signals;
	struct news news;
	struct spare spare;
	int signalled;
	bool done;
};

static void
on_said(void *ctx, const struct err *why)
{
	(void)ctx;
	log_complain(why);
}

static void
on_idle(void *ctx)
{
	struct keeper *k = ctx;

	k->done = true;
}

/* The second one doesn't wait for what is in use. */
static void
on_stop(void *ctx, int sig)
{
	struct keeper *k = ctx;

	(void)sig;
	if (k->signalled++)
		k->done = true;
	else
		spare_stop(&k->spare);
}

static int
keep(struct keeper *k, struct err *e)
{
	struct settings settings = {0};
	int result = enabled_open(&settings, e);

	if (result == 0)
		result = spare_keep(&k->spare,
		    settings_text(&settings, "sandbox.engine"),
		    settings_text(&settings, "sandbox.image"), &run_limits, e);
	settings_close(&settings);
	return result;
}

static void
on_news(void *ctx)
{
	struct keeper *k = ctx;
	struct err why = {0};

	if (k->signalled || keep(k, &why) == 0)
		return;
	log_complain(&why);
	k->signalled++;
	spare_stop(&k->spare);
}

int
keeper_run(struct err *e)
{
	struct keeper k = {0};
	int result = -1;

	k.signals = (struct signals){.got = on_stop, .ctx = &k};
	k.news = (struct news){.changed = on_news, .ctx = &k};
	k.spare = (struct spare){.poll = &k.poll,
	    .said = on_said,
	    .idle = on_idle,
	    .ctx = &k};
	if (signals_start(&k.signals, &k.poll, e) == 0 && keep(&k, e) == 0) {
		news_start(&k.news, &k.poll);
		result = poll_run(&k.poll, &k.done, POLL_NEVER, e);
	}
	spare_release(&k.spare);
	news_stop(&k.news);
	signals_stop(&k.signals);
	poll_release(&k.poll);
	return result < 0 ? -1 : 0;
}
