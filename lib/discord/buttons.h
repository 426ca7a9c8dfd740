#ifndef DISCORD_BUTTONS_H
#define DISCORD_BUTTONS_H
/*
 * buttons - those under a message about a task: what they are called and what
 * says which one was pressed ("Component Reference" in Discord's
 * documentation): "stop:TASK". That names a task, it is no permission: who
 * pressed it must be checked.
 */

#include "core/id.h"

struct buf;

enum button {
	BUTTON_STOP = 1 << 0,
	BUTTON_DETAILS = 1 << 1,
	BUTTON_RESUME = 1 << 2,
};

enum { BUTTONS_ID = 40 };

/* The custom id of one. */
void buttons_id(char to[BUTTONS_ID], enum button which, const char *task);

/* "components": one row of the buttons in `which`; of none, an empty array. */
void buttons_write(struct buf *b, unsigned which, const char *task);

#endif
