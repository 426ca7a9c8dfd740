#ifndef RUNTIME_LOOP_H
#define RUNTIME_LOOP_H
/*
 * loop - one turn: chain the model and the tools until there is an answer.
 *
 * Input    A turn record; hint records may follow. The end of the input changes
 *          nothing: a lone `echo TURN | sophia-loop` works.
 * Output   Records as they happen, and exactly one `done` at the end, unless
 *          the turn could not begin at all.
 * Durable  The turn is on disk before it is worked on, a batch of calls before
 *          it is made, its results before the model sees them, and the outcome
 *          before it is said. Killed at any point it leaves a task that the
 *          next program to look finds interrupted.
 * Signals  SIGTERM, SIGINT and SIGHUP pause the task in order: interrupted.
 * Control  Rows of the store (steer, stop) are read before each step and at
 *          least every LOOP_LOOK_MS while it waits.
 * Errors   -1 and *e if the turn did not end in an answer, the kind as in
 *          client_verdict(); what was wrong is in the records as well.
 */

#include <stdio.h>

struct err;

enum { LOOP_LOOK_MS = 250 };

/* Returns 1 if the turn was answered. */
int loop_run(int input, FILE *output, struct err *e);

#endif
