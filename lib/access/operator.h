#ifndef ACCESS_OPERATOR_H
#define ACCESS_OPERATOR_H
/*
 * operator - who runs the installation from within Discord.
 *
 * $SOPHIA_OPERATORS holds their ids, with commas between them. It is read at
 * every call: whoever starts a program says who its operators are.
 */

#include <stdbool.h>

struct err;

/* ERR_CONFIG unless each of them is an id. */
int operator_check(struct err *e);

bool operator_is(const char *user); /* NULL is none */

enum { OPERATOR_ID = 32 };

/* The next of them; *at begins as NULL. False after the last. */
bool operator_next(const char **at, char id[OPERATOR_ID]);

#endif
