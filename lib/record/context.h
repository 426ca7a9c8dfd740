#ifndef RECORD_CONTEXT_H
#define RECORD_CONTEXT_H
/*
 * context - for whom a turn or a call is made, and where.
 *
 * It comes from the parent over its pipe, never from what a model wrote. The
 * zero value is the least: a local place, a private conversation.
 */

struct buf;
struct field;

struct actor {
	const char *id; /* "local", or a snowflake */
	const char *name;
};

enum location_kind { LOCATION_LOCAL, LOCATION_GUILD, LOCATION_DM };

struct location {
	enum location_kind kind;
	const char *guild, *channel; /* snowflakes, or NULL */
};

enum visibility { VISIBILITY_PRIVATE, VISIBILITY_PUBLIC };

struct context {
	struct actor actor;
	struct location location;
	const char *task, *turn; /* NULL where there is none: run by hand */
	enum visibility visibility;
};

/* Each takes the member of its own name out of f, or writes it. */
void actor_take(struct actor *a, struct field *f);
void actor_write(struct buf *b, const struct actor *a);
void location_take(struct location *l, struct field *f);
void location_write(struct buf *b, const struct location *l);
enum visibility visibility_take(struct field *f);
void visibility_write(struct buf *b, enum visibility v);
const char *visibility_word(enum visibility v); /* "private" */
void context_take(struct context *c, struct field *f);
void context_write(struct buf *b, const struct context *c);

#endif
