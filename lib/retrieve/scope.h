#ifndef RETRIEVE_SCOPE_H
#define RETRIEVE_SCOPE_H
/*
 * scope - which messages may be in an answer: a request with its names
 * resolved.
 *
 * Both lanes read through a scope, so that they agree on what is inside.
 * Channels: a category stands for its channels and their threads; a channel or
 * a thread for itself. Times: --after and --before are exclusive. The hash is
 * over ids, not names: a renamed channel keeps its cursors.
 *
 * Memory   scope_release() frees what scope_open() made, filled or not.
 * Errors   ERR_INPUT for a name, a time or a message that is not there; then
 *          `unclear` holds the candidates, if there are any.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ext/db.h"
#include "retrieve/targets.h"
#include "retrieve/score.h"

struct corpus;
struct err;
struct wish;

struct ords {
	uint32_t *at;
	size_t count, room;
};

void ords_add(struct ords *o, uint32_t ord);
void ords_sort(struct ords *o);                     /* and each only once */
bool ords_have(const struct ords *o, uint32_t ord); /* sorted */
void ords_release(struct ords *o);

struct scope {
	struct corpus *corpus;
	bool all_channels;
	struct ords channels, authors; /* sorted */
	unsigned char *channel_bits;
	size_t channel_bit_count;
	uint64_t after, before;  /* ids, exclusive; 0 and UINT64_MAX for none */
	uint64_t around, chain;  /* ids; 0 for none */
	uint32_t around_channel; /* ordinal */
	unsigned has, lacks;     /* bits of message.flags */
	bool chosen;             /* only the messages in `only` */
	struct ords only;        /* sorted */
	uint64_t hash;
	struct stmt row; /* private */
	struct targets unclear;
};

int scope_open(struct scope *s, struct corpus *c, const struct wish *r,
    struct err *e);
void scope_release(struct scope *s);

/* What a message is, for whoever needs more than scope_pass(). */
struct scope_row {
	uint64_t id;
	uint32_t channel, author;
	unsigned flags;
};

/* 1 and *row, or 0 if there is no message of that ordinal. */
int scope_row(struct scope *s, uint32_t ord, struct scope_row *row,
    struct err *e);
/* The ordinal of a message id, 0 if it is not in the index. */
int scope_ord(struct corpus *c, uint64_t id, uint32_t *ord, struct err *e);

bool scope_holds(const struct scope *s, uint32_t ord,
    const struct scope_row *row);

/* The same for score_any(), as cheap as the scope allows. */
void scope_filter(struct scope *s, struct score_filter *f);

#endif
