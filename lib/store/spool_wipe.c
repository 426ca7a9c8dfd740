#define _GNU_SOURCE /* O_CLOEXEC */
#include "store/spool_wipe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/crash.h"
#include "core/err.h"
#include "core/line.h"
#include "record/event.h"
#include "store/spool_files.h"
#include "store/spool_state.h"
#include "store/tombstone.h"
#include "store/wipe.h"

enum { PIECE = 256 << 10, BLANKS = 4096 };

struct segment {
	const char *path;
	int fd;
	struct line lines;
	off_t read; /* bytes */
	bool changed;
	const struct graves *graves;
};

static int
fail(const struct segment *s, struct err *e)
{
	return err_sys(e, err_kind_of_errno(ERR_CONFIG), "%s", s->path);
}

static int
blank(struct segment *s, off_t at, size_t len, struct err *e)
{
	char blanks[BLANKS];
	ssize_t n;

	memset(blanks, ' ', sizeof(blanks));
	while (len) {
		n = pwrite(s->fd, blanks, len < BLANKS ? len : BLANKS, at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail(s, e);
		at += n;
		len -= (size_t)n;
	}
	return 0;
}

static bool
is_blank(const char *text, size_t len)
{
	while (len && text[len - 1] == ' ')
		len--;
	return len == 0;
}

/* A line that begins at a byte of the segment. */
static int
take_line(struct segment *s, const char *text, size_t len, off_t at,
    struct err *e)
{
	struct wipe_span spans[WIPE_SPANS];
	struct event x;
	struct err none;
	size_t count;

	if (event_read(&x, text, len, &none) < 0)
		return 0;
	count = wipe_find(spans, x.data, x.data_len, s->graves);
	for (size_t i = 0; i < count; i++) {
		if (is_blank(x.data + spans[i].at, spans[i].len))
			continue;
		s->changed = true;
		if (blank(s, at + (x.data - text) + (off_t)spans[i].at,
			spans[i].len, e) < 0)
			return -1;
	}
	return 0;
}

static int
take_lines(struct segment *s, struct err *e)
{
	const char *text;
	struct err none;
	size_t len;
	int row, rc = 0;

	while (rc == 0 && (row = line_next(&s->lines, &text, &len, &none)))
		if (row > 0)
			rc = take_line(s, text, len,
			    s->read -
				(off_t)(s->lines.bytes.len - s->lines.from) -
				(off_t)len - 1,
			    e);
	return rc;
}

static int
take_segment(struct segment *s, struct err *e)
{
	ssize_t n;

	while ((n = pread(s->fd, line_room(&s->lines, PIECE), PIECE,
		    s->read)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail(s, e);
		line_wrote(&s->lines, (size_t)n);
		s->read += n;
		if (take_lines(s, e) < 0)
			return -1;
	}
	if (!s->changed)
		return 0;
	CRASH_POINT("spool_wipe.sync");
	if (fdatasync(s->fd) < 0)
		return fail(s, e);
	CRASH_POINT("spool_wipe.sync.done");
	return 0;
}

static int
wipe_segment(const char *dir, int64_t first, const struct graves *g,
    struct err *e)
{
	char path[PATH_MAX];
	struct segment s = {.path = path,
	    .lines = {.limit = LINE_CEILING_EVENT},
	    .graves = g};
	int rc;

	if (spool_segment_file(path, dir, first, e) < 0)
		return -1;
	s.fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	if (s.fd < 0)
		return errno == ENOENT ? 0 : fail(&s, e);
	rc = take_segment(&s, e);
	line_release(&s.lines);
	close(s.fd);
	return rc;
}

static int
wipe_shard(int shard, const struct graves *g, struct err *e)
{
	int64_t *firsts = NULL;
	char dir[PATH_MAX];
	int n, rc = 0;

	if (spool_folder(dir, shard, e) < 0)
		return -1;
	n = spool_segments(&firsts, dir, e);
	for (int i = 0; i < n && rc == 0; i++)
		rc = wipe_segment(dir, firsts[i], g, e);
	free(firsts);
	return n < 0 ? -1 : rc;
}

int
spool_wipe(const struct graves *g, struct err *e)
{
	int *shards = NULL, n = spool_shards(&shards, e), rc = 0;

	for (int i = 0; i < n && rc == 0; i++)
		rc = wipe_shard(shards[i], g, e);
	free(shards);
	return n < 0 ? -1 : rc;
}
