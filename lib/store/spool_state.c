#define _GNU_SOURCE /* O_CLOEXEC */
#include "store/spool_state.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/home.h"
#include "core/lock.h"
#include "core/mem.h"
#include "ext/jsonw.h"

enum { SHARD_DIGITS = 6 };

static int
by_number(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The shard that a folder is of, or -1. */
static int
shard_of(const char *name)
{
	size_t n = strspn(name, "0123456789");

	return n && n <= SHARD_DIGITS && !name[n] ? (int)strtol(name, NULL, 10)
						  : -1;
}

int
spool_shards(int **shards, struct err *e)
{
	char path[PATH_MAX];
	struct dirent *entry;
	size_t n = 0;
	DIR *d;

	*shards = NULL;
	if (home_path(path, "spool", e) < 0)
		return -1;
	d = opendir(path);
	if (!d && errno == ENOENT)
		return 0;
	if (!d)
		return err_sys(e, err_kind_of_errno(ERR_CONFIG), "%s", path);
	while ((entry = readdir(d)) != NULL) {
		int shard = shard_of(entry->d_name);

		if (shard < 0)
			continue;
		*shards = mem_resize(*shards, n + 1, sizeof(**shards));
		(*shards)[n++] = shard;
	}
	closedir(d);
	if (n)
		qsort(*shards, n, sizeof(**shards), by_number);
	return (int)n;
}

static int
read_note(struct spool_state *s, const char *dir, struct err *e)
{
	struct spool_note n = {0};
	char path[PATH_MAX];
	int fd;

	if (spool_file(path, dir, "synced", e) < 0)
		return -1;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd >= 0) {
		spool_note_read(fd, &n);
		close(fd);
	}
	s->last = n.number;
	return 0;
}

static int
read_segments(struct spool_state *s, const char *dir, struct err *e)
{
	char path[PATH_MAX];
	struct stat st;
	int64_t *firsts;

	s->segments = spool_segments(&firsts, dir, e);
	if (s->segments > 0)
		s->first = firsts[0];
	for (int i = 0; i < s->segments; i++)
		if (spool_segment_file(path, dir, firsts[i], e) == 0 &&
		    stat(path, &st) == 0)
			s->bytes += st.st_size;
	free(firsts);
	return s->segments < 0 ? -1 : 0;
}

/* Does a gateway hold the lock? */
static int
read_gateway(struct spool_state *s, const char *dir, struct err *e)
{
	char path[PATH_MAX];
	struct lock l = {0};
	struct err why;

	if (spool_file(path, dir, "lock", e) < 0)
		return -1;
	s->writing = access(path, F_OK) == 0 &&
		     lock_take(&l, path, LOCK_SHARED, 0, &why) < 0 &&
		     why.kind == ERR_AGAIN;
	lock_drop(&l);
	return 0;
}

int
spool_state_read(struct spool_state *s, int shard, struct err *e)
{
	char dir[PATH_MAX];

	*s = (struct spool_state){.shard = shard};
	if (spool_folder(dir, shard, e) < 0 || read_note(s, dir, e) < 0 ||
	    read_segments(s, dir, e) < 0 || read_gateway(s, dir, e) < 0)
		return -1;
	s->readers = spool_readers(&s->reader, dir, e);
	return s->readers < 0 ? -1 : 0;
}

void
spool_state_release(struct spool_state *s)
{
	free(s->reader);
	*s = (struct spool_state){0};
}

void
spool_state_write(struct buf *b, const struct spool_state *s)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "spool");
	jsonw_int(b, "shard", s->shard);
	jsonw_bool(b, "writing", s->writing);
	jsonw_int(b, "first", s->first);
	jsonw_int(b, "last", s->last);
	jsonw_int(b, "segments", s->segments);
	jsonw_int(b, "bytes", s->bytes);
	jsonw_array(b, "readers");
	for (int i = 0; i < s->readers; i++) {
		jsonw_object(b, NULL);
		jsonw_str(b, "name", s->reader[i].name);
		jsonw_int(b, "passed", s->reader[i].passed);
		jsonw_end_object(b);
	}
	jsonw_end_array(b);
	jsonw_line(b);
}
