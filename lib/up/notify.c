#define _GNU_SOURCE /* SOCK_CLOEXEC */
#include "up/notify.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/err.h"

/* A path, or after an '@' a name in the kernel's own name space. */
static int
connect_to(const char *path)
{
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	size_t len = strlen(path);
	int fd;

	if ((*path != '/' && *path != '@') || len >= sizeof(to.sun_path))
		return 0;
	memcpy(to.sun_path, path, len);
	if (*path == '@')
		to.sun_path[0] = '\0';
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return 0;
	len += offsetof(struct sockaddr_un, sun_path);
	if (connect(fd, (struct sockaddr *)&to, (socklen_t)len) == 0)
		return fd;
	close(fd);
	return 0;
}

/* Half of what the manager waits for, if it waits for us. */
static int64_t
watchdog_of(void)
{
	const char *usec = getenv("WATCHDOG_USEC"),
		   *pid = getenv("WATCHDOG_PID");
	int64_t n = usec ? strtoll(usec, NULL, 10) : 0;

	if (pid && strtol(pid, NULL, 10) != getpid())
		return 0;
	return n > 2000 ? n / 2000 : 0;
}

void
notify_open(struct notify *n)
{
	const char *path = getenv("NOTIFY_SOCKET");

	*n = (struct notify){0};
	if (path && *path)
		n->fd = connect_to(path);
	if (n->fd)
		n->watchdog_ms = watchdog_of();
	unsetenv("NOTIFY_SOCKET");
	unsetenv("WATCHDOG_USEC");
	unsetenv("WATCHDOG_PID");
}

void
notify_close(struct notify *n)
{
	if (n->fd)
		close(n->fd);
	*n = (struct notify){0};
}

void
notify_say(const struct notify *n, const char *text)
{
	ssize_t ignored;

	if (!n->fd)
		return;
	ignored = send(n->fd, text, strlen(text), MSG_NOSIGNAL);
	(void)ignored;
}
