#include "workspace/spare.h"

#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/home.h"
#include "core/mem.h"
#include "core/passing.h"
#include "workspace/leftover.h"

#define FOLDER "run/spare"

/* A container of the keeper's: the next one, or one that is lent. */
struct spare_one {
	struct spare *spare;
	struct container c;
	struct poll_fd user; /* the connection of who has it */
	struct spare_one *next;
};

/* The name of the socket of a kind. */
static void
name_of(char out[32], const char *engine, const char *image,
    const struct container_limits *l)
{
	const int numbers[] = {l->memory_mb, l->files_mb, l->processes,
	    l->cpus};
	uint64_t h = hash_text(HASH_START, engine);

	h = hash_text(hash_text(h, "\n"), image);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		char text[16];

		snprintf(text, sizeof(text), "\n%d", numbers[i]);
		h = hash_text(h, text);
	}
	snprintf(out, 32, "%016" PRIx64, h);
}

static void
close_user(struct spare_one *one)
{
	poll_remove(&one->user);
	if (one->user.fd)
		close(one->user.fd);
	one->user.fd = 0;
}

/* Take it from where it is kept. */
static void
forget(struct spare_one *one)
{
	struct spare_one **at = &one->spare->lent;

	if (one->spare->next == one)
		one->spare->next = NULL;
	while (*at && *at != one)
		at = &(*at)->next;
	if (*at)
		*at = one->next;
}

static void
drop(struct spare_one *one)
{
	forget(one);
	close_user(one);
	container_release(&one->c);
	free(one);
}

static void
begin_later(struct spare *s, const struct err *why)
{
	s->wait_ms = s->wait_ms ? s->wait_ms * 2 : SPARE_FIRST_MS;
	if (s->wait_ms > SPARE_LONGEST_MS)
		s->wait_ms = SPARE_LONGEST_MS;
	poll_set_timer(s->poll, &s->timer, clock_boot_ms() + s->wait_ms);
	s->said(s->ctx, why);
}

static void
on_began(void *ctx)
{
	struct spare *s = ((struct spare_one *)ctx)->spare;

	poll_stop_timer(&s->timer);
	s->wait_ms = 0;
}

/* Who speaks before it was given files and code is none of ours. */
static void
on_heard(void *ctx, const struct frame *x)
{
	struct spare_one *one = ctx;

	(void)x;
	container_stop(&one->c);
}

static void begin(struct spare *s);

static void
on_ended(void *ctx, const struct err *why)
{
	struct spare_one *one = ctx;
	struct spare *s = one->spare;
	const bool was_next = s->next == one;
	struct err none = {0}, early = {0};

	if (one->user.fd)
		passing_send(one->user.fd, &one->c.status,
		    sizeof(one->c.status), NULL, 0, &none);
	if (!why)
		err_set(&early, ERR_AGAIN, "the spare container ended");
	else
		early = *why;
	drop(one);
	if (was_next && !s->stopping)
		begin_later(s, &early);
	else if (s->stopping && !s->next && !s->lent)
		s->idle(s->ctx);
}

static void
begin(struct spare *s)
{
	struct spare_one *one;
	struct err why = {0};
	char label[64];

	if (s->stopping || s->next)
		return;
	one = mem_new(sizeof(*one));
	one->spare = s;
	one->c = (struct container){.poll = s->poll,
	    .began = on_began,
	    .heard = on_heard,
	    .ended = on_ended,
	    .ctx = one};
	if (leftover_label(label, &why) < 0 ||
	    leftover_sweep(s->engine, &why) < 0 ||
	    container_start(&one->c, s->engine, s->image, label, &s->limits,
		&why) < 0) {
		drop(one);
		begin_later(s, &why);
		return;
	}
	s->next = one;
	poll_set_timer(s->poll, &s->timer, clock_boot_ms() + SPARE_START_MS);
}

static void
on_timer(void *ctx)
{
	struct spare *s = ctx;

	if (s->next)
		container_stop(&s->next->c);
	else
		begin(s);
}

/* Who had it has closed: it should have ended, and is made to. */
static void
on_left(void *ctx, short revents)
{
	struct spare_one *one = ctx;

	(void)revents;
	close_user(one);
	container_stop(&one->c);
}

static void
lend(struct spare_one *one, int fd)
{
	struct spare *s = one->spare;
	int pipes[CONTAINER_PIPES];
	struct err none = {0};

	container_lend(&one->c, pipes);
	passing_send(fd, one->c.name, strlen(one->c.name) + 1, pipes,
	    CONTAINER_PIPES, &none);
	for (int i = 0; i < CONTAINER_PIPES; i++)
		close(pipes[i]);
	s->next = NULL;
	one->next = s->lent;
	s->lent = one;
	one->user = (struct poll_fd){.fd = fd,
	    .events = POLLIN,
	    .ready = on_left,
	    .ctx = one};
	poll_add(s->poll, &one->user);
}

static void
on_caller(void *ctx, short revents)
{
	struct spare *s = ctx;
	const int fd = passing_accept(s->listener.fd);

	(void)revents;
	if (fd < 0)
		return;
	if (!s->next || !s->next->c.ready) {
		close(fd);
		return;
	}
	lend(s->next, fd);
	/* The one that is lent comes first: it shall have the processors. */
	poll_set_timer(s->poll, &s->timer, clock_boot_ms() + SPARE_WAIT_MS);
}

static int
listen_for(struct spare *s, struct err *e)
{
	char folder[PATH_MAX], path[PATH_MAX], name[32];
	int fd;

	if (home_path(folder, FOLDER, e) < 0 || file_mkdirs(folder, e) < 0 ||
	    home_path(path, FOLDER "/lock", e) < 0)
		return -1;
	if (!s->alone.fd &&
	    lock_take(&s->alone, path, LOCK_EXCLUSIVE, 0, e) < 0)
		return -1;
	name_of(name, s->engine, s->image, &s->limits);
	fd = passing_listen(folder, name, e);
	if (fd < 0)
		return -1;
	s->listener = (struct poll_fd){.fd = fd,
	    .events = POLLIN,
	    .ready = on_caller,
	    .ctx = s};
	poll_add(s->poll, &s->listener);
	return 0;
}

/* Nobody finds it any more. */
static void
deafen(struct spare *s)
{
	char path[PATH_MAX], name[32], part[64];
	struct err none = {0};

	if (!s->listener.fd)
		return;
	name_of(name, s->engine, s->image, &s->limits);
	snprintf(part, sizeof(part), FOLDER "/%s", name);
	if (home_path(path, part, &none) == 0)
		unlink(path);
	poll_remove(&s->listener);
	close(s->listener.fd);
	s->listener.fd = 0;
}

int
spare_keep(struct spare *s, const char *engine, const char *image,
    const struct container_limits *limits, struct err *e)
{
	if (s->listener.fd && strcmp(s->engine, engine) == 0 &&
	    strcmp(s->image, image) == 0)
		return 0;
	deafen(s);
	if (s->next)
		drop(s->next);
	snprintf(s->engine, sizeof(s->engine), "%s", engine);
	snprintf(s->image, sizeof(s->image), "%s", image);
	s->limits = *limits;
	s->timer = (struct poll_timer){.fire = on_timer, .ctx = s};
	if (listen_for(s, e) < 0)
		return -1;
	begin(s);
	return 0;
}

void
spare_stop(struct spare *s)
{
	s->stopping = true;
	deafen(s);
	poll_stop_timer(&s->timer);
	if (s->next)
		container_stop(&s->next->c);
	else if (!s->lent)
		s->idle(s->ctx);
}

void
spare_release(struct spare *s)
{
	deafen(s);
	poll_stop_timer(&s->timer);
	if (s->next)
		drop(s->next);
	for (struct spare_one *one = s->lent, *next; one; one = next) {
		next = one->next;
		drop(one);
	}
	lock_drop(&s->alone);
}

/* The keeper's answer, if it comes soon: the name and the pipes. */
static int
receive(int fd, char *name, size_t size, int pipes[PASSING_MOST])
{
	struct pollfd w = {.fd = fd, .events = POLLIN};
	size_t count = 0;
	ssize_t n;

	if (poll(&w, 1, SPARE_WAIT_MS) <= 0)
		return -1;
	n = passing_receive(fd, name, size, pipes, &count);
	if (n > 0 && count == CONTAINER_PIPES && !name[n - 1])
		return 0;
	while (count)
		close(pipes[--count]);
	return -1;
}

int
spare_take(struct container *c, const char *engine, const char *image,
    const struct container_limits *limits)
{
	char folder[PATH_MAX], name[32], container[sizeof(c->name)];
	int pipes[PASSING_MOST], fd;
	struct err none = {0};

	name_of(name, engine, image, limits);
	if (home_path(folder, FOLDER, &none) < 0)
		return -1;
	fd = passing_connect(folder, name, &none);
	if (fd < 0)
		return -1;
	if (receive(fd, container, sizeof(container), pipes) < 0) {
		close(fd);
		return -1;
	}
	container_adopt(c, engine, container, pipes, fd);
	return 0;
}
