#define _GNU_SOURCE /* O_CLOEXEC */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/err.h"
#include "core/crash.h"
#include "core/line.h"
#include "ext/json.h"
#include "record/event.h"
#include "store/spool_inside.h"

enum { LOCK_WAIT_MS = 1000, PIECE = 256 << 10 };

/* The last segment, as it is read once from its start. */
struct recovery {
	struct spool *s;
	struct line lines;
	int64_t saved;      /* the event that session.json was written after */
	int64_t bytes;      /* of the lines that are good */
	const char *damage; /* why the next one isn't, and */
	bool more;          /* there is a good line after it */
};

/* Why the line isn't the event that must be next, or NULL if it is. */
static const char *
wrong_with(const struct recovery *r, struct event *x, const char *text,
    size_t len)
{
	const struct spool *s = r->s;
	struct err why;

	if (event_read(x, text, len, &why) < 0)
		return "it is no event";
	if (x->number != s->number + 1)
		return "its number isn't the next";
	/* What was not synced may have holes. */
	if (x->number > s->synced.number && !json_is_object(text, len))
		return "it is no JSON";
	return NULL;
}

/* The event stays: what follows from it. */
static void
keep(struct recovery *r, const struct event *x, size_t len)
{
	struct spool *s = r->s;

	if (x->number == s->first)
		s->first_at_ms = x->at_ms;
	s->number = x->number;
	r->bytes += (int64_t)len + 1;
	if (x->number <= r->saved)
		return;
	if (x->sequence)
		s->sequence = x->sequence;
	/* Another session began, and nobody came to note whose it is. */
	if (strcmp(x->name, "READY") == 0)
		spool_session_forget(s);
}

static void
look_at(struct recovery *r, const char *text, size_t len)
{
	struct event x;
	struct err why;

	if (r->damage) {
		r->more |= text && event_read(&x, text, len, &why) == 0;
		return;
	}
	r->damage = text ? wrong_with(r, &x, text, len) : "it has a NUL byte";
	if (!r->damage)
		keep(r, &x, len);
}

static int
read_all(struct recovery *r, int fd, const char *path, struct err *e)
{
	const char *text;
	struct err why;
	size_t len;
	ssize_t n;
	int row;

	while ((n = read(fd, line_room(&r->lines, PIECE), PIECE)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_sys(e, err_kind_of_errno(ERR_CONFIG), "%s",
			    path);
		line_wrote(&r->lines, (size_t)n);
		while ((row = line_next(&r->lines, &text, &len, &why)) != 0)
			look_at(r, row > 0 ? text : NULL, len);
	}
	return 0;
}

/* Is what follows the good lines ours to cut off? */
static int
judge(const struct recovery *r, const char *path, struct err *e)
{
	if (!r->damage || !r->more || r->s->number >= r->s->synced.number)
		return 0;
	return err_set(e, ERR_CONFIG,
	    "%s: event %" PRId64 " at byte %" PRId64 " is damaged (%s), and "
	    "there are more after it; move the file away to go on without them",
	    path, r->s->number + 1, r->bytes, r->damage);
}

static int
cut_tail(struct recovery *r, const char *path, struct err *e)
{
	struct spool *s = r->s;
	off_t end = lseek(s->fd, 0, SEEK_END);

	if (end < 0 ||
	    (end > r->bytes && ftruncate(s->fd, (off_t)r->bytes) < 0))
		return err_sys(e, err_kind_of_errno(ERR_CONFIG), "%s", path);
	s->cut = end - r->bytes;
	s->bytes = r->bytes;
	return 0;
}

/* Read the last segment, and go on at its end. */
static int
take_up(struct spool *s, int64_t saved, struct err *e)
{
	struct recovery r = {.s = s,
	    .saved = saved,
	    .lines = {.limit = LINE_CEILING_EVENT}};
	char path[PATH_MAX];
	int rc = -1;

	if (spool_segment_file(path, s->dir, s->first, e) < 0)
		return -1;
	s->fd = open(path, O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
	if (s->fd < 0) {
		s->fd = 0;
		return err_sys(e, err_kind_of_errno(ERR_CONFIG), "%s", path);
	}
	s->number = s->first - 1;
	if (read_all(&r, s->fd, path, e) == 0 && judge(&r, path, e) == 0)
		rc = cut_tail(&r, path, e);
	line_release(&r.lines);
	CRASH_POINT("spool.open");
	if (rc == 0 && (fdatasync(s->fd) < 0))
		rc = err_sys(e, err_kind_of_errno(ERR_CONFIG), "syncing %s",
		    path);
	return rc;
}

/* The highest number that anybody knows of: none up to it is used again. */
static int
highest(const struct spool *s, int64_t saved, int64_t *number, struct err *e)
{
	struct spool_position *list;
	int n = spool_readers(&list, s->dir, e);

	*number = s->number > s->synced.number ? s->number : s->synced.number;
	if (saved > *number)
		*number = saved;
	for (int i = 0; i < n; i++)
		if (list[i].passed > *number)
			*number = list[i].passed;
	free(list);
	return n < 0 ? -1 : 0;
}

/* With the last segment read, or none: where to go on. */
static int
go_on(struct spool *s, int64_t saved, struct err *e)
{
	int64_t number;

	if (highest(s, saved, &number, e) < 0)
		return -1;
	if (saved > s->number) /* its events are gone: ask for them again */
		spool_session_forget(s);
	if (!s->session)
		s->sequence = s->fd ? s->sequence : 0;
	s->untold = true;
	if (!s->fd || number > s->number) {
		s->number = number;
		if (spool_begin_segment(s, number + 1, e) < 0)
			return -1;
	} else if (spool_sync_folder(s->dir, e) < 0)
		return -1;
	s->synced = (struct spool_note){s->number, s->first, s->bytes};
	s->synced_sequence = s->sequence;
	return spool_publish(s, e);
}

static int
recover(struct spool *s, struct err *e)
{
	int64_t *firsts = NULL, saved;
	int n = spool_segments(&firsts, s->dir, e), rc = -1;

	spool_note_read(s->notes, &s->synced);
	if (n >= 0 && spool_session_load(s, &saved, e) == 0)
		rc = 0;
	if (rc == 0 && n) {
		s->first = firsts[n - 1];
		rc = take_up(s, saved, e);
	}
	free(firsts);
	return rc < 0 ? -1 : go_on(s, saved, e);
}

static int
start(struct spool *s, struct err *e)
{
	char path[PATH_MAX];

	if (spool_make_folder(s->dir, s->shard, e) < 0 ||
	    spool_file(path, s->dir, "lock", e) < 0 ||
	    lock_take(&s->lock, path, LOCK_EXCLUSIVE, LOCK_WAIT_MS, e) < 0 ||
	    spool_file(path, s->dir, "synced", e) < 0)
		return -1;
	s->notes = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (s->notes >= 0)
		return 0;
	s->notes = 0;
	return err_sys(e, err_kind_of_errno(ERR_CONFIG), "%s", path);
}

int
spool_open(struct spool *s, int shard, struct err *e)
{
	*s = (struct spool){.shard = shard,
	    .max_bytes = s->max_bytes,
	    .segment_bytes = s->segment_bytes ? s->segment_bytes
					      : SPOOL_SEGMENT_BYTES};
	if (start(s, e) == 0 && recover(s, e) == 0)
		return 0;
	spool_close(s);
	return err_in(e, "spool of shard %d", shard);
}
