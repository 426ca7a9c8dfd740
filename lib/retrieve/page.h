#ifndef RETRIEVE_PAGE_H
#define RETRIEVE_PAGE_H
/*
 * page - one answer to a request: which rows, in which order, what comes next.
 *
 * The lane is relevance for words to be matched at best, else chronological;
 * a request may ask for either. Ordered by relevance, the limit counts hits,
 * and each comes with its neighbours; else it counts rows.
 *
 * Time     page_find() runs inside one view of the corpus. Nothing of the page
 *          needs the database any more but the messages themselves.
 * Memory   page_release() frees it, filled or not.
 * Errors   ERR_INPUT for what the request says wrong: names (`scope.unclear`
 *          has the candidates), a cursor of another request, one from before
 *          the index was rebuilt.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"
#include "retrieve/cursor.h"
#include "retrieve/exchange.h"
#include "retrieve/scope.h"

struct corpus;
struct err;
struct wish;

enum { PAGE_ROWS = 50, PAGE_HITS = 10, PAGE_CONTEXT = 3 };

struct page {
	struct scope scope;
	enum cursor_lane lane;
	struct exchange rows; /* group 0: not grouped */
	int64_t found; /* by an exact search, in all; -1 if not counted */
	size_t hits;   /* of the rows */
	bool more;
	struct buf cursor; /* text, "" if there is none */
	int64_t since_ms;  /* when the first page was made; 0 if this is it */
};

int page_find(struct page *p, struct corpus *c, const struct wish *r,
    struct err *e);
void page_release(struct page *p);

#endif
