#include "core/crash.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef SOPHIA_CRASH
enum { PATH_BYTES = 4096, LINE_BYTES = 256 };

/* Add a line to a file; with O_EXCL in how, only if it isn't there. */
static bool
put(const char *path, int how, const char *name)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | how,
	    0600);
	char line[LINE_BYTES];
	int len = snprintf(line, sizeof(line), "%d %s\n", (int)getpid(), name);
	ssize_t put;

	if (fd < 0)
		return false;
	put = write(fd, line, (size_t)len);
	close(fd);
	return put == len;
}

/* Whether it is this one's turn that an item names: NAME, or NAME:N. */
static bool
is_time(const char *item, const char *name, long *passes)
{
	size_t len = strlen(name);
	long at = 1;

	if (strncmp(item, name, len) != 0)
		return false;
	if (item[len] == ':')
		at = strtol(item + len + 1, NULL, 10);
	else if (item[len] && item[len] != ',')
		return false;
	return ++*passes == at;
}

static void
kill_path(char path[PATH_BYTES], const char *log, int kills)
{
	if (kills)
		snprintf(path, PATH_BYTES, "%s.killed.%d", log, kills + 1);
	else
		snprintf(path, PATH_BYTES, "%s.killed", log);
}

/* The item whose turn it is, and which file says that it has happened. */
static const char *
next_kill(const char *list, const char *log, long *passes,
    char path[PATH_BYTES])
{
	static int kills; /* that this process knows of */

	for (kill_path(path, log, kills); access(path, F_OK) == 0;
	     kill_path(path, log, kills)) {
		kills++;
		*passes = 0;
	}
	for (int i = 0; list && i < kills; i++) {
		list = strchr(list, ',');
		list += list != NULL;
	}
	return list;
}

static void
perhaps_hold(const char *name, const char *log)
{
	const char *at = getenv("SOPHIA_CRASH_HOLD");
	char path[PATH_BYTES];
	static long passes;

	if (!at || !is_time(at, name, &passes))
		return;
	snprintf(path, sizeof(path), "%s.held", log);
	if (put(path, O_EXCL, name))
		raise(SIGSTOP);
}

static void
perhaps_kill(const char *name, const char *log)
{
	const char *list = getenv("SOPHIA_CRASH");
	char path[PATH_BYTES] = "";
	static long passes;

	if (list && log)
		list = next_kill(list, log, &passes, path);
	if (list && is_time(list, name, &passes) &&
	    (!log || put(path, O_EXCL, name)))
		raise(SIGKILL);
}

void
crash_pass(const char *name)
{
	const char *log = getenv("SOPHIA_CRASH_LOG");

	if (log)
		put(log, 0, name);
	perhaps_kill(name, log);
	if (log)
		perhaps_hold(name, log);
}
#endif
