#define _GNU_SOURCE /* O_CLOEXEC */
#include "store/spool_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/crash.h"
#include "core/err.h"

enum { PIECE = 256 << 10, ROOM_KEPT = 1 << 20, LOCK_WAIT_MS = 1000 };

static int
cannot_read(const struct spool_reader *r, struct err *e)
{
	return err_sys(e, err_kind_of_errno(ERR_CONFIG), "reading the spool %s",
	    r->dir);
}

static void
close_segment(struct spool_reader *r)
{
	if (r->fd)
		close(r->fd);
	r->fd = 0;
	r->at = 0;
	line_release(&r->lines);
}

/* 1 if the segment is open, 0 if it went away in between, -1. */
static int
open_segment(struct spool_reader *r, int64_t first, struct err *e)
{
	char path[PATH_MAX];

	close_segment(r);
	if (spool_segment_file(path, r->dir, first, e) < 0)
		return -1;
	r->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (r->fd < 0) {
		r->fd = 0;
		return errno == ENOENT ? 0 : cannot_read(r, e);
	}
	r->segment = first;
	return 1;
}

static int
damaged(const struct spool_reader *r, const char *why, struct err *e)
{
	return err_set(e, ERR_CONFIG,
	    "%s/%012" PRId64 ".ndjson: event %" PRId64
	    " is damaged (%.100s); move the file away to go on without it",
	    r->dir, r->segment, r->position + 1, why);
}

/* A line of the segment: 1 if it is the next event, 0 if it was had, or -1. */
static int
take_line(struct spool_reader *r, const char *text, size_t len, struct err *e)
{
	struct err why;

	if (event_read(&r->event, text, len, &why) < 0)
		return damaged(r, why.text, e);
	if (r->event.number <= r->position)
		return 0;
	if (r->event.number != r->position + 1)
		return damaged(r, "another one is in its place", e);
	r->position = r->event.number;
	return 1;
}

/* The next event among the bytes that were read: 1, 0 or -1. */
static int
next_line(struct spool_reader *r, struct err *e)
{
	const char *text;
	struct err why;
	size_t len;
	int row, got;

	while ((row = line_next(&r->lines, &text, &len, &why)) != 0) {
		if (row < 0)
			return damaged(r, why.text, e);
		if ((got = take_line(r, text, len, e)) != 0)
			return got;
	}
	return 0;
}

/* Read more, up to a byte of the segment: 1, 0 at that, or -1. */
static int
read_more(struct spool_reader *r, int64_t limit, struct err *e)
{
	size_t want = PIECE;
	ssize_t n;

	if (r->at >= limit)
		return 0;
	if (limit - r->at < PIECE)
		want = (size_t)(limit - r->at);
	if (r->lines.bytes.room > ROOM_KEPT &&
	    r->lines.from == r->lines.bytes.len)
		line_release(&r->lines); /* that was a large event */
	do
		n = pread(r->fd, line_room(&r->lines, want), want,
		    (off_t)r->at);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return cannot_read(r, e);
	line_wrote(&r->lines, (size_t)n);
	r->at += n;
	return n > 0;
}

/* Up to which byte the open segment may be read. */
static int64_t
limit_of(const struct spool_reader *r)
{
	struct stat st;

	if (r->segment > r->seen.segment)
		return 0;
	if (r->segment == r->seen.segment)
		return r->seen.bytes;
	return fstat(r->fd, &st) < 0 ? 0 : st.st_size;
}

/* Announce what is between our position and an event that there is. */
static int
found_gap(struct spool_reader *r, int64_t first)
{
	r->gap_from = r->position + 1;
	r->gap_to = first - 1;
	r->position = first - 1;
	return SPOOL_GAP;
}

/*
 * Which segment to read: after the one that was read to its end, or else the
 * one that the next event is in. 0 if there is none yet.
 */
static int64_t
choose(const struct spool_reader *r, const int64_t *firsts, int n)
{
	int i = 0;

	if (r->segment) {
		while (i < n && firsts[i] <= r->segment)
			i++;
	} else {
		while (i + 1 < n && firsts[i + 1] <= r->position + 1)
			i++;
	}
	return i < n && firsts[i] <= r->seen.segment ? firsts[i] : 0;
}

/* Go on to the next segment: 1, SPOOL_GAP, 0 if there is none yet, or -1. */
static int
next_segment(struct spool_reader *r, struct err *e)
{
	int64_t *firsts, first;
	int n, rc;

	do {
		n = spool_segments(&firsts, r->dir, e);
		first = n > 0 ? choose(r, firsts, n) : 0;
		free(firsts);
		if (!first)
			return n < 0 ? -1 : 0;
		if (first > r->position + 1)
			return found_gap(r, first);
		rc = open_segment(r, first, e);
	} while (rc == 0);
	return rc;
}

/* What the writer says now: 1 if that is news, 0, or -1. */
static int
look(struct spool_reader *r, struct err *e)
{
	struct spool_note before = r->seen, now;
	char noise[4096];
	struct stat st;

	/* First this, then the note: what comes later wakes us again. */
	while (read(r->wake, noise, sizeof(noise)) > 0)
		;
	if (fstat(r->synced, &st) == 0 && !st.st_nlink)
		return err_set(e, ERR_AGAIN, "the spool %s was taken away",
		    r->dir);
	if (spool_note_read(r->synced, &now))
		r->seen = now;
	return now.number > before.number || now.segment > before.segment;
}

/* An event or gap from what may be read already, 0 if there is none, or -1. */
static int
read_on(struct spool_reader *r, struct err *e)
{
	int got;

	for (;;) {
		if (r->fd && (got = next_line(r, e)) != 0)
			return got < 0 ? -1 : SPOOL_EVENT;
		if (r->fd && (got = read_more(r, limit_of(r), e)) != 0) {
			if (got < 0)
				return -1;
			continue;
		}
		if (r->fd && r->segment >= r->seen.segment)
			return 0;
		close_segment(r);
		got = next_segment(r, e);
		if (got != 1)
			return got;
	}
}

int
spool_reader_next(struct spool_reader *r, struct err *e)
{
	int got;

	if (r->gap) {
		r->gap = false;
		return SPOOL_GAP;
	}
	while ((got = read_on(r, e)) == 0)
		if ((got = look(r, e)) <= 0)
			break;
	return got;
}

int
spool_reader_passed(struct spool_reader *r, int64_t number, struct err *e)
{
	if (!r->note)
		return 0;
	r->told = (struct spool_note){number, r->segment, 0};
	return spool_note_write(r->note, &r->told, r->dir, e);
}

/* Read the segment up to this event: 1 if it is there, else 0. */
static int
find(struct spool_reader *r, int64_t first, int64_t after)
{
	struct err why;
	struct stat st;

	if (open_segment(r, first, &why) != 1 || fstat(r->fd, &st) < 0)
		return 0;
	for (r->position = first - 1; r->position < after;)
		if (next_line(r, &why) < 1 &&
		    read_more(r, st.st_size, &why) < 1)
			return 0;
	/* What was read beyond it may not be synced, and may yet change. */
	r->at -= (int64_t)(r->lines.bytes.len - r->lines.from);
	line_release(&r->lines);
	return r->position == after;
}

/*
 * Is it this spool that the position is of? A reader's first note is synced,
 * and so is an event before a reader sees it: if one of them isn't there, this
 * is another spool, or an older copy of it.
 */
static int
settle(struct spool_reader *r, int64_t after, bool known, struct err *e)
{
	int64_t *firsts;
	int n = spool_segments(&firsts, r->dir, e), i = n - 1;

	r->position = after;
	if (n <= 0 || !after) /* the writer will begin after us */
		goto out;
	while (i > 0 && firsts[i] > after + 1)
		i--;
	if (known && (i < n - 1 || find(r, firsts[i], after)))
		goto out;
	close_segment(r);
	r->segment = 0;
	r->gap = true;
	r->gap_from = after + 1;
	r->gap_to = r->position = firsts[0] - 1;
out:
	free(firsts);
	return n < 0 ? -1 : 0;
}

/* Our file, if we have a name; *known if it had been there before. */
static int
open_note(struct spool_reader *r, const char *name, bool *known, struct err *e)
{
	char file[SPOOL_READER_MAX + 16], path[PATH_MAX];
	struct stat st;

	if (!spool_reader_name(name))
		return err_set(e, ERR_INPUT,
		    "a reader of the spool can't be called '%.40s'", name);
	snprintf(file, sizeof(file), "reader.%s", name);
	if (spool_file(path, r->dir, file, e) < 0 ||
	    lock_take(&r->own, path, LOCK_EXCLUSIVE, LOCK_WAIT_MS, e) < 0)
		return -1;
	r->note = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	if (r->note < 0) {
		r->note = 0;
		return err_sys(e, err_kind_of_errno(ERR_CONFIG), "%s", path);
	}
	spool_note_read(r->note, &r->told);
	/* A loss of power may have halved our note, but not the file. */
	*known = fstat(r->note, &st) == 0 && st.st_size;
	return 0;
}

static int
keep_note(struct spool_reader *r, bool known, struct err *e)
{
	if (spool_reader_passed(r, r->position, e) < 0)
		return -1;
	if (known)
		return 0;
	CRASH_POINT("spool.reader");
	if (fdatasync(r->note) < 0)
		return cannot_read(r, e);
	return spool_sync_folder(r->dir, e);
}

/* Watch the writer's note; if there is none yet, we make an empty one. */
static int
open_synced(struct spool_reader *r, struct err *e)
{
	char path[PATH_MAX];

	if (spool_file(path, r->dir, "synced", e) < 0)
		return -1;
	r->synced = open(path, O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
	    0600);
	if (r->synced < 0) {
		r->synced = 0;
		return err_sys(e, err_kind_of_errno(ERR_CONFIG), "%s", path);
	}
	r->wake = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (r->wake < 0) {
		r->wake = 0;
		return err_sys(e, ERR_AGAIN, "watching the spool");
	}
	if (inotify_add_watch(r->wake, path, IN_MODIFY | IN_ATTRIB) < 0)
		return err_sys(e, ERR_AGAIN, "watching %s", path);
	spool_note_read(r->synced, &r->seen);
	return 0;
}

static int
start(struct spool_reader *r, int shard, const char *name, int64_t after,
    struct err *e)
{
	bool known = true;

	if (spool_make_folder(r->dir, shard, e) < 0 ||
	    (name && open_note(r, name, &known, e) < 0) ||
	    open_synced(r, e) < 0 ||
	    settle(r, after == SPOOL_NOTED ? r->told.number : after, known, e) <
		0)
		return -1;
	return name ? keep_note(r, known, e) : 0;
}

int
spool_reader_open(struct spool_reader *r, int shard, const char *name,
    int64_t after, struct err *e)
{
	*r = (struct spool_reader){.lines = {.limit = LINE_CEILING_EVENT}};
	if (start(r, shard, name, after, e) == 0)
		return 0;
	spool_reader_close(r);
	return err_in(e, "spool of shard %d", shard);
}

void
spool_reader_close(struct spool_reader *r)
{
	close_segment(r);
	if (r->note)
		close(r->note);
	if (r->synced)
		close(r->synced);
	if (r->wake)
		close(r->wake);
	lock_drop(&r->own);
	*r = (struct spool_reader){0};
}
