#ifndef RETRIEVE_TARGETS_H
#define RETRIEVE_TARGETS_H
/*
 * targets - which member or channel a person means.
 *
 * Members  by id, mention (<@1>, <@!1>) or any name they were ever seen with:
 *          username, nickname, display name; a leading @ is dropped.
 * Channels by id, mention (<#1>) or name; threads and categories are channels;
 *          a leading # is dropped.
 * Names are compared folded (ext/fold): case, accents and width don't matter.
 * Whoever has exactly that name is found; if nobody has, those whose name
 * begins with it or holds it are given as likely ones, `exact` false. Nothing
 * is chosen here: whoever asks must say what several candidates mean.
 *
 * Memory   targets_release() frees a list. At most TARGETS_MAX candidates.
 * Errors   those of ext/db and ext/text.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct corpus;
struct buf;
struct err;

enum { TARGETS_MAX = 25 };

struct target {
	uint64_t id;
	uint32_t ord;
	bool exact;
	char *name;    /* what it is called */
	char *matched; /* the name that was found, as it was written */
	char *kind;    /* "username", "nickname", ...; a channel's type; "id" */
};

struct targets {
	struct target at[TARGETS_MAX];
	size_t count;
};

enum target_kind { TARGET_MEMBER, TARGET_CHANNEL };

int targets_find(struct corpus *c, enum target_kind what, const char *text,
    struct targets *found, struct err *e);
void targets_release(struct targets *n); /* harmless on {0}, or twice */

/*
 * The one that is meant: 0; or -1 with ERR_INPUT: nobody, or several, which
 * the text names and `found` holds.
 */
int targets_one(struct corpus *c, enum target_kind what, const char *text,
    struct targets *found, struct err *e);

/* Authors whose name is exactly this folded text, as ordinals; how many. */
int targets_authors(struct corpus *c, const char *folded, uint32_t *ords,
    size_t room, struct err *e);

/* Append the candidates as a JSON array. */
void targets_write(struct buf *b, const char *key, const struct targets *n);

#endif
