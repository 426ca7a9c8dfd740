#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/file.h"
#include "tap.h"

/* Memory that was used before is not taken for what the file holds. */
static void
empty_file(const char *path)
{
	static const char used[1 << 16] = "what was here before";
	struct buf before = {0}, b = {0};
	struct err e = {0};

	buf_add(&before, used, sizeof(used));
	buf_release(&before);
	ok(file_replace(path, "", 0, &e) == 0 && file_read(&b, path, &e) == 0,
	    "an empty file is read");
	same(buf_text(&b), "", "and is empty");
	buf_release(&b);
}

/* A pipe is read to its end, or to where the limit is. */
static void
descriptor(const char *bytes, int want, const char *text)
{
	struct buf b = {.limit = 8};
	struct err e = {0};
	int fd[2];

	if (pipe(fd) < 0)
		exit(1);
	ok(write(fd[1], bytes, strlen(bytes)) == (ssize_t)strlen(bytes),
	    "a pipe is filled");
	close(fd[1]);
	ok(file_read_fd(&b, fd[0], "it", ERR_INPUT, &e) == want,
	    "it says whether there was more");
	same(buf_text(&b), text, "and what was read is there");
	close(fd[0]);
	buf_clear(&b);
	ok(file_read_fd(&b, fd[0], "it", ERR_INPUT, &e) == -1 &&
		e.kind == ERR_INPUT,
	    "a closed one is an error");
	buf_release(&b);
}

int
main(void)
{
	char dir[] = "/tmp/sophia-file-XXXXXX", path[64], deep[80];
	struct buf b = {.limit = 8};
	struct err e = {0};
	struct stat st;

	if (!mkdtemp(dir))
		return 1;
	snprintf(path, sizeof(path), "%s/f", dir);
	ok(file_replace(path, "12345678", 8, &e) == 0, "a file is written");
	ok(stat(path, &st) == 0 && (st.st_mode & 0777) == 0600,
	    "for its owner alone");
	ok(file_read(&b, path, &e) == 0, "as long as the limit, it is read");
	same(buf_text(&b), "12345678", "whole");
	ok(file_replace(path, "123456789", 9, &e) == 0, "and written again");
	buf_clear(&b);
	ok(file_read(&b, path, &e) < 0 && e.kind == ERR_CONFIG,
	    "a byte longer, it is refused");
	ok(strstr(e.text, "larger than 8 bytes") != NULL, "and says why");
	empty_file(path);
	descriptor("12345678", 0, "12345678");
	descriptor("123456789", 1, "12345678");
	unlink(path);
	ok(file_read(&b, path, &e) < 0, "a missing one is refused");
	ok(mkfifo(path, 0600) == 0 && file_read(&b, path, &e) < 0 &&
		e.kind == ERR_CONFIG,
	    "a pipe is refused, and not waited for");
	unlink(path);
	snprintf(deep, sizeof(deep), "%s/a/b", dir);
	ok(file_mkdirs(deep, &e) == 0 && file_mkdirs(deep, &e) == 0,
	    "folders are made, once");
	ok(file_replace("/nowhere/f", "x", 1, &e) < 0, "no folder, no file");
	rmdir(deep);
	snprintf(deep, sizeof(deep), "%s/a", dir);
	rmdir(deep);
	rmdir(dir);
	buf_release(&b);
	return tap_done();
}
