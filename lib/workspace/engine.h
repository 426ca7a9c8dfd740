#ifndef WORKSPACE_ENGINE_H
#define WORKSPACE_ENGINE_H
/*
 * engine - how the container engine's client is called: docker, or podman.
 *
 * The client gets an environment of its own: where the engine listens, and
 * nothing else of ours. Its configuration folder is an empty one, since what
 * is set there as a proxy would be handed on into containers; so a docker
 * context is not used, but DOCKER_HOST is.
 *
 * Memory   Whoever makes one releases it; what it was made from is borrowed.
 */

#include <stddef.h>

#include "core/err.h"

enum { ENGINE_ARGS = 48, ENGINE_ENV = 16 };

struct engine_call {
	const char *argv[ENGINE_ARGS], *envp[ENGINE_ENV];
	size_t args, vars; /* private: how many, all of them copies */
};

struct buf;
struct container_limits;

/* "run" a new container; label is KEY=VALUE. */
int engine_run(struct engine_call *x, const char *engine, const char *image,
    const char *name, const char *label, const struct container_limits *limits,
    struct err *e);

/* Remove one by force, and wait until that is done. */
int engine_erase(const char *engine, const char *name, struct err *e);

/* Names of containers with that label, running or not: a line for each. */
int engine_list(const char *engine, const char *label, struct buf *names,
    struct err *e);

/* The label org.sophia.sandbox of an image; for errors see engine_explain(). */
int engine_image(const char *engine, const char *image, struct buf *label,
    struct err *e);

void engine_call_release(struct engine_call *x); /* harmless on {0}, or twice */

/* What the client's last words mean: ERR_CONFIG with what to do, or AGAIN. */
int engine_explain(const char *engine, const char *image, const char *words,
    struct err *e);

#endif
