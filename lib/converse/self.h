#ifndef CONVERSE_SELF_H
#define CONVERSE_SELF_H
/*
 * self - who we are to Discord: asked at the start, while nothing else is done.
 */

#include <stdbool.h>

struct err;
struct rest;

/*
 * The id of the object at that path ("/users/@me"). *ending, if it is not NULL,
 * ends the wait: ERR_AGAIN.
 */
int self_id(struct rest *r, const char *path, const bool *ending, char out[24],
    struct err *e);

#endif
