#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/err.h"
#include "store/spool_inside.h"

/* Up to which number every reader is done; none, if there is no reader. */
static int
passed_by_all(const struct spool *s, int64_t *passed, struct err *e)
{
	struct spool_position *list;
	int n = spool_readers(&list, s->dir, e);

	*passed = n > 0 ? INT64_MAX : 0;
	for (int i = 0; i < n; i++)
		if (list[i].passed < *passed)
			*passed = list[i].passed;
	free(list);
	return n < 0 ? -1 : 0;
}

static int64_t
size_of(const struct spool *s, int64_t first)
{
	char path[PATH_MAX];
	struct err never;
	struct stat st;

	if (spool_segment_file(path, s->dir, first, &never) < 0 ||
	    stat(path, &st) < 0)
		return 0;
	return st.st_size;
}

static int
drop(const struct spool *s, int64_t first, struct err *e)
{
	char path[PATH_MAX];

	if (spool_segment_file(path, s->dir, first, e) < 0)
		return -1;
	if (unlink(path) < 0 && errno != ENOENT)
		return err_sys(e, err_kind_of_errno(ERR_CONFIG), "removing %s",
		    path);
	return 0;
}

int
spool_drop_old(struct spool *s, int64_t room, struct err *e)
{
	int64_t *firsts = NULL, passed, sum = room;
	int n, rc = -1;

	if (passed_by_all(s, &passed, e) < 0)
		return -1;
	n = spool_segments(&firsts, s->dir, e);
	for (int i = 0; i < n; i++)
		sum += size_of(s, firsts[i]);
	/* The last one is written to; one ends where the next begins. */
	for (int i = 0; i + 1 < n; i++) {
		if (passed < firsts[i + 1] - 1 &&
		    (!s->max_bytes || sum <= s->max_bytes))
			break;
		sum -= size_of(s, firsts[i]);
		if (drop(s, firsts[i], e) < 0)
			goto out;
	}
	rc = n < 0 ? -1 : 0;
out:
	free(firsts);
	return rc;
}

int
spool_trim(struct spool *s, struct err *e)
{
	int64_t passed;
	struct stat st;

	if (fstat(s->fd, &st) == 0 && !st.st_nlink)
		return err_set(e, ERR_IO, "the spool %s was taken away",
		    s->dir);
	if (passed_by_all(s, &passed, e) < 0)
		return -1;
	if (s->bytes && !s->broken && passed >= s->number &&
	    clock_now_ms() - s->first_at_ms > SPOOL_QUIET_MS)
		return spool_next_segment(s, e);
	return spool_drop_old(s, 0, e);
}
