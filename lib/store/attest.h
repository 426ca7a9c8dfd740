#ifndef STORE_ATTEST_H
#define STORE_ATTEST_H
/*
 * attest - put on record what a person saw of a change of which nobody knows
 * whether it happened. It is kept as an attestation, never as verification; it
 * does nothing again, and the task doesn't go on by it.
 *
 * It begins and commits itself. ERR_INPUT: there is no such task for `who`, or
 * no such change in it, or no words; ERR_REFUSED: its outcome is known, or was
 * settled before.
 */

#include <stdbool.h>
#include <stdint.h>

struct context;
struct err;
struct store;

int attest_call(struct store *s, const char *task, int64_t call,
    const struct context *who, bool happened, const char *text, struct err *e);

#endif
