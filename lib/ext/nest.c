#include "ext/nest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "core/err.h"
#include "core/mem.h"

int
nest_open(struct nest *n, struct err *e)
{
	n->fd = epoll_create1(EPOLL_CLOEXEC);
	if (n->fd >= 0)
		return 0;
	n->fd = 0;
	return err_sys(e, ERR_INTERNAL, "epoll");
}

static uint32_t
wish(const struct pollfd *fd)
{
	return (fd->events & POLLIN ? EPOLLIN : 0U) |
	       (fd->events & POLLOUT ? EPOLLOUT : 0U);
}

/*
 * Whether it holds just these. A descriptor that was closed, and opened again
 * as the same number, has left by itself: only the kernel knows.
 */
static bool
holds(const struct nest *n, const struct pollfd *fds, size_t count)
{
	if (n->count != count)
		return false;
	for (size_t i = 0; i < count; i++) {
		struct epoll_event event = {.events = wish(&fds[i])};

		if (n->in[i].fd != fds[i].fd ||
		    n->in[i].events != fds[i].events ||
		    epoll_ctl(n->fd, EPOLL_CTL_MOD, fds[i].fd, &event) < 0)
			return false;
	}
	return true;
}

static void
empty(struct nest *n)
{
	for (size_t i = 0; i < n->count; i++)
		(void)epoll_ctl(n->fd, EPOLL_CTL_DEL, n->in[i].fd, NULL);
	n->count = 0;
}

int
nest_hold(struct nest *n, const struct pollfd *fds, size_t count, bool *always,
    struct err *e)
{
	*always = false;
	if (holds(n, fds, count))
		return 0;
	empty(n);
	n->in = mem_resize(n->in, count + 1, sizeof(*n->in));
	for (size_t i = 0; i < count; i++) {
		struct epoll_event event = {.events = wish(&fds[i])};

		if (epoll_ctl(n->fd, EPOLL_CTL_ADD, fds[i].fd, &event) == 0)
			n->in[n->count++] = fds[i];
		else if (errno == EPERM)
			*always = true;
		else
			return err_sys(e, ERR_INTERNAL, "epoll");
	}
	return 0;
}

void
nest_release(struct nest *n)
{
	if (n->fd)
		close(n->fd);
	free(n->in);
	*n = (struct nest){0};
}
