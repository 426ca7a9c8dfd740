#ifndef RETRIEVE_FETCH_H
#define RETRIEVE_FETCH_H
/*
 * fetch - a message out of the index, whole, to be written as a record.
 *
 * Memory   The texts of a message are borrowed until the next fetch, or
 *          fetch_release(), which gives back all.
 */

#include <stdbool.h>
#include <stdint.h>

#include "ext/db.h"
#include "retrieve/markup.h"

struct corpus;
struct err;
struct message;

struct fetch {
	struct corpus *corpus;
	bool plain; /* put names in place of marks, see markup */

	struct stmt row; /* private */
	struct markup markup;
};

/* 1 and m filled, but for what a search adds; or 0 if it is gone. */
int fetch_message(struct fetch *f, uint32_t ord, struct message *m,
    struct err *e);

void fetch_release(struct fetch *f); /* harmless on {0}, or twice */

#endif
