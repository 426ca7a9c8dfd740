#ifndef DELIVER_COURIER_SEND_H
#define DELIVER_COURIER_SEND_H
/*
 * courier_send - the letters of a courier: fetched from the store, and put on
 * their way. For courier alone.
 */

#include <stddef.h>

struct courier;
struct err;
struct rest;

/* Are its letters written: 1, 0 or -1. */
int courier_planned(struct courier *c, struct err *e);

/* The next letter that is not delivered: 1, 0 if all are, or -1. */
int courier_next(struct courier *c, struct err *e);

/* Start c->call, by c->way. */
int courier_send(struct courier *c, struct rest *rest, struct err *e);

/* The id of the message that Discord made of it, or "". */
void courier_sent_id(char *to, size_t room, struct courier *c);

/* Look whether the letter is there; then ended(c). */
int courier_trace(struct courier *c, void (*ended)(void *ctx), struct err *e);

#endif
