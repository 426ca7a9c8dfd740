#ifndef STORE_INTAKE_H
#define STORE_INTAKE_H
/*
 * intake - how a turn begins: its claim, its task, its row, its first event.
 * Steps of runner_start(), within its transaction and under the task's lock.
 */

#include <stdint.h>

struct err;
struct store;
struct turn;

/* Who started this turn has it: 1; 0 if the claim was taken before; -1. */
int intake_claim(struct store *s, const char *claim, const char *turn,
    int64_t now_ms, struct err *e);

int intake_create(struct store *s, const char *task, const struct turn *t,
    const char *profile, int64_t now_ms, struct err *e);

/*
 * Take up a task that was there; with a private turn it is private for good. ERR_INPUT if it isn't the actor's, or is gone;
 * ERR_REFUSED if something in it must be settled first. What a dead runner left
 * is recovered.
 */
int intake_resume(struct store *s, const char *task, const struct turn *t,
    int64_t now_ms, struct err *e);

int intake_turn(struct store *s, const char *task, const struct turn *t,
    int64_t now_ms, struct err *e);

#endif
