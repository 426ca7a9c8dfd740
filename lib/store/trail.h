#ifndef STORE_TRAIL_H
#define STORE_TRAIL_H
/*
 * trail - which task a message of Discord belongs to.
 */

#include "core/id.h"

struct err;
struct store;

enum trail_kind {
	TRAIL_REQUEST,  /* it asked for a turn of the task */
	TRAIL_PROGRESS, /* it shows how a turn goes */
	TRAIL_OUTCOME,  /* it is an answer, or says that the task is paused */
};

/* 1 with its kind and task, 0 if it belongs to none, or -1. */
int trail_find(struct store *s, const char *message, enum trail_kind *kind,
    char task[ID_LEN + 1], struct err *e);

#endif
