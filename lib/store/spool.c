#define _GNU_SOURCE /* O_CLOEXEC, writev */
#include "store/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/crash.h"
#include "core/err.h"
#include "core/line.h"
#include "core/mem.h"
#include "record/event.h"
#include "store/spool_inside.h"

enum { HEAD_ROOM = 512, TAIL = 2 };

static int
cannot_write(const struct spool *s, struct err *e)
{
	return err_sys(e, err_kind_of_errno(ERR_CONFIG), "writing the spool %s",
	    s->dir);
}

/* Cut the segment to what it was, or never write to it again. */
static void
cut_to(struct spool *s, int64_t bytes)
{
	while (ftruncate(s->fd, bytes) < 0)
		if (errno != EINTR) {
			s->broken = true;
			return;
		}
	s->bytes = bytes;
}

int
spool_begin_segment(struct spool *s, int64_t first, struct err *e)
{
	char path[PATH_MAX];
	int fd;

	if (spool_segment_file(path, s->dir, first, e) < 0)
		return -1;
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC,
	    0600);
	if (fd < 0)
		return err_sys(e, err_kind_of_errno(ERR_CONFIG), "making %s",
		    path);
	if (spool_sync_folder(s->dir, e) < 0) {
		close(fd);
		unlink(path);
		return -1;
	}
	if (s->fd)
		close(s->fd);
	s->fd = fd;
	s->first = first;
	s->bytes = 0;
	s->synced = (struct spool_note){first - 1, first, 0};
	s->untold = true;
	return 0;
}

int
spool_publish(struct spool *s, struct err *e)
{
	char path[PATH_MAX];

	if (!s->untold)
		return 0;
	if (spool_file(path, s->dir, "synced", e) < 0 ||
	    spool_note_write(s->notes, &s->synced, path, e) < 0)
		return -1;
	s->untold = false;
	return 0;
}

/*
 * The kernel may have dropped what it could not write, and would not say so
 * again: nothing after the last good sync can be relied on. No reader saw it.
 */
static int
sync_failed(struct spool *s, struct err *e)
{
	cannot_write(s, e);
	cut_to(s, s->synced.bytes);
	s->number = s->synced.number;
	s->sequence = s->synced_sequence;
	s->since_ms = 0;
	if (s->session_from > s->number)
		spool_session_forget(s);
	return -1;
}

static int
sync_events(struct spool *s, struct err *e)
{
	int64_t began_ms = clock_boot_ms(), took_ms;

	if (s->synced.number == s->number)
		return 0;
	CRASH_POINT("spool.sync");
	if (fdatasync(s->fd) < 0)
		return sync_failed(s, e);
	CRASH_POINT("spool.sync.done");
	s->synced = (struct spool_note){s->number, s->first, s->bytes};
	s->synced_sequence = s->sequence;
	s->untold = true;
	s->since_ms = 0;
	/* A slow disk is left alone for as long as it was busy, and more. */
	took_ms = clock_boot_ms() - began_ms;
	s->rest_until_ms = clock_boot_ms() + SPOOL_PAUSE_MS + 2 * took_ms;
	return 0;
}

static int
is_broken(const struct spool *s, struct err *e)
{
	return err_set(e, ERR_IO,
	    "the spool %s has a half line that can't be cut off; "
	    "it must be opened again",
	    s->dir);
}

int
spool_sync(struct spool *s, struct err *e)
{
	if (s->broken)
		return is_broken(s, e);
	if (sync_events(s, e) == 0 && spool_publish(s, e) == 0 &&
	    (!s->session_new || spool_session_save(s, e) == 0))
		return 0;
	s->rest_until_ms = clock_boot_ms() + SPOOL_LATE_MS;
	return -1;
}

int64_t
spool_due_ms(const struct spool *s)
{
	if (s->untold || s->session_new)
		return s->rest_until_ms;
	if (!s->since_ms)
		return INT64_MAX;
	return s->rest_until_ms < s->since_ms + SPOOL_LATE_MS
		   ? s->rest_until_ms
		   : s->since_ms + SPOOL_LATE_MS;
}

int
spool_next_segment(struct spool *s, struct err *e)
{
	if (spool_sync(s, e) < 0 || spool_session_save(s, e) < 0 ||
	    spool_begin_segment(s, s->number + 1, e) < 0 ||
	    spool_publish(s, e) < 0)
		return -1;
	return spool_drop_old(s, s->segment_bytes, e);
}

/* The data without line breaks: itself, or a copy in the buffer. */
static void
flatten(struct buf *b, const char **data, size_t *len)
{
	const char *at = *data, *end = *data + *len;
	size_t from = b->len;

	if (!memchr(at, '\n', *len) && !memchr(at, '\r', *len))
		return;
	for (; at < end; at++)
		if (*at != '\n' && *at != '\r')
			buf_char(b, *at);
	*data = b->data + from;
	*len = b->len - from;
}

/* Write the pieces as one, or nothing of them. */
static int
put(struct spool *s, struct iovec *pieces, int count, struct err *e)
{
	size_t left = 0;

	for (int i = 0; i < count; i++)
		left += pieces[i].iov_len;
	while (left) {
		ssize_t n = writev(s->fd, pieces, count);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			cannot_write(s, e);
			cut_to(s, s->bytes);
			return -1;
		}
		left -= (size_t)n;
		for (; count && (size_t)n >= pieces->iov_len; count--)
			n -= (ssize_t)pieces++->iov_len;
		if (count) {
			pieces->iov_base = (char *)pieces->iov_base + n;
			pieces->iov_len -= (size_t)n;
		}
	}
	return 0;
}

/* Write the event whose head is in the buffer. */
static int
put_event(struct spool *s, const char *data, size_t len, struct err *e)
{
	static char tail[] = "}\n";
	size_t head = s->head.len;
	struct iovec pieces[3];

	flatten(&s->head, &data, &len);
	pieces[0] = (struct iovec){s->head.data, head};
	memcpy(&pieces[1].iov_base, &data, sizeof(data));
	pieces[1].iov_len = len;
	pieces[2] = (struct iovec){tail, TAIL};
	if (put(s, pieces, 3, e) < 0)
		return -1;
	s->bytes += (int64_t)(head + len + TAIL);
	return 0;
}

static int
check_data(const char *data, size_t len, struct err *e)
{
	if (!len || len > LINE_CEILING_EVENT - HEAD_ROOM)
		return err_set(e, ERR_INPUT, "an event of %zu bytes", len);
	if (memchr(data, '\0', len))
		return err_set(e, ERR_INPUT, "an event with a NUL byte in it");
	return 0;
}

static int
make_head(struct spool *s, struct event *x, const char *name, struct err *e)
{
	size_t len = strlen(name);

	if (len > EVENT_NAME_MAX)
		return err_set(e, ERR_INPUT, "an event of a name too long");
	memcpy(x->name, name, len + 1);
	buf_clear(&s->head);
	return event_head(&s->head, x, e);
}

/* Begin another segment if so many bytes would be too much for this one. */
static int
make_room(struct spool *s, size_t len, struct err *e)
{
	if (!s->bytes || s->bytes + (int64_t)len <= s->segment_bytes)
		return 0;
	return spool_next_segment(s, e);
}

int64_t
spool_append(struct spool *s, const char *name, int64_t sequence,
    const char *data, size_t len, struct err *e)
{
	struct event x = {.shard = s->shard, .sequence = sequence};

	if (s->broken)
		return is_broken(s, e);
	if (check_data(data, len, e) < 0)
		return -1;
	x.number = s->number + 1;
	x.at_ms = clock_now_ms();
	if (make_head(s, &x, name, e) < 0 ||
	    make_room(s, s->head.len + len + TAIL, e) < 0 ||
	    put_event(s, data, len, e) < 0)
		return -1;
	if (s->number + 1 == s->first)
		s->first_at_ms = x.at_ms;
	s->number = x.number;
	s->sequence = sequence ? sequence : s->sequence;
	if (!s->since_ms)
		s->since_ms = clock_boot_ms();
	if (s->head.room > LINE_CEILING)
		buf_release(&s->head);
	return s->number;
}

void
spool_close(struct spool *s)
{
	if (s->fd)
		close(s->fd);
	if (s->notes)
		close(s->notes);
	buf_release(&s->head);
	lock_drop(&s->lock);
	spool_session_forget(s);
	*s = (struct spool){.segment_bytes = s->segment_bytes,
	    .max_bytes = s->max_bytes};
}
