#ifndef GUILD_LINEUP_H
#define GUILD_LINEUP_H
/*
 * lineup - the order in which channels stand in the list.
 *
 * They stand by position, those of one category together, and what is heard
 * below what is read; equal positions go by id. A new order is told to Discord
 * at once ("Modify Guild Channel Positions"): a position for each channel whose
 * position differs.
 *
 * Memory   lineup_release().
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct json;

struct lineup {
	struct lineup_row *rows;
	size_t count;
	uint64_t self; /* the one that moves */
	int64_t was;   /* its position */
	uint64_t in;   /* the category; 0 for none */
};

/* What stands in one list: what is read, what is heard, categories. */
enum { LINEUP_READ, LINEUP_HEARD, LINEUP_CATEGORIES };
int lineup_group(int64_t kind);

/* Those of that category among whom this channel will stand. */
void lineup_start(struct lineup *l, const struct json *channels,
    const struct json *self, uint64_t in);
void lineup_release(struct lineup *l);

/* Put it before or after that one; 0: at the end. */
void lineup_enter(struct lineup *l, uint64_t beside, bool after);

/*
 * Add the lines of the request to an array, and to another the same as it is
 * now; returns how many.
 */
int lineup_write(const struct lineup *l, bool elsewhere, bool sync,
    struct buf *body, struct buf *from);

/* Is each of these lines so in the list of channels? */
bool lineup_is(const struct json *lines, const struct json *channels);

#endif
