#define _GNU_SOURCE /* accept4 */
#include "guest/doors.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/err.h"
#include "core/frame.h"
#include "guest/guest.h"
#include "guest/say.h"

enum { PIECE = 32 << 10, NUMBER_MOST = 0xffff };

static void
tell(const struct door *x, unsigned char kind, const char *bytes, size_t len)
{
	struct buf head = {0};

	frame_add_number(&head, x->number, 2);
	say(kind, &head, bytes, len);
	buf_release(&head);
}

/* Take the next one, if there is room for it. */
static void
set_listener(struct doors *d)
{
	d->listener.events = 0;
	for (size_t i = 0; i < DOORS_MOST; i++)
		if (!d->at[i].watch.fd)
			d->listener.events = POLLIN;
}

static void
shut(struct door *x)
{
	poll_remove(&x->watch);
	close(x->watch.fd);
	x->watch.fd = 0;
	buf_release(&x->queue);
	x->sent = 0;
	set_listener(x->owner);
}

static void
on_door(void *ctx, short revents)
{
	struct door *x = ctx;
	char piece[PIECE];
	ssize_t n;

	if (revents & POLLOUT) {
		n = send(x->watch.fd, x->queue.data + x->sent,
		    x->queue.len - x->sent, MSG_NOSIGNAL);
		x->sent += n > 0 ? (size_t)n : 0;
		if (x->sent == x->queue.len) {
			buf_clear(&x->queue);
			x->sent = 0;
			x->watch.events = POLLIN;
		}
	}
	if (!(revents & (POLLIN | POLLHUP | POLLERR)))
		return;
	n = recv(x->watch.fd, piece, sizeof(piece), 0);
	if (n > 0) {
		tell(x, GUEST_ASK, piece, (size_t)n);
	} else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
		tell(x, GUEST_HANG, NULL, 0);
		shut(x);
	}
}

static void
on_caller(void *ctx, short revents)
{
	struct doors *d = ctx;
	struct door *x = d->at;
	int fd;

	(void)revents;
	while (x < d->at + DOORS_MOST && x->watch.fd)
		x++;
	if (x == d->at + DOORS_MOST)
		return;
	fd = accept4(d->listener.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (fd < 0)
		return;
	x->number = x->owner ? (x->number + DOORS_MOST) & NUMBER_MOST
			     : (unsigned int)(x - d->at);
	x->owner = d;
	x->watch = (struct poll_fd){.fd = fd,
	    .events = POLLIN,
	    .ready = on_door,
	    .ctx = x};
	poll_add(d->poll, &x->watch);
	tell(x, GUEST_ASK, NULL, 0);
	set_listener(d);
}

int
doors_open(struct doors *d, struct poll *p, const char *path, struct err *e)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return err_sys(e, ERR_IO, "a socket");
	memcpy(at.sun_path, path, strnlen(path, sizeof(at.sun_path) - 1));
	if (bind(fd, (struct sockaddr *)&at, sizeof(at)) < 0 ||
	    listen(fd, DOORS_MOST) < 0) {
		err_sys(e, ERR_IO, "%s", path);
		close(fd);
		return -1;
	}
	d->poll = p;
	d->listener = (struct poll_fd){.fd = fd,
	    .events = POLLIN,
	    .ready = on_caller,
	    .ctx = d};
	poll_add(p, &d->listener);
	return 0;
}

void
doors_answer(struct doors *d, size_t number, const char *bytes, size_t len)
{
	struct door *x = &d->at[number % DOORS_MOST];

	if (!x->watch.fd || x->number != number)
		return; /* it has closed it */
	x->queue.limit = DOORS_QUEUE;
	buf_drop(&x->queue, x->sent);
	x->sent = 0;
	buf_add(&x->queue, bytes, len);
	x->watch.events = POLLIN | POLLOUT;
	if (x->queue.full) {
		tell(x, GUEST_HANG, NULL, 0);
		shut(x);
	}
}

void
doors_close(struct doors *d)
{
	for (size_t i = 0; i < DOORS_MOST; i++)
		if (d->at[i].watch.fd)
			shut(&d->at[i]);
	poll_remove(&d->listener);
	if (d->listener.fd)
		close(d->listener.fd);
	d->listener.fd = 0;
}
