#define _GNU_SOURCE /* realpath */
#include "history/input.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/err.h"
#include "history/head.h"
#include "store/mark.h"

static int
mark_file(struct mark *mark, const char *canonical, const struct stat *st,
    int fd, struct err *e)
{
	mark->path = canonical;
	return head_mark(mark, fd, st, e);
}

int
input_open(struct mark *mark, char canonical[PATH_MAX], const char *path,
    struct err *e)
{
	struct stat st;
	int fd, result = 0;

	*mark = (struct mark){0};
	if (strcmp(path, "-") == 0)
		return STDIN_FILENO;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return err_sys(e, ERR_INPUT, "opening");
	if (fstat(fd, &st) < 0 ||
	    (S_ISREG(st.st_mode) && !realpath(path, canonical)))
		result = err_sys(e, ERR_INPUT, "opening");
	else if (S_ISDIR(st.st_mode))
		result = err_set(e, ERR_INPUT, "opening: it is a folder");
	else if (S_ISREG(st.st_mode))
		result = mark_file(mark, canonical, &st, fd, e);
	if (result < 0)
		close(fd);
	return result < 0 ? -1 : fd;
}
