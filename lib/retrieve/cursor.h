#ifndef RETRIEVE_CURSOR_H
#define RETRIEVE_CURSOR_H
/*
 * cursor - where an answer goes on, as text that tells a person nothing.
 *
 * A cursor holds no secret and gives no right: it says which answer it belongs
 * to (a hash of lane, scope and words), what that answer was computed from
 * (generation of the index, highest ordinal, counts) and the last row shown.
 * So it can be used again, by anybody who may ask the same, with the same page
 * as the result. Its checksum finds copying errors, it is no signature:
 * whatever a forged cursor holds is only compared and counted with.
 *
 * Text     "sc1_" and base64url (RFC 4648, section 5, no padding).
 * Errors   ERR_INPUT for text that is no cursor.
 */

#include <stddef.h>
#include <stdint.h>

#include "retrieve/score.h"

struct buf;
struct err;

enum cursor_lane { CURSOR_CHRONOLOGICAL = 1, CURSOR_RELEVANCE = 2 };

struct cursor {
	enum cursor_lane lane;
	uint64_t scope;      /* hash of all that was asked for */
	uint64_t generation; /* of the index */
	int64_t at_ms;       /* when the first page was made */
	uint64_t low, high;  /* chronological: message ids shown, both ends */
	double score;        /* relevance: of the last hit */
	uint32_t ord;        /* relevance: the last hit */
	uint32_t tail;       /* relevance: 1 past the ranked pool */
	struct score_frozen frozen;
};

void cursor_write(struct buf *to, const struct cursor *c);
int cursor_read(struct cursor *c, const char *text, struct err *e);

#endif
