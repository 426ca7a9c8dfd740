#ifndef WORKSPACE_FITNESS_H
#define WORKSPACE_FITNESS_H
/* fitness - can code be run? The engine, and the version of its image. */

#include "store/health.h"

void fitness_check(health_fn *put, void *ctx);

#endif
