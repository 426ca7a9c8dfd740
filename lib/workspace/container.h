#ifndef WORKSPACE_CONTAINER_H
#define WORKSPACE_CONTAINER_H
/*
 * container - a fresh one on the container engine, with our guest in it, from
 * its start until it is gone.
 *
 * It has no network, no mount of the host, no socket of the engine, no
 * capability, no way to gain privileges, the engine's own seccomp filter, an
 * unprivileged user, a root folder that can't be written, folders in memory
 * with a ceiling, and limits on processes, memory and processors. The engine
 * logs nothing of it. The engine's client gets no proxy variable, so that it
 * can hand none on.
 *
 * Order    container_start(), container_send(); began() when the guest speaks;
 *          heard() gets each frame; then ended(), once, when the container is
 *          gone and removed: that is certain, the engine said so.
 *          container_stop() ends it early.
 * Crashes  Each has a file run/sandbox/NAME in the state folder, locked as long
 *          as the program lives that started it: see leftover.
 * Errors   of ended(): ERR_CONFIG no engine, or no image, with what to do;
 *          ERR_REFUSED it broke the protocol, or was killed for its memory;
 *          ERR_AGAIN the engine failed. NULL after GUEST_DONE.
 * Spares   One that was started beforehand may change hands, see spare. For who
 *          gets it, it has ended when the guest is done, unless it was stopped
 *          or must be patient: then when its keeper says that it is gone. The
 *          keeper sees to its removal in any case.
 * Memory   {0} with poll and callbacks set. It must not move while it runs.
 *          Frames are borrowed for the call of heard(), in which
 *          container_send() and container_stop() may be called.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/frame.h"
#include "core/lock.h"
#include "core/poll.h"

struct container_limits {
	int memory_mb, files_mb; /* of all processes; of the workspace */
	int processes, cpus;
};

struct container {
	struct poll *poll;
	void (*began)(void *ctx);
	void (*heard)(void *ctx, const struct frame *x);
	void (*ended)(void *ctx, const struct err *why);
	void *ctx;
	bool patient; /* an adopted one, too, has ended when it is removed */

	bool ready, over; /* to be read: the guest speaks; it is gone */
	int status;       /* how its client ended, when it is over */

	char engine[16], name[48], image[128]; /* private from here */
	pid_t pid;                             /* of the engine's client */
	struct lock alive;
	struct poll_fd died, in, out, error;
	struct poll_timer force;
	struct frames frames;
	struct buf queue, words; /* to the guest; the client's stderr */
	size_t sent;
	bool done, stopping, lent;
	struct err broken;
};

/* The pipes of one: to its stdin, from its stdout and its stderr. */
enum { CONTAINER_IN, CONTAINER_OUT, CONTAINER_ERROR, CONTAINER_PIPES };

/* label marks it as ours: what is left over is found by it. */
int container_start(struct container *c, const char *engine, const char *image,
    const char *label, const struct container_limits *limits, struct err *e);

/*
 * Give the pipes of one that is ready and unused to another program: they are
 * the caller's to pass on and to close. ended() is called as ever, when it is
 * removed; container_stop() ends it early.
 */
void container_lend(struct container *c, int pipes[CONTAINER_PIPES]);

/*
 * Make such a one ours, in place of container_start(); began() isn't called.
 * keeper is a socket on which the other program tells its end: the status, an
 * int; or it closes it. All descriptors are ours then.
 */
void container_adopt(struct container *c, const char *engine, const char *name,
    const int pipes[CONTAINER_PIPES], int keeper);

/* It may be sent before the guest is ready, and waits then. */
void container_send(struct container *c, unsigned char kind, const void *data,
    size_t len);
size_t container_waiting(const struct container *c); /* bytes not sent yet */

/* Give it up: it is killed, and ended() is told when it is gone. */
void container_stop(struct container *c);

/* Kill it now and wait; no callback. Harmless on {0}, or twice. */
void container_release(struct container *c);

#endif
