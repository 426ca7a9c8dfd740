#ifndef ACCESS_EXPLAIN_H
#define ACCESS_EXPLAIN_H
/*
 * explain - a question of access put together from texts, for a person who
 * wants to know what would be decided, and why.
 *
 * Where channels lie is taken from the message index; one that it doesn't know
 * has no known place.
 *
 * Record   {"type":"explanation", the question, "decision", "confirm", "why",
 *          "reasons", "roles_matter"}.
 * Memory   explain_release() frees all of it, and is harmless on {0}, or twice.
 *          The texts of q that are set by hand are borrowed.
 * Errors   ERR_INPUT for a text that won't do.
 */

#include <stdbool.h>

#include "access/decide.h"

struct db;
struct err;
struct json;

enum { EXPLAIN_TARGETS = 20, EXPLAIN_TEXTS = 4000 };

struct explain {
	struct access_question q; /* to be filled in */

	struct access_target targets[EXPLAIN_TARGETS]; /* private from here */
	char **texts;
	size_t count;
};

/* "local", "dm:CHANNEL", "guild:GUILD" or "guild:GUILD:CHANNEL". */
int explain_location(struct explain *x, const char *text, struct err *e);

/*
 * "channel:ID", "role:ID", "member:ID", "task:ID" or "message:CHANNEL:ID"; of a
 * message the channel is known to be above it.
 */
int explain_target(struct explain *x, const char *text, struct err *e);

/* All that the actor has: ids with commas between them, or an array of them. */
int explain_roles(struct explain *x, const char *text, struct err *e);
int explain_roles_json(struct explain *x, const struct json *ids,
    struct err *e);

/* Find out where the targets lie. */
int explain_places(struct explain *x, struct db *db, struct err *e);

/* What is decided: a record, or lines for a person. */
enum access_verdict explain_write(struct buf *b, const struct explain *x,
    bool json);

/* The reasons of a decision as an array. */
void explain_lines(struct buf *b, const char *key, const char *reasons);

void explain_release(struct explain *x);

#endif
