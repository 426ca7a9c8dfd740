#include "gateway/outlet.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "core/clock.h"
#include "discord/payload.h"
#include "record/event.h"
#include "store/settings.h"

enum {
	TRIM_MS = 5 * 60 * 1000,
	KEPT_ROOM = 256 << 10,
	ROOM_MIB = 64, /* free on the disk, to go on */
};

/* What is waited for, if it is room. */
static int
say_room(struct err *e)
{
	const struct err why = *e;

	if (e->kind == ERR_INPUT) /* it would never fit */
		return -1;
	return err_set(e, why.kind, "%.400s; it goes on when %d MiB are free",
	    why.text, ROOM_MIB);
}

static void
set_sync(struct outlet *o)
{
	const int64_t due_ms = spool_due_ms(&o->spool);

	if (due_ms == INT64_MAX)
		poll_stop_timer(&o->sync);
	else
		poll_set_timer(o->poll, &o->sync, due_ms);
}

static void
on_sync(void *ctx)
{
	struct outlet *o = ctx;
	struct err e = {0};

	if (spool_sync(&o->spool, &e) < 0) {
		say_room(&e);
		o->failed(o->ctx, &e);
	}
	set_sync(o);
}

static void
on_trim(void *ctx)
{
	struct outlet *o = ctx;
	struct err e = {0};

	/* What could not go now goes the next time. */
	(void)spool_trim(&o->spool, &e);
	poll_set_timer(o->poll, &o->trim, clock_boot_ms() + TRIM_MS);
}

/*
 * Our stdout may be somebody else's, too, so its description is not made
 * nonblocking: a pipe, a file or a terminal is opened once more.
 */
static int
open_stdout(struct err *e)
{
	struct stat st;
	int fd;

	if (fstat(STDOUT_FILENO, &st) < 0)
		return err_sys(e, ERR_CONFIG, "stdout");
	if (S_ISSOCK(st.st_mode))
		fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	else
		fd = open("/proc/self/fd/1",
		    O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	return fd < 0 ? err_sys(e, ERR_CONFIG, "stdout") : fd;
}

static int
open_spool(struct outlet *o, struct err *e)
{
	struct settings settings = {0};

	if (settings_open(&settings, e) < 0)
		return -1;
	o->spool.max_bytes = settings_int(&settings, "spool.max");
	settings_close(&settings);
	if (spool_open(&o->spool, o->shard, e) < 0)
		return -1;
	on_trim(o);
	return 0;
}

int
outlet_open(struct outlet *o, struct poll *p, struct err *e)
{
	int fd;

	o->poll = p;
	o->sync = (struct poll_timer){.fire = on_sync, .ctx = o};
	o->trim = (struct poll_timer){.fire = on_trim, .ctx = o};
	if (o->spooled)
		return open_spool(o, e);
	fd = open_stdout(e);
	if (fd < 0)
		return -1;
	o->out.limit = OUTLET_QUEUE;
	writer_start(&o->out, p, fd);
	return 0;
}

static int
put_spool(struct outlet *o, const struct payload *p, struct err *e)
{
	if (spool_append(&o->spool, p->name, p->sequence, p->data, p->len, e) <
	    0)
		return say_room(e);
	set_sync(o);
	return 0;
}

static int
put_line(struct outlet *o, const struct payload *p, struct err *e)
{
	struct event event = {
	    .shard = o->shard,
	    .sequence = p->sequence,
	    .at_ms = clock_now_ms(),
	    .data = p->data,
	    .data_len = p->len,
	};
	int result;

	snprintf(event.name, sizeof(event.name), "%s", p->name);
	event_write(&o->line, &event);
	result = writer_line(&o->out, buf_text(&o->line), o->line.len - 1, e);
	if (o->line.room > KEPT_ROOM)
		buf_release(&o->line);
	else
		buf_clear(&o->line);
	return result;
}

int
outlet_put(struct outlet *o, const struct payload *p, struct err *e)
{
	return o->spooled ? put_spool(o, p, e) : put_line(o, p, e);
}

void
outlet_session(struct outlet *o, const char *id, const char *url)
{
	if (!o->spooled)
		return;
	spool_session(&o->spool, id, url);
	set_sync(o);
}

bool
outlet_room(const struct outlet *o)
{
	struct statvfs vfs;

	if (!o->spooled)
		return writer_waiting(&o->out) < OUTLET_QUEUE / 4;
	return statvfs(o->spool.dir, &vfs) < 0 ||
	       ((uint64_t)vfs.f_bavail * vfs.f_frsize) >> 20 >= ROOM_MIB;
}

bool
outlet_busy(const struct outlet *o)
{
	return !o->spooled && writer_waiting(&o->out);
}

bool
outlet_gone(const struct outlet *o)
{
	return !o->spooled && writer_gone(&o->out);
}

int
outlet_close(struct outlet *o, struct err *e)
{
	int result = 0;

	if (!o->poll)
		return 0;
	if (o->spooled)
		result = spool_sync(&o->spool, e);
	poll_stop_timer(&o->sync);
	poll_stop_timer(&o->trim);
	spool_close(&o->spool);
	writer_stop(&o->out);
	buf_release(&o->line);
	o->poll = NULL;
	return result;
}
