#define _GNU_SOURCE
#include "powerdisk.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "powerloss.h"

enum { ENTRIES_MAX = 100000, NAMES_MAX = 500 };

struct step {
	struct entry x;
	char *a, *b, *bytes;
	int file;       /* which of all files there ever were; -1 for none */
	size_t durable; /* from so many entries on, it is; SIZE_MAX for never */
};

struct name {
	char *path;
	int file; /* -1 for a folder */
};

struct disk {
	struct step *steps;
	size_t count;
	int files;
	struct name names[NAMES_MAX]; /* while one is built */
	int named;
};

static char *
take(FILE *in, size_t len)
{
	char *text = calloc(1, len + 1);

	if (!text || fread(text, 1, len, in) != len)
		abort();
	return text;
}

/* The number of the file that has this inode now. */
static int
file_of(struct disk *d, const struct entry *x)
{
	if (x->op == OP_CREATE)
		return d->files++;
	for (size_t i = d->count; i-- > 0;)
		if (d->steps[i].x.op == OP_CREATE &&
		    d->steps[i].x.file == x->file)
			return d->steps[i].file;
	return -1;
}

static bool
changes_names(const struct step *s)
{
	return s->x.op == OP_CREATE || s->x.op == OP_RENAME ||
	       s->x.op == OP_UNLINK || s->x.op == OP_MKDIR;
}

/* Is the path that of an entry of this folder? */
static bool
is_in(const char *path, const char *folder)
{
	const char *slash = strrchr(path, '/');
	size_t len = slash ? (size_t)(slash - path) : 0;

	return strlen(folder) == len && strncmp(path, folder, len) == 0;
}

static bool
syncs(const struct step *sync, const struct step *s)
{
	if (changes_names(s))
		return sync->x.op == OP_SYNC_FOLDER && is_in(s->a, sync->a);
	return sync->x.op == OP_SYNC && sync->file == s->file;
}

static void
find_durable(struct disk *d)
{
	for (size_t i = 0; i < d->count; i++) {
		d->steps[i].durable = SIZE_MAX;
		for (size_t j = i + 1; j < d->count; j++)
			if (syncs(&d->steps[j], &d->steps[i])) {
				d->steps[i].durable = j + 1;
				break;
			}
	}
}

struct disk *
disk_open(const char *log)
{
	struct disk *d = calloc(1, sizeof(*d));
	FILE *in = fopen(log, "r");
	struct entry x;

	if (!in || !d)
		abort();
	d->steps = calloc(ENTRIES_MAX, sizeof(*d->steps));
	while (d->count < ENTRIES_MAX && fread(&x, sizeof(x), 1, in) == 1) {
		struct step *s = &d->steps[d->count];

		s->x = x;
		s->a = take(in, x.a);
		s->b = take(in, x.b);
		s->bytes = take(in, x.op == OP_WRITE ? x.len : 0);
		s->file = x.op == OP_SYNC_FOLDER ? -1 : file_of(d, &x);
		d->count++;
	}
	fclose(in);
	find_durable(d);
	return d;
}

void
disk_close(struct disk *d)
{
	for (size_t i = 0; i < d->count; i++) {
		free(d->steps[i].a);
		free(d->steps[i].b);
		free(d->steps[i].bytes);
	}
	free(d->steps);
	free(d);
}

size_t
disk_count(const struct disk *d)
{
	return d->count;
}

static unsigned
mix(unsigned a, unsigned b)
{
	unsigned x = a * 2654435761u ^ (b + 0x9e3779b9u) * 2246822519u;

	x ^= x >> 15;
	x *= 3266489917u;
	return x ^ x >> 13;
}

static unsigned
hash_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	unsigned h = 1;

	for (; slash && path < slash; path++)
		h = h * 31 + (unsigned char)*path;
	return h;
}

/* Does a name change that is not durable yet come through? */
static bool
named_by_chance(const struct step *s, size_t i, size_t n, enum disk_chance how,
    unsigned seed)
{
	if (how != DISK_ANY)
		return how != DISK_NOTHING;
	/* Those of a folder up to some entry, and none after it. */
	return i < mix(seed, hash_folder(s->a)) % (n + 1);
}

static struct name *
find(struct disk *d, const char *path)
{
	for (int i = 0; i < d->named; i++)
		if (strcmp(d->names[i].path, path) == 0)
			return &d->names[i];
	return NULL;
}

static void
set_name(struct disk *d, char *path, int file)
{
	struct name *n = find(d, path);

	if (!n && d->named == NAMES_MAX)
		abort();
	n = n ? n : &d->names[d->named++];
	*n = (struct name){path, file};
}

static void
drop_name(struct disk *d, const char *path, int file)
{
	struct name *n = find(d, path);

	if (n && (file < 0 || n->file == file))
		*n = d->names[--d->named];
}

static void
change_names(struct disk *d, const struct step *s)
{
	switch (s->x.op) {
	case OP_CREATE: set_name(d, s->a, s->file); break;
	case OP_MKDIR: set_name(d, s->a, -1); break;
	case OP_UNLINK: drop_name(d, s->a, -1); break;
	case OP_RENAME:
		drop_name(d, s->a, s->file);
		set_name(d, s->b, s->file);
		break;
	default: break;
	}
}

/* Write what came through of a step to the file it was for. */
static void
change_bytes(const struct step *s, int fd, bool durable, enum disk_chance how,
    unsigned chance)
{
	size_t len = s->x.len;
	bool zeros = !durable && (how == DISK_ZEROS ||
				     (how == DISK_ANY && chance % 4 == 1));

	if (!durable &&
	    (how == DISK_NOTHING || (how == DISK_ANY && chance % 4 == 0)))
		return;
	if (s->x.op == OP_TRUNCATE) {
		if (ftruncate(fd, (off_t)s->x.at) < 0)
			abort();
		return;
	}
	if (!durable && how == DISK_ANY && chance % 4 == 2)
		len = len ? chance / 4 % len : 0;
	if (zeros) {
		struct stat st;

		if (fstat(fd, &st) < 0 ||
		    (st.st_size < (off_t)(s->x.at + len) &&
			ftruncate(fd, (off_t)(s->x.at + len)) < 0))
			abort();
	} else if (pwrite(fd, s->bytes, len, (off_t)s->x.at) != (ssize_t)len)
		abort();
}

static void
build_file(struct disk *d, const struct name *name, size_t n,
    enum disk_chance how, unsigned seed, const char *folder)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", folder, name->path);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd < 0)
		return; /* its folder didn't come through */
	for (size_t i = 0; i < n; i++) {
		const struct step *s = &d->steps[i];

		if (s->file == name->file &&
		    (s->x.op == OP_WRITE || s->x.op == OP_TRUNCATE))
			change_bytes(s, fd, s->durable <= n, how,
			    mix(seed, (unsigned)i));
	}
	close(fd);
}

static void
build_folder(const struct disk *d, const struct name *name, const char *folder)
{
	char path[PATH_MAX];

	(void)d;
	snprintf(path, sizeof(path), "%s/%s", folder, name->path);
	mkdir(path, 0700);
}

void
disk_build(struct disk *d, size_t n, enum disk_chance how, unsigned seed,
    const char *folder)
{
	d->named = 0;
	for (size_t i = 0; i < n; i++) {
		const struct step *s = &d->steps[i];

		if (changes_names(s) &&
		    (s->durable <= n || named_by_chance(s, i, n, how, seed)))
			change_names(d, s);
	}
	for (int i = 0; i < d->named; i++) /* in the order they were made */
		if (d->names[i].file < 0)
			build_folder(d, &d->names[i], folder);
	for (int i = 0; i < d->named; i++)
		if (d->names[i].file >= 0)
			build_file(d, &d->names[i], n, how, seed, folder);
}

const char *
disk_written(const struct disk *d, size_t n, const char *path, size_t *len)
{
	for (size_t i = n; i-- > 0;)
		if (d->steps[i].x.op == OP_WRITE &&
		    strcmp(d->steps[i].a, path) == 0) {
			*len = d->steps[i].x.len;
			return d->steps[i].bytes;
		}
	return NULL;
}
