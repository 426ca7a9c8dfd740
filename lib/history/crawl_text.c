#include "history/crawl_text.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/id.h"
#include "discord/limit.h"
#include "ext/jsonw.h"
#include "history/crawl.h"

void
crawl_text_page(struct buf *b, const struct crawl_news *news)
{
	const struct page_sum *s = &news->sum;

	jsonw_object(b, NULL);
	jsonw_str(b, "type", "page");
	jsonw_str(b, "lane", "backfill");
	jsonw_int(b, "count", s->messages);
	jsonw_object(b, "channel");
	jsonw_id(b, "id", news->channel);
	jsonw_str(b, "name", news->name);
	jsonw_end_object(b);
	if (s->low)
		jsonw_time(b, "from", snowflake_ms(s->low));
	else
		jsonw_null(b, "from");
	jsonw_time(b, "to", snowflake_ms(s->high));
	jsonw_int(b, "new", s->added);
	jsonw_int(b, "changed", s->changed);
	jsonw_int(b, "deleted", s->deleted);
	jsonw_bool(b, "more", news->more);
	jsonw_line(b);
}

static double
rate_of(const struct crawl *c)
{
	int64_t ms = clock_boot_ms() - c->started_ms;

	return ms > 0 ? 1000.0 * (double)c->requests / (double)ms : 0;
}

void
crawl_text_progress(char *text, size_t room, const struct crawl *c)
{
	double rate = rate_of(c);

	snprintf(text, room,
	    "%" PRId64 "/%" PRId64 " channels, %.1f requests/s, %.0f%% of "
	    "what is permitted",
	    c->finished, c->channels, rate, 100 * rate / LIMIT_GLOBAL);
}

void
crawl_text_sum(struct buf *b, const struct crawl *c)
{
	buf_fmt(b,
	    "%" PRId64 " messages, %" PRId64 " of them new, on %" PRId64
	    " pages of %" PRId64 " channels; %" PRId64 " requests, %.1f/s\n",
	    c->messages, c->added, c->pages, c->channels, c->requests,
	    rate_of(c));
	if (c->forbidden)
		buf_fmt(b, "%" PRId64 " channels may not be read\n",
		    c->forbidden);
	if (c->busy)
		buf_fmt(b, "%" PRId64 " channels are fetched by another\n",
		    c->busy);
}
