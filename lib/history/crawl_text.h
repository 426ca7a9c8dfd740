#ifndef HISTORY_CRAWL_TEXT_H
#define HISTORY_CRAWL_TEXT_H
/* crawl_text - what a crawl says of itself: records, and text for people. */

#include <stddef.h>

struct buf;
struct crawl;
struct crawl_news;

/* The record {"type":"page","lane":"backfill",...}, as a line. */
void crawl_text_page(struct buf *b, const struct crawl_news *news);

/* "12/20 channels, 47.6 requests/s, 95% of what is permitted" */
void crawl_text_progress(char *text, size_t room, const struct crawl *c);

/* What was done, a line. */
void crawl_text_sum(struct buf *b, const struct crawl *c);

#endif
