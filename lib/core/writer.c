#include "core/writer.h"

#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { KEPT_ROOM = 1 << 20 };

/* write(2), but for a pipe without readers -1 is all that happens. */
static ssize_t
write_pipe(int fd, const char *bytes, size_t len)
{
	const struct timespec at_once = {0};
	sigset_t pipe_only, pending, before;
	ssize_t n;
	int why;

	sigemptyset(&pipe_only);
	sigaddset(&pipe_only, SIGPIPE);
	sigprocmask(SIG_BLOCK, &pipe_only, &before);
	sigpending(&pending);
	n = write(fd, bytes, len);
	why = errno;
	if (n < 0 && why == EPIPE && !sigismember(&pending, SIGPIPE))
		sigtimedwait(&pipe_only, NULL, &at_once);
	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = why;
	return n;
}

static ssize_t
write_quietly(const struct writer *w, const char *bytes, size_t len)
{
	return w->socket
		   ? send(w->watch.fd, bytes, len, MSG_DONTWAIT | MSG_NOSIGNAL)
		   : write_pipe(w->watch.fd, bytes, len);
}

/* Forget what is written: seldom, so that it costs no more than writing. */
static void
compact(struct writer *w)
{
	if (w->sent == w->queue.len && w->queue.room > KEPT_ROOM)
		buf_release(&w->queue);
	else if (w->sent == w->queue.len)
		buf_clear(&w->queue);
	else if (w->sent > w->queue.len / 2)
		buf_drop(&w->queue, w->sent);
	else
		return;
	w->sent = 0;
}

/* Write what the pipe takes. */
static void
flush(struct writer *w)
{
	size_t left = w->queue.len - w->sent;
	ssize_t n = 0;

	if (left)
		n = write_quietly(w, w->queue.data + w->sent, left);
	if (n < 0 && errno != EAGAIN && errno != EINTR) {
		writer_stop(w);
		return;
	}
	if (n > 0) {
		w->sent += (size_t)n;
		compact(w);
	}
	w->watch.events = w->queue.len ? POLLOUT : 0;
	if (w->ending && !w->queue.len)
		writer_stop(w);
}

/* Without readers poll(2) says so even if we have nothing to write. */
static void
ready(void *ctx, short revents)
{
	struct writer *w = ctx;

	if (revents & (POLLERR | POLLNVAL))
		writer_stop(w);
	else
		flush(w);
}

void
writer_start(struct writer *w, struct poll *p, int fd)
{
	struct stat st;

	*w = (struct writer){
	    .limit = w->limit ? w->limit : WRITER_CEILING,
	    .socket = fstat(fd, &st) == 0 && S_ISSOCK(st.st_mode),
	    .watch = {.fd = fd, .ready = ready, .ctx = w},
	};
	poll_add(p, &w->watch);
}

int
writer_line(struct writer *w, const char *text, size_t len, struct err *e)
{
	size_t left = writer_waiting(w);

	if (!w->watch.fd || w->ending)
		return err_set(e, ERR_REFUSED, "reads no more");
	if (len >= w->limit)
		return err_set(e, ERR_INPUT,
		    "a record of %zu bytes; at most %zu may wait", len,
		    w->limit);
	if (left + len >= w->limit)
		return err_set(e, ERR_AGAIN,
		    "%zu bytes are waiting to be read, at most %zu may", left,
		    w->limit);
	buf_add(&w->queue, text, len);
	buf_char(&w->queue, '\n');
	flush(w);
	return w->watch.fd ? 0 : err_set(e, ERR_REFUSED, "reads no more");
}

size_t
writer_waiting(const struct writer *w)
{
	return w->queue.len - w->sent;
}

bool
writer_gone(const struct writer *w)
{
	return !w->watch.fd;
}

void
writer_end(struct writer *w)
{
	w->ending = true;
	if (w->watch.fd)
		flush(w);
}

void
writer_stop(struct writer *w)
{
	poll_remove(&w->watch);
	if (w->watch.fd)
		close(w->watch.fd);
	w->watch.fd = 0;
	buf_release(&w->queue);
	w->sent = 0;
}
