#define _GNU_SOURCE /* scratch.h */
/* Descriptors from one program to another, over a socket in a folder. */
#include "core/passing.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scratch.h"
#include "tap.h"

static const char *folder;

static int
descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = 0;

	while (dir && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return n;
}

static void
passes(void)
{
	struct err e = {0};
	char text[16] = "", path[PATH_MAX];
	const int before = descriptors();
	int listener = passing_listen(folder, "door", &e), far, near,
	    pipe_fd[2], got[PASSING_MOST];
	struct stat st;
	size_t count = 0;

	snprintf(path, sizeof(path), "%s/door", folder);
	ok(stat(path, &st) == 0 && (st.st_mode & 0777) == 0600,
	    "the socket is its owner's alone");
	ok(passing_accept(listener) < 0, "nobody has come yet");
	near = passing_connect(folder, "door", &e);
	far = passing_accept(listener);
	ok(near > 0 && far > 0, "who connects is let in");
	ok(passing_receive(near, text, sizeof(text), got, &count) < 0,
	    "nothing was said yet");
	if (pipe(pipe_fd) < 0)
		abort();
	ok(passing_send(far, "pipes", 6, pipe_fd, 2, &e) == 0, "they are sent");
	close(pipe_fd[0]);
	close(pipe_fd[1]);
	ok(passing_receive(near, text, sizeof(text), got, &count) == 6 &&
		count == 2,
	    "and received");
	same(text, "pipes", "with the words beside them");
	ok(fcntl(got[0], F_GETFD) & FD_CLOEXEC, "close-on-exec");
	ok(write(got[1], "through", 7) == 7 && read(got[0], text, 16) == 7,
	    "it is the same pipe");
	close(got[0]);
	close(got[1]);
	close(far);
	ok(passing_receive(near, text, sizeof(text), got, &count) == 0,
	    "the other one's end is told");
	ok(passing_send(near, "x", 1, NULL, 0, &e) < 0,
	    "and nothing can be sent then, which kills nobody");
	close(near);
	close(listener);
	ok(descriptors() == before, "no descriptor is left");
}

static void
refuses(void)
{
	struct err e = {0};
	char text[4];
	const int before = descriptors();
	int listener = passing_listen(folder, "door", &e), far, near,
	    got[PASSING_MOST], many[] = {0, 1, 2};
	size_t count = 7;

	near = passing_connect(folder, "door", &e);
	far = passing_accept(listener);
	passing_send(far, "longer than that", 17, many, 3, &e);
	ok(passing_receive(near, text, sizeof(text), got, &count) < 0 &&
		count == 0,
	    "a message that is too long is none");
	close(near);
	close(far);
	close(listener);
	ok(descriptors() == before, "and what came with it is closed");
	ok(passing_connect(folder, "door", &e) < 0 && e.kind == ERR_CONFIG,
	    "nobody listens any more");
	ok(passing_connect(folder, "none", &e) < 0 && e.kind == ERR_CONFIG,
	    "nobody ever did");
	listener = passing_listen(folder, "door", &e);
	ok(listener > 0, "a dead one's socket is replaced");
	close(listener);
}

/* Longer than a socket's address may be. */
static void
far_away(void)
{
	struct err e = {0};
	char path[PATH_MAX];
	int len = snprintf(path, sizeof(path), "%s", folder), listener, near;

	for (int i = 0; i < 10; i++) {
		len += snprintf(path + len, sizeof(path) - (size_t)len,
		    "/a-folder-with-a-long-name");
		if (mkdir(path, 0700) < 0)
			abort();
	}
	listener = passing_listen(path, "door", &e);
	near = passing_connect(path, "door", &e);
	ok(listener > 0 && near > 0, "a long path does, too");
	close(near);
	close(listener);
}

int
main(void)
{
	scratch_open();
	folder = scratch;
	passes();
	refuses();
	far_away();
	scratch_close();
	return tap_done();
}
