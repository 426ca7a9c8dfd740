/*
 * fuzz_spool - whatever bytes a disk gives back as the last segment, the spool
 * opens and a reader reads what the writer kept, or it says that a person must
 * look. The first byte is how many of its events were synced.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/err.h"
#include "core/file.h"
#include "store/spool.h"
#include "store/spool_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char home[] = "/dev/shm/sophia-fuzz.XXXXXX", dir[PATH_MAX];

static void
empty(void)
{
	char path[PATH_MAX];
	struct err e;
	int64_t *firsts;
	int n = spool_segments(&firsts, dir, &e);

	for (int i = 0; i < n; i++)
		if (spool_segment_file(path, dir, firsts[i], &e) == 0)
			unlink(path);
	free(firsts);
	if (spool_file(path, dir, "session.json", &e) == 0)
		unlink(path);
}

static void
end(void)
{
	static const char *const left[] = {"spool/0/synced", "spool/0/lock",
	    "spool/0", "spool"};
	char path[PATH_MAX];

	empty();
	for (int i = 0; i < 4; i++) {
		snprintf(path, sizeof(path), "%s/%s", home, left[i]);
		remove(path);
	}
	rmdir(home);
}

static void
start(void)
{
	struct err e;

	if (!mkdtemp(home) || setenv("SOPHIA_HOME", home, 1) < 0 ||
	    spool_folder(dir, 0, &e) < 0 || file_mkdirs(dir, &e) < 0)
		abort();
	atexit(end);
}

static void
put(const char *name, const void *bytes, size_t len)
{
	char path[PATH_MAX];
	struct err e;
	int fd;

	if (spool_file(path, dir, name, &e) < 0 ||
	    (fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600)) < 0 ||
	    write(fd, bytes, len) != (ssize_t)len)
		abort();
	close(fd);
}

static void
put_note(int64_t number)
{
	struct spool_note n = {number, 1, 0};
	char path[PATH_MAX];
	struct err e;
	int fd;

	if (spool_file(path, dir, "synced", &e) < 0 ||
	    (fd = open(path, O_RDWR | O_CREAT, 0600)) < 0 ||
	    spool_note_write(fd, &n, path, &e) < 0)
		abort();
	close(fd);
}

/* All that a reader is given, up to this number. */
static void
read_all(int64_t number)
{
	struct spool_reader r = {0};
	struct err e;
	int got;

	if (spool_reader_open(&r, 0, NULL, 0, &e) < 0)
		abort();
	while ((got = spool_reader_next(&r, &e)) > 0)
		;
	if (got < 0 || r.position != number)
		abort();
	spool_reader_close(&r);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct spool s = {0};
	struct err e = {0};
	int64_t number;

	if (!*dir)
		start();
	if (!size)
		return 0;
	empty();
	put("000000000001.ndjson", data + 1, size - 1);
	put_note(data[0] % 8);
	if (spool_open(&s, 0, &e) < 0)
		return e.kind == ERR_CONFIG ? 0 : (abort(), 0);
	number = s.number;
	spool_close(&s);
	read_all(number);
	if (spool_open(&s, 0, &e) < 0 || s.number != number || s.cut)
		abort();
	spool_close(&s);
	return 0;
}
