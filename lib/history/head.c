#include "history/head.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/err.h"
#include "core/hash.h"
#include "history/archive.h"
#include "history/split.h"
#include "store/mark.h"

enum { READ_BYTES = 256 << 10, PRINT_BYTES = 64 << 10 };

/* 1 if the head was among what was read, 0 if not yet, -1. */
static int
look(struct archive *a, struct split *s, struct err *e)
{
	struct split_item item;
	struct err why = {0};
	int got;

	while ((got = split_next(s, &item, e)) > 0)
		if (item.kind == SPLIT_HEAD &&
		    archive_head(a, item.text, item.len, &why) == 0)
			return 1;
	return got;
}

int
head_find(struct archive *a, int fd, struct err *e)
{
	struct split s = {0};
	off_t at = 0;
	ssize_t n;
	int got = 0;

	if (lseek(fd, 0, SEEK_CUR) < 0)
		return err_set(e, ERR_INPUT,
		    "the export's channel comes after its messages: "
		    "give the file itself, not a pipe");
	while (!got && (n = pread(fd, split_room(&s, READ_BYTES), READ_BYTES,
			    at)) > 0) {
		split_wrote(&s, (size_t)n);
		at += n;
		got = look(a, &s, e);
	}
	split_release(&s);
	if (got == 0)
		return err_set(e, ERR_INPUT,
		    "not a chat export: it names no channel");
	return got < 0 ? -1 : 0;
}

/* A fingerprint of the first 64 KiB, in hex. */
static int
print(char out[20], int fd, struct err *e)
{
	unsigned char bytes[4096];
	uint64_t hash = HASH_START;
	off_t at = 0;
	ssize_t n = 1;

	while (at < PRINT_BYTES && n > 0) {
		n = pread(fd, bytes, sizeof(bytes), at);
		if (n < 0)
			return err_sys(e, ERR_IO, "reading");
		at += n;
		hash = hash_bytes(hash, bytes, (size_t)n);
	}
	snprintf(out, 20, "%016" PRIx64, hash);
	return 0;
}

int
head_mark(struct mark *m, int fd, const struct stat *st, struct err *e)
{
	m->size = st->st_size;
	m->mtime_ms = (int64_t)st->st_mtim.tv_sec * 1000 +
		      st->st_mtim.tv_nsec / 1000000;
	return print(m->head, fd, e);
}
