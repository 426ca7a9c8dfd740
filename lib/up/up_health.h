#ifndef UP_UP_HEALTH_H
#define UP_UP_HEALTH_H
/*
 * up_health - findings about Sophia in Discord, for sophia-doctor: see
 * store/health. Nothing is changed, and nobody is disturbed.
 */

#include "store/health.h"

/* What sophia up says of its programs, and whether it is there at all. */
void up_health_programs(health_fn *put, void *ctx);

/* What each gateway says of its session. */
void up_health_gateways(health_fn *put, void *ctx);

/* Each spool: how full it is, how far its readers are, what they missed. */
void up_health_spool(health_fn *put, void *ctx);

/* How much of the history of channels is known. */
void up_health_history(health_fn *put, void *ctx);

#endif
