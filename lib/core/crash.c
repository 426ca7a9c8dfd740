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

/* Whether this point is the one, at this pass. */
static bool
is_time(const char *name)
{
	static long passes;
	const char *wanted = getenv("SOPHIA_CRASH");
	size_t len = strlen(name);
	long at = 1;

	if (!wanted || strncmp(wanted, name, len) != 0)
		return false;
	if (wanted[len] == ':')
		at = strtol(wanted + len + 1, NULL, 10);
	else if (wanted[len])
		return false;
	return ++passes == at;
}

void
crash_pass(const char *name)
{
	const char *log = getenv("SOPHIA_CRASH_LOG");
	char killed[PATH_BYTES];

	if (log)
		put(log, 0, name);
	if (!is_time(name))
		return;
	snprintf(killed, sizeof(killed), "%s.killed", log ? log : "");
	if (!log || put(killed, O_EXCL, name))
		raise(SIGKILL);
}
#endif
