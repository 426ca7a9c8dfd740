#define _GNU_SOURCE /* explicit_bzero */
#include "core/secret.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/file.h"

extern char **environ;

enum { FILE_MAX = 64 << 10 };

static bool
ends_in(const char *variable, const char *tail)
{
	size_t len = strcspn(variable, "="), n = strlen(tail);

	return len >= n && memcmp(variable + len - n, tail, n) == 0;
}

bool
secret_named(const char *variable)
{
	static const char *const tails[] = {"KEY", "TOKEN", "SECRET",
	    "PASSWORD", "PASSWD", "CREDENTIALS", "SOPHIA_SECRETS"};

	for (size_t i = 0; i < sizeof(tails) / sizeof(tails[0]); i++)
		if (ends_in(variable, tails[i]))
			return true;
	return false;
}

/*
 * The leak checker of a test build is stopped by it, where root does not run
 * the tests: there, only who asks for a secret is not dumpable.
 */
void
secret_hide(void)
{
#ifndef __SANITIZE_ADDRESS__
	for (char **variable = environ; variable && *variable; variable++)
		if (secret_named(*variable))
			prctl(PR_SET_DUMPABLE, 0);
#endif
}

static int
refuse(const char *path, const char *why, struct err *e)
{
	return err_set(e, ERR_CONFIG, "%s: %s", path, why);
}

/* All its room is taken first: a buffer that grows leaves copies behind. */
static int
read_all(struct buf *b, int fd, const char *path, struct err *e)
{
	int result;

	buf_room(b, b->limit);
	result = file_read_fd(b, fd, path, ERR_CONFIG, e);
	return result > 0 ? refuse(path, "is too big for a file of secrets", e)
			  : result;
}

/* Is it one of the credentials that systemd hands to us alone? */
static bool
is_credential(const char *path)
{
	const char *dir = getenv("CREDENTIALS_DIRECTORY");
	size_t len = dir ? strlen(dir) : 0;

	return len && *dir == '/' && strncmp(path, dir, len) == 0 &&
	       path[len] == '/' && !strstr(path + len, "/../");
}

/* Read the file, once it is known that nobody else could have. */
static int
read_file(struct buf *b, const char *path, struct err *e)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	int result = -1;

	if (fd < 0)
		return err_sys(e, ERR_CONFIG, "SOPHIA_SECRETS: %s", path);
	if (fstat(fd, &st) < 0)
		err_sys(e, ERR_CONFIG, "%s", path);
	else if (!S_ISREG(st.st_mode))
		refuse(path, "is no regular file", e);
	else if (st.st_uid != geteuid() && st.st_uid != 0)
		refuse(path, "belongs to somebody else", e);
	else if (st.st_mode & (is_credential(path) ? 037 : 077))
		refuse(path, "is open to others: chmod 600 it", e);
	else
		result = read_all(b, fd, path, e);
	close(fd);
	return result;
}

static bool
blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Cut the space off both ends of the len bytes at *text. */
static size_t
trim(const char **text, size_t len)
{
	while (len && blank(**text)) {
		(*text)++;
		len--;
	}
	while (len && blank((*text)[len - 1]))
		len--;
	return len;
}

/* The value of name in the line: 1, 0 if it is another's, -1 if it is bad. */
static int
read_line(struct buf *out, const char *line, size_t len, const char *name)
{
	const char *equals, *value;
	size_t name_len;

	len = trim(&line, len);
	if (!len || *line == '#')
		return 0;
	equals = memchr(line, '=', len);
	if (!equals)
		return -1;
	value = equals + 1;
	len -= (size_t)(value - line);
	name_len = trim(&line, (size_t)(equals - line));
	len = trim(&value, len);
	if (name_len != strlen(name) || memcmp(line, name, name_len) != 0)
		return 0;
	buf_add(out, value, len);
	return len ? 1 : 0;
}

static int
find(struct buf *out, const struct buf *file, const char *path,
    const char *name, struct err *e)
{
	const char *line = buf_text(file), *end = line + file->len;

	for (int number = 1; line < end; number++) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));
		int found;

		if (!stop)
			stop = end;
		found = read_line(out, line, (size_t)(stop - line), name);
		if (found > 0)
			return 1;
		if (found < 0)
			return err_set(e, ERR_CONFIG,
			    "%s: line %d is not NAME=VALUE", path, number);
		line = stop + (stop < end);
	}
	return 0;
}

static void
wipe(struct buf *b)
{
	if (b->data)
		explicit_bzero(b->data, b->room);
	buf_release(b);
}

static int
from_file(struct buf *out, const char *path, const char *name, struct err *e)
{
	struct buf file = {.limit = FILE_MAX};
	int result = read_file(&file, path, e);

	if (result == 0)
		result = find(out, &file, path, name, e);
	wipe(&file);
	return result;
}

int
secret_get(struct buf *out, const char *name, struct err *e)
{
	const char *set = getenv(name), *path = getenv("SOPHIA_SECRETS");
	int result = 0;

	if (prctl(PR_SET_DUMPABLE, 0) < 0)
		return err_sys(e, ERR_INTERNAL, "prctl");
	if (set && *set) {
		buf_str(out, set);
		return 1;
	}
	if (path && *path)
		result = from_file(out, path, name, e);
	return result;
}

int
secret_is_set(const char *name, struct err *e)
{
	struct buf value = {0};
	int result = secret_get(&value, name, e);

	wipe(&value);
	return result;
}
