#ifndef RUNTIME_CHECKUP_H
#define RUNTIME_CHECKUP_H
/*
 * checkup - is the installation fit for use? What store/health looks at is the
 * state folder; this is shared data, secrets, profiles and tools. Findings are handed out as there. Nothing is changed,
 * and no secret is shown.
 */

#include "store/health.h"

void checkup_share(health_fn *put, void *ctx);

/* The secrets file, and Discord's token. */
void checkup_token(health_fn *put, void *ctx);

/*
 * Every profile can be read; the one in use has its key, and the one that
 * media.transcriber names takes sound.
 */
void checkup_profiles(health_fn *put, void *ctx);

void checkup_tools(health_fn *put, void *ctx);

#endif
