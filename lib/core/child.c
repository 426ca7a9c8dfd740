#include "core/child.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/mem.h"

/* Until it is reaped, its pid names it and its group, and nothing else. */
static void
signal_group(const struct child *c, int sig)
{
	if (c->pid)
		kill(-c->pid, sig);
}

static void
unwatch(struct poll_fd *w)
{
	poll_remove(w);
	if (w->fd)
		close(w->fd);
	w->fd = 0;
}

static void
unwatch_out(struct reader *r)
{
	reader_stop(r);
	unwatch(&r->watch);
}

static void
heard(void *ctx, const char *text, size_t len, const struct err *bad)
{
	struct child *c = ctx;

	c->line(c->ctx, text, len, bad);
}

static void
fell_silent(void *ctx, const struct err *why)
{
	struct child *c = ctx;

	(void)why;
	unwatch_out(&c->out);
}

/* Keep the end of what it complains about; the rest is gone. */
static void
complains(void *ctx, short revents)
{
	struct child *c = ctx;
	char text[CHILD_ERROR_LEN];
	ssize_t n = read(c->error.fd, text, sizeof(text));

	(void)revents;
	if (n > 0) {
		if (c->said)
			c->said(c->ctx, text, (size_t)n);
		buf_add(&c->words, text, (size_t)n);
		if (c->words.len > CHILD_ERROR_LEN)
			buf_drop(&c->words, c->words.len - CHILD_ERROR_LEN);
	} else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
		unwatch(&c->error);
	}
}

/* Its output as it comes, when that isn't lines. */
static void
pours(void *ctx, short revents)
{
	struct child *c = ctx;
	char bytes[CHILD_ERROR_LEN];
	ssize_t n = read(c->plain.fd, bytes, sizeof(bytes));

	(void)revents;
	if (n > 0)
		c->bytes(c->ctx, bytes, (size_t)n);
	else if (n == 0 || (errno != EAGAIN && errno != EINTR))
		unwatch(&c->plain);
}

/* What lay in a pipe at its death; see reader_drain(). */
static void
drain(struct child *c, struct poll_fd *w, void (*take)(void *ctx, short))
{
	int left = 0;

	if (w->fd && ioctl(w->fd, FIONREAD, &left) < 0)
		left = 0;
	for (; w->fd && left > 0; left -= CHILD_ERROR_LEN)
		take(c, POLLIN);
}

/* Its death is known or near: learn how it ended. Its pid is free then. */
static void
reap(struct child *c)
{
	siginfo_t how = {0};
	int rc;

	do {
		rc = waitid(P_PIDFD, (id_t)c->died.fd, &how, WEXITED);
	} while (rc < 0 && errno == EINTR);
	c->state = how.si_code == CLD_EXITED ? CHILD_EXITED : CHILD_KILLED;
	c->code = how.si_status;
	c->pid = 0;
}

static void
let_go(struct child *c)
{
	poll_stop_timer(&c->kill);
	writer_stop(&c->in);
	unwatch_out(&c->out);
	unwatch(&c->plain);
	unwatch(&c->error);
	unwatch(&c->died);
}

static void
died(void *ctx, short revents)
{
	struct child *c = ctx;

	(void)revents;
	poll_remove(&c->died);
	drain(c, &c->error, complains);
	drain(c, &c->plain, pours);
	reader_drain(&c->out);
	signal_group(c, SIGKILL);
	reap(c);
	let_go(c);
	c->ended(c->ctx);
}

static void
grace_is_over(void *ctx)
{
	signal_group(ctx, SIGKILL);
}

static void
watch(struct child *c, struct poll_fd *w, int fd,
    void (*ready)(void *ctx, short revents))
{
	*w = (struct poll_fd){.fd = fd,
	    .events = POLLIN,
	    .ready = ready,
	    .ctx = c};
	poll_add(c->poll, w);
}

int
child_start(struct child *c, struct poll *p, struct err *e)
{
	const char *slash;
	struct spawned s;

	child_release(c);
	if (spawn(&s, &c->what, e) < 0)
		return -1;
	slash = strrchr(c->what.argv[0], '/');
	c->name = mem_dup(slash ? slash + 1 : c->what.argv[0]);
	c->poll = p;
	c->pid = s.pid;
	c->state = CHILD_RUNS;
	c->kill = (struct poll_timer){.fire = grace_is_over, .ctx = c};
	c->out = (struct reader){.limit = c->line_limit,
	    .line = heard,
	    .ended = fell_silent,
	    .ctx = c};
	c->in = (struct writer){.limit = c->queue_limit};
	if (c->bytes)
		watch(c, &c->plain, s.out, pours);
	else
		reader_start(&c->out, p, s.out);
	writer_start(&c->in, p, s.in);
	watch(c, &c->died, s.died, died);
	if (s.error)
		watch(c, &c->error, s.error, complains);
	return 0;
}

int
child_send(struct child *c, const char *text, size_t len, struct err *e)
{
	if (writer_line(&c->in, text, len, e) < 0)
		return err_in(e, "%s", c->name ? c->name : "no child");
	return 0;
}

void
child_end(struct child *c)
{
	writer_end(&c->in);
}

void
child_cancel(struct child *c)
{
	if (c->state != CHILD_RUNS || c->cancelled)
		return;
	c->cancelled = true;
	signal_group(c, SIGTERM);
	poll_set_timer(c->poll, &c->kill,
	    clock_boot_ms() + (c->grace_ms ? c->grace_ms : CHILD_GRACE_MS));
}

/* Where the last line of its stderr begins; *len without its newlines. */
static const char *
last_words(const struct child *c, int *len)
{
	const char *text = buf_text(&c->words);
	size_t end = c->words.len, from;

	while (end > 0 && text[end - 1] == '\n')
		end--;
	for (from = end; from > 0 && text[from - 1] != '\n';)
		from--;
	*len = (int)(end - from);
	return text + from;
}

static enum err_kind
kind_of(const struct child *c)
{
	if (c->state != CHILD_EXITED)
		return ERR_INTERNAL;
	switch ((enum err_kind)c->code) {
	case ERR_INPUT:
	case ERR_REFUSED:
	case ERR_IO:
	case ERR_AGAIN:
	case ERR_UNKNOWN:
	case ERR_DENIED:
	case ERR_CONFIG:
	case ERR_APPROVAL: return (enum err_kind)c->code;
	default: return ERR_INTERNAL;
	}
}

int
child_verdict(const struct child *c, struct err *e)
{
	int len;
	const char *words = last_words(c, &len);

	if (c->state == CHILD_EXITED && (c->code == 0 || c->code == 1))
		return c->code;
	if (c->state == CHILD_KILLED)
		return err_set(e, kind_of(c), "%s: killed by signal %d%s%.*s",
		    c->name, c->code, len ? ": " : "", len, words);
	if (c->state == CHILD_EXITED)
		return err_set(e, kind_of(c), "%s: exit code %d%s%.*s", c->name,
		    c->code, len ? ": " : "", len, words);
	return err_set(e, ERR_INTERNAL, "%s: has not ended",
	    c->name ? c->name : "no child");
}

void
child_release(struct child *c)
{
	if (c->pid) {
		signal_group(c, SIGKILL);
		reap(c);
	}
	let_go(c);
	buf_release(&c->words);
	free(c->name);
	c->name = NULL;
	c->state = CHILD_NONE;
	c->code = 0;
	c->cancelled = false;
}
