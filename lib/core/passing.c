#define _GNU_SOURCE /* struct ucred, accept4 */
#include "core/passing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { WAITING = 8 }; /* that connected, and aren't accepted yet */

/* A message's descriptors. */
union ancillary {
	struct cmsghdr head; /* aligns it, and is the first one */
	char bytes[CMSG_SPACE(sizeof(int) * PASSING_MOST)];
};

/*
 * A socket and its address. The path of a state folder may be longer than an
 * address holds, so the address goes by way of the open folder.
 */
static int
prepare(struct sockaddr_un *at, int *dir, const char *folder, const char *name,
    struct err *e)
{
	int fd;

	*at = (struct sockaddr_un){.sun_family = AF_UNIX};
	*dir = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (*dir < 0)
		return err_sys(e, ERR_CONFIG, "%s", folder);
	snprintf(at->sun_path, sizeof(at->sun_path), "/proc/self/fd/%d/%.60s",
	    *dir, name);
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0) {
		err_sys(e, ERR_AGAIN, "a socket");
		close(*dir);
	}
	return fd;
}

int
passing_listen(const char *folder, const char *name, struct err *e)
{
	struct sockaddr_un at;
	mode_t before;
	int dir, fd = prepare(&at, &dir, folder, name, e), bound;

	if (fd < 0)
		return -1;
	unlinkat(dir, name, 0);
	before = umask(0177);
	bound = bind(fd, (struct sockaddr *)&at, sizeof(at));
	umask(before);
	if (bound < 0 || listen(fd, WAITING) < 0) {
		err_sys(e, ERR_CONFIG, "%s/%s", folder, name);
		close(fd);
		fd = -1;
	}
	close(dir);
	return fd;
}

int
passing_accept(int listener)
{
	struct ucred who = {0};
	socklen_t len = sizeof(who);
	int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0)
		return -1;
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &len) == 0 &&
	    who.uid == geteuid())
		return fd;
	close(fd);
	return -1;
}

int
passing_connect(const char *folder, const char *name, struct err *e)
{
	struct sockaddr_un at;
	int dir, fd = prepare(&at, &dir, folder, name, e);

	if (fd < 0)
		return -1;
	if (connect(fd, (struct sockaddr *)&at, sizeof(at)) < 0) {
		err_sys(e, errno == EAGAIN ? ERR_AGAIN : ERR_CONFIG, "%s/%s",
		    folder, name);
		close(fd);
		fd = -1;
	}
	close(dir);
	return fd;
}

int
passing_send(int fd, const void *data, size_t len, const int *fds, size_t count,
    struct err *e)
{
	union ancillary more = {0};
	const union {
		const void *in;
		void *out; /* as sendmsg(2) has it; it only reads */
	} bytes = {.in = data};
	struct iovec text = {.iov_base = bytes.out, .iov_len = len};
	struct msghdr m = {.msg_iov = &text, .msg_iovlen = 1};

	if (count) {
		m.msg_control = more.bytes;
		m.msg_controllen = CMSG_SPACE(sizeof(int) * count);
		more.head.cmsg_level = SOL_SOCKET;
		more.head.cmsg_type = SCM_RIGHTS;
		more.head.cmsg_len = CMSG_LEN(sizeof(int) * count);
		memcpy(CMSG_DATA(&more.head), fds, sizeof(int) * count);
	}
	if (sendmsg(fd, &m, MSG_NOSIGNAL) >= 0)
		return 0;
	return err_sys(e, ERR_AGAIN, "a message with descriptors");
}

static size_t
unpack(struct msghdr *m, int fds[PASSING_MOST])
{
	struct cmsghdr *head = CMSG_FIRSTHDR(m);
	size_t len;

	if (!head || head->cmsg_level != SOL_SOCKET ||
	    head->cmsg_type != SCM_RIGHTS)
		return 0;
	len = head->cmsg_len - CMSG_LEN(0);
	memcpy(fds, CMSG_DATA(head), len);
	return len / sizeof(int);
}

ssize_t
passing_receive(int fd, void *data, size_t size, int fds[PASSING_MOST],
    size_t *count)
{
	union ancillary more = {0};
	struct iovec text = {.iov_base = data, .iov_len = size};
	struct msghdr m = {.msg_iov = &text,
	    .msg_iovlen = 1,
	    .msg_control = more.bytes,
	    .msg_controllen = sizeof(more.bytes)};
	ssize_t n;

	do
		n = recvmsg(fd, &m, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	*count = n < 0 ? 0 : unpack(&m, fds);
	if (n < 0 || !(m.msg_flags & (MSG_TRUNC | MSG_CTRUNC)))
		return n;
	while (*count)
		close(fds[--*count]);
	return -1;
}
