#define _GNU_SOURCE /* O_DIRECTORY */
#include "store/spool_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/err.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/home.h"
#include "core/mem.h"

enum {
	SUMMED = 63,  /* bytes of a note that its sum is over */
	ATTEMPTS = 8, /* to read a note that is just being written */
	DIGITS_MAX = 18,
};

static const char digits[] = "0123456789", ending[] = ".ndjson",
		  reader[] = "reader.";

int
spool_folder(char out[PATH_MAX], int shard, struct err *e)
{
	char name[32];

	snprintf(name, sizeof(name), "spool/%d", shard);
	return home_path(out, name, e);
}

int
spool_make_folder(char out[PATH_MAX], int shard, struct err *e)
{
	char above[PATH_MAX];

	if (spool_folder(out, shard, e) < 0 || file_mkdirs(out, e) < 0 ||
	    home_path(above, "spool", e) < 0 || spool_sync_folder(above, e) < 0)
		return -1;
	*strrchr(above, '/') = '\0';
	return spool_sync_folder(above, e);
}

int
spool_file(char out[PATH_MAX], const char *dir, const char *name, struct err *e)
{
	int n = snprintf(out, PATH_MAX, "%s/%s", dir, name);

	if (n > 0 && n < PATH_MAX)
		return 0;
	return err_set(e, ERR_CONFIG, "the path %.80s... is too long", dir);
}

int
spool_segment_file(char out[PATH_MAX], const char *dir, int64_t first,
    struct err *e)
{
	char name[32];

	snprintf(name, sizeof(name), "%012" PRId64 "%s", first, ending);
	return spool_file(out, dir, name, e);
}

/* The number that a segment's name begins with, or 0 for another file. */
static int64_t
first_of(const char *name)
{
	size_t n = strspn(name, digits);

	if (!n || n > DIGITS_MAX || strcmp(name + n, ending) != 0)
		return 0;
	return strtoll(name, NULL, 10);
}

static int
by_number(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static DIR *
open_folder(const char *dir, struct err *e)
{
	DIR *d = opendir(dir);

	if (!d)
		err_sys(e, err_kind_of_errno(ERR_CONFIG), "%s", dir);
	return d;
}

int
spool_segments(int64_t **firsts, const char *dir, struct err *e)
{
	DIR *d = open_folder(dir, e);
	struct dirent *entry;
	size_t n = 0;

	*firsts = NULL;
	if (!d)
		return -1;
	while ((entry = readdir(d)) != NULL) {
		int64_t first = first_of(entry->d_name);

		if (!first)
			continue;
		*firsts = mem_resize(*firsts, n + 1, sizeof(**firsts));
		(*firsts)[n++] = first;
	}
	closedir(d);
	if (n)
		qsort(*firsts, n, sizeof(**firsts), by_number);
	return (int)n;
}

bool
spool_reader_name(const char *name)
{
	size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz-0123456789");

	return n && n <= SPOOL_READER_MAX && !name[n];
}

static int
by_name(const void *a, const void *b)
{
	const struct spool_position *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* What a reader's file says; nothing if it can't be read. */
static int64_t
passed_of(int folder, const char *file)
{
	int fd = openat(folder, file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	struct spool_note n = {0};

	if (fd < 0)
		return 0;
	spool_note_read(fd, &n);
	close(fd);
	return n.number;
}

int
spool_readers(struct spool_position **list, const char *dir, struct err *e)
{
	DIR *d = open_folder(dir, e);
	struct dirent *entry;
	size_t n = 0;

	*list = NULL;
	if (!d)
		return -1;
	while ((entry = readdir(d)) != NULL) {
		const char *name = entry->d_name + strlen(reader);

		if (strncmp(entry->d_name, reader, strlen(reader)) != 0 ||
		    !spool_reader_name(name))
			continue;
		*list = mem_resize(*list, n + 1, sizeof(**list));
		snprintf((*list)[n].name, sizeof((*list)[n].name), "%s", name);
		(*list)[n++].passed = passed_of(dirfd(d), entry->d_name);
	}
	closedir(d);
	if (n)
		qsort(*list, n, sizeof(**list), by_name);
	return (int)n;
}

static bool
note_parse(const char text[SPOOL_NOTE + 1], struct spool_note *n)
{
	char sum[20];

	snprintf(sum, sizeof(sum), "%016" PRIx64 "\n",
	    hash_bytes(HASH_START, text, SUMMED));
	if (memcmp(text + SUMMED, sum, SPOOL_NOTE - SUMMED) != 0)
		return false;
	n->number = strtoll(text, NULL, 10);
	n->segment = strtoll(text + 21, NULL, 10);
	n->bytes = strtoll(text + 42, NULL, 10);
	return true;
}

bool
spool_note_read(int fd, struct spool_note *n)
{
	char text[SPOOL_NOTE + 1];

	*n = (struct spool_note){0};
	for (int i = 0; i < ATTEMPTS; i++) {
		ssize_t got = pread(fd, text, SPOOL_NOTE, 0);

		if (got == 0)
			return false;
		if (got != SPOOL_NOTE)
			continue;
		text[SPOOL_NOTE] = '\0';
		if (note_parse(text, n))
			return true;
	}
	return false;
}

int
spool_note_write(int fd, const struct spool_note *n, const char *path,
    struct err *e)
{
	char text[SPOOL_NOTE + 1];
	ssize_t wrote;

	snprintf(text, sizeof(text),
	    "%020" PRId64 " %020" PRId64 " %020" PRId64 " ", n->number,
	    n->segment, n->bytes);
	snprintf(text + SUMMED, sizeof(text) - SUMMED, "%016" PRIx64 "\n",
	    hash_bytes(HASH_START, text, SUMMED));
	do
		wrote = pwrite(fd, text, SPOOL_NOTE, 0);
	while (wrote < 0 && errno == EINTR);
	if (wrote == SPOOL_NOTE)
		return 0;
	if (wrote >= 0)
		errno = ENOSPC;
	return err_sys(e, err_kind_of_errno(ERR_CONFIG), "writing %s", path);
}

int
spool_sync_folder(const char *dir, struct err *e)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int rc = fd < 0 ? -1 : fsync(fd);

	if (rc < 0)
		err_sys(e, err_kind_of_errno(ERR_CONFIG), "syncing %s", dir);
	if (fd >= 0)
		close(fd);
	return rc;
}
