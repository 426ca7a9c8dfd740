#ifndef RUNTIME_KIT_H
#define RUNTIME_KIT_H
/*
 * kit - the tools of a turn: which there are, which the model sees, and how the
 * programs that serve them are started.
 *
 * Programs  Tools with the same command and needs share one post, so that one
 *           program serves them. Each gets an environment without the secrets
 *           that its manifest doesn't name.
 * Order     The model sees the visible tools by name, then those that were
 *           revealed, in that order, so that the list only grows at its end.
 * Memory    Whoever opens a kit closes it, after the crew that used it.
 */

#include <stdbool.h>
#include <stddef.h>

#include "record/request.h"
#include "runtime/crew.h"

struct err;
struct manifest;

struct kit;

int kit_open(struct kit **kit, struct err *e);
void kit_close(struct kit *kit); /* NULL is allowed */

/* The tool of that name, whether the model sees it or not; or NULL. */
const struct manifest *kit_find(const struct kit *kit, const char *name);

/* How to start the program that serves it; ERR_CONFIG if there is none. */
const struct crew_post *kit_post(struct kit *kit, const struct manifest *m,
    struct err *e);

/* How to start sophia-model. */
const struct crew_post *kit_model(struct kit *kit, struct err *e);

/* How to start sophia-discord, which the loop asks for a person's roles. */
const struct crew_post *kit_discord(struct kit *kit, struct err *e);

/* Show the model one more tool; false if there is none of that name. */
bool kit_reveal(struct kit *kit, const char *name);

/* What the model is shown, and how many bytes of schemas that is. */
struct request_tool *kit_shown(const struct kit *kit, size_t *count,
    size_t *bytes);

#endif
