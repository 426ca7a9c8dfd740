#include "workspace/container.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/id.h"
#include "core/spawn.h"
#include "core/utf8.h"
#include "guest/guest.h"
#include "workspace/engine.h"
#include "workspace/leftover.h"

enum {
	READ_ONCE = 64 << 10,
	WORDS_MOST = 4096, /* of what the client complains */
	FORCE_MS = 2000,   /* the guest ends by itself when its input does */
};

static void
unwatch(struct poll_fd *w)
{
	poll_remove(w);
	if (w->fd)
		close(w->fd);
	w->fd = 0;
}

static void
watch(struct container *c, struct poll_fd *w, int fd, short events,
    void (*ready)(void *, short))
{
	*w = (struct poll_fd){.fd = fd,
	    .events = events,
	    .ready = ready,
	    .ctx = c};
	poll_add(c->poll, w);
}

static void
take(struct container *c, const struct frame *x)
{
	if (x->kind == GUEST_READY) {
		if (c->ready || x->len != 1 || *x->data != GUEST_VERSION) {
			err_set(&c->broken, ERR_CONFIG,
			    "the image is of another version of Sophia: make "
			    "it again with `make sandbox-image`");
			return;
		}
		c->ready = true;
		c->in.events = c->queue.len ? POLLOUT : 0;
		c->began(c->ctx);
	} else if (!c->ready || c->done) {
		err_set(&c->broken, ERR_REFUSED,
		    "the container spoke out of turn");
	} else {
		c->done = x->kind == GUEST_DONE;
		c->heard(c->ctx, x);
	}
}

static int
broke_off(const struct container *c, struct err *e)
{
	char said[200];

	utf8_tame(said, sizeof(said), buf_text(&c->words));
	return err_set(e, ERR_AGAIN, "the container broke off: %s",
	    *said ? said : "it said nothing");
}

/* Why it is gone, if it should not be. */
static int
judge(struct container *c, struct err *e)
{
	const int code = WIFEXITED(c->status) ? WEXITSTATUS(c->status) : -1;

	if (c->broken.kind) {
		*e = c->broken;
		return -1;
	}
	if (c->done && !frames_partial(&c->frames))
		return 0;
	if (c->ready && code == 137)
		return err_set(e, ERR_REFUSED,
		    "the container was killed, maybe for its memory");
	if (c->ready)
		return broke_off(c, e);
	if (code >= 0 && code < 125 && !c->stopping)
		return err_set(e, ERR_CONFIG,
		    "the image %s does not speak as one of ours: make it again "
		    "with `make sandbox-image`",
		    c->image);
	return engine_explain(c->engine, c->image, buf_text(&c->words), e);
}

static void
let_go(struct container *c)
{
	poll_stop_timer(&c->force);
	unwatch(&c->died);
	unwatch(&c->in);
	unwatch(&c->out);
	unwatch(&c->error);
	leftover_drop(&c->alive, c->name);
	frames_release(&c->frames);
	buf_release(&c->queue);
	buf_release(&c->words);
}

/* It is over: say so. */
static void
finish(struct container *c)
{
	struct err why = {0};
	const bool good = judge(c, &why) == 0;

	let_go(c);
	c->over = true;
	c->ended(c->ctx, good ? NULL : &why);
}

/* What the guest said, as far as it is whole. */
static void
hear(struct container *c)
{
	struct frame x;
	int got = 0;

	while (!c->broken.kind && !c->stopping &&
	       (got = frames_next(&c->frames, &x, &c->broken)) > 0)
		take(c, &x);
	if (got < 0)
		c->broken.kind = ERR_REFUSED; /* it is not our input */
	if (c->broken.kind)
		container_stop(c);
	else if (c->done && !c->pid && !c->stopping && !c->patient)
		finish(c);
}

/* One piece of it: false if there is none now, or ever again. */
static bool
read_some(struct container *c)
{
	char piece[READ_ONCE];
	ssize_t n = c->out.fd ? read(c->out.fd, piece, sizeof(piece)) : 0;

	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		unwatch(&c->out);
	if (n <= 0)
		return false;
	if (!c->stopping) {
		frames_feed(&c->frames, piece, (size_t)n);
		hear(c);
	}
	return true;
}

static void
on_out(void *ctx, short revents)
{
	(void)revents;
	read_some(ctx);
}

static void
on_error(void *ctx, short revents)
{
	struct container *c = ctx;
	char piece[1024];
	ssize_t n = read(c->error.fd, piece, sizeof(piece));

	(void)revents;
	if (n > 0)
		buf_add(&c->words, piece, (size_t)n);
	else if (n == 0 || (errno != EAGAIN && errno != EINTR))
		unwatch(&c->error);
}

static void
on_in(void *ctx, short revents)
{
	struct container *c = ctx;
	ssize_t n;

	if (revents & (POLLERR | POLLHUP)) {
		unwatch(&c->in);
		return;
	}
	n = write(c->in.fd, c->queue.data + c->sent, c->queue.len - c->sent);
	if (n > 0)
		c->sent += (size_t)n;
	else if (n < 0 && errno != EAGAIN && errno != EINTR)
		unwatch(&c->in);
	if (c->sent == c->queue.len) {
		buf_clear(&c->queue);
		c->sent = 0;
		c->in.events = 0;
	}
}

/*
 * Does its client's end say that it is gone? A client that was killed, or lost
 * the engine, knows nothing; one that couldn't start it says so by 125 to 127.
 */
static bool
is_gone(const struct container *c)
{
	const int code = WIFEXITED(c->status) ? WEXITSTATUS(c->status) : -1;

	if (c->ready)
		return code == 0 && (c->done || c->lent);
	return code >= 125 && code <= 127;
}

/* If that fails, its file stays, and a later sweep finds it. */
static void
erase(struct container *c)
{
	struct err none = {0};

	if (engine_erase(c->engine, c->name, &none) < 0)
		lock_drop(&c->alive);
}

/* What it said before its end, and isn't read yet. */
static void
read_rest(struct container *c)
{
	while (read_some(c))
		;
	while (c->error.fd && !c->words.full) {
		const size_t before = c->words.len;

		on_error(c, POLLIN);
		if (c->words.len == before)
			break;
	}
}

static void
on_died(void *ctx, short revents)
{
	struct container *c = ctx;

	(void)revents;
	waitpid(c->pid, &c->status, 0);
	read_rest(c);
	c->pid = 0;
	if (!is_gone(c))
		erase(c);
	finish(c);
}

/* Its keeper tells that it is gone, or is gone itself. */
static void
on_told(void *ctx, short revents)
{
	struct container *c = ctx;

	(void)revents;
	if (read(c->died.fd, &c->status, sizeof(c->status)) !=
	    sizeof(c->status)) {
		c->status = -1;
		erase(c);
	}
	read_rest(c);
	if (!c->over)
		finish(c);
}

/* It doesn't end by itself: have it removed; its client ends with it. */
static void
on_force(void *ctx)
{
	struct container *c = ctx;
	struct err none = {0};

	engine_erase(c->engine, c->name, &none);
	poll_set_timer(c->poll, &c->force, clock_boot_ms() + FORCE_MS);
}

int
container_start(struct container *c, const char *engine, const char *image,
    const char *label, const struct container_limits *limits, struct err *e)
{
	struct engine_call call = {0};
	struct err why = {0};
	struct spawned s;
	char id[ID_LEN + 1];
	int result = -1;

	id_new(id);
	snprintf(c->name, sizeof(c->name), "sophia-%s", id);
	snprintf(c->engine, sizeof(c->engine), "%s", engine);
	snprintf(c->image, sizeof(c->image), "%s", image);
	if (leftover_hold(&c->alive, c->name, e) < 0 ||
	    engine_run(&call, engine, image, c->name, label, limits, e) < 0)
		goto out;
	if (spawn(&s,
		&(struct spawn){.argv = call.argv,
		    .envp = call.envp,
		    .capture_error = true},
		&why) < 0) {
		engine_explain(engine, image, why.text, e);
		goto out;
	}
	c->pid = s.pid;
	c->words.limit = WORDS_MOST;
	c->force = (struct poll_timer){.fire = on_force, .ctx = c};
	watch(c, &c->died, s.died, POLLIN, on_died);
	watch(c, &c->in, s.in, 0, on_in);
	watch(c, &c->out, s.out, POLLIN, on_out);
	watch(c, &c->error, s.error, POLLIN, on_error);
	result = 0;
out:
	if (result < 0)
		leftover_drop(&c->alive, c->name);
	engine_call_release(&call);
	return result;
}

void
container_lend(struct container *c, int pipes[CONTAINER_PIPES])
{
	struct poll_fd *const watched[CONTAINER_PIPES] = {
	    [CONTAINER_IN] = &c->in,
	    [CONTAINER_OUT] = &c->out,
	    [CONTAINER_ERROR] = &c->error};

	for (int i = 0; i < CONTAINER_PIPES; i++) {
		pipes[i] = watched[i]->fd;
		poll_remove(watched[i]);
		watched[i]->fd = 0;
	}
	c->lent = true;
}

void
container_adopt(struct container *c, const char *engine, const char *name,
    const int pipes[CONTAINER_PIPES], int keeper)
{
	snprintf(c->name, sizeof(c->name), "%s", name);
	snprintf(c->engine, sizeof(c->engine), "%s", engine);
	c->ready = true;
	c->words.limit = WORDS_MOST;
	c->force = (struct poll_timer){.fire = on_force, .ctx = c};
	watch(c, &c->died, keeper, POLLIN, on_told);
	watch(c, &c->in, pipes[CONTAINER_IN], 0, on_in);
	watch(c, &c->out, pipes[CONTAINER_OUT], POLLIN, on_out);
	watch(c, &c->error, pipes[CONTAINER_ERROR], POLLIN, on_error);
}

void
container_send(struct container *c, unsigned char kind, const void *data,
    size_t len)
{
	if (!c->in.fd || c->stopping)
		return;
	frame_add(&c->queue, kind, data, len);
	if (c->ready)
		c->in.events = POLLOUT;
}

size_t
container_waiting(const struct container *c)
{
	return c->queue.len - c->sent;
}

void
container_stop(struct container *c)
{
	if (!c->died.fd || c->stopping)
		return;
	c->stopping = true;
	unwatch(&c->in);
	poll_set_timer(c->poll, &c->force,
	    clock_boot_ms() + (c->ready ? FORCE_MS : 0));
}

void
container_release(struct container *c)
{
	if (c->died.fd)
		erase(c);
	if (c->pid) {
		kill(-c->pid, SIGKILL);
		waitpid(c->pid, NULL, 0);
		c->pid = 0;
	}
	let_go(c);
}
