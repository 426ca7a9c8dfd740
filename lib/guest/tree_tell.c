#include "guest/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/frame.h"
#include "guest/guest.h"
#include "guest/say.h"

enum { DEPTH_MOST = 32, PATH_MOST = 4096, ENTRIES_MOST = 100000 };

struct telling {
	struct tree *tree;
	uint64_t bytes, files; /* that may still be told */
	size_t entries;        /* seen so far */
	bool over;
	struct buf path;
};

/* That there is something which can't be a file of a task. */
static void
tell_other(struct telling *x, char what)
{
	struct buf head = {0};

	frame_add_number(&head, 0, 8);
	buf_char(&head, what);
	say(GUEST_FILE, &head, x->path.data, x->path.len);
	buf_release(&head);
}

static bool
is_kept(const struct telling *x, const struct stat *st)
{
	size_t low = 0, high = x->tree->count;

	while (low < high) {
		const size_t mid = (low + high) / 2;
		const struct tree_file *f = &x->tree->files[mid];
		const int order = strcmp(buf_text(&x->path), f->path);

		if (order == 0)
			return f->inode == st->st_ino &&
			       f->changed.tv_sec == st->st_ctim.tv_sec &&
			       f->changed.tv_nsec == st->st_ctim.tv_nsec;
		if (order < 0)
			high = mid;
		else
			low = mid + 1;
	}
	return false;
}

/* Exactly so many bytes of it, as was said. */
static int
send_bytes(int fd, uint64_t left, struct err *e)
{
	char piece[FRAME_MOST];

	while (left) {
		size_t want = left < sizeof(piece) ? left : sizeof(piece);
		ssize_t n = read(fd, piece, want);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return err_sys(e, ERR_IO, "reading a file back");
		say(GUEST_DATA, NULL, piece, (size_t)n);
		left -= (uint64_t)n;
	}
	return 0;
}

static int
tell_file(struct telling *x, int folder, const char *name,
    const struct stat *st, struct err *e)
{
	struct buf head = {0};
	int fd, result;

	if (is_kept(x, st)) {
		say(GUEST_KEPT, NULL, x->path.data, x->path.len);
		return 0;
	}
	if (!x->files || (uint64_t)st->st_size > x->bytes) {
		x->over = true;
		return 0;
	}
	fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0) { /* its owner may have forbidden it to itself */
		tell_other(x, 'd');
		return 0;
	}
	x->files--;
	x->bytes -= (uint64_t)st->st_size;
	frame_add_number(&head, (uint64_t)st->st_size, 8);
	buf_char(&head, 'f');
	say(GUEST_FILE, &head, x->path.data, x->path.len);
	buf_release(&head);
	result = send_bytes(fd, (uint64_t)st->st_size, e);
	close(fd);
	return result;
}

static int tell_folder(struct telling *x, int fd, int depth, struct err *e);

static int /* NOLINTNEXTLINE(misc-no-recursion): DEPTH_MOST */
tell_entry(struct telling *x, int folder, const char *name, int depth,
    struct err *e)
{
	struct stat st;
	int fd;

	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return err_sys(e, ERR_IO, "looking at a file");
	if (S_ISREG(st.st_mode) && st.st_nlink == 1)
		return tell_file(x, folder, name, &st, e);
	if (!S_ISDIR(st.st_mode)) {
		tell_other(x,
		    S_ISLNK(st.st_mode) || S_ISREG(st.st_mode) ? 'l' : 'x');
		return 0;
	}
	fd = depth < DEPTH_MOST && x->path.len < PATH_MOST
		 ? openat(folder, name,
		       O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
		 : -1;
	if (fd < 0) {
		tell_other(x, 'd');
		return 0;
	}
	return tell_folder(x, fd, depth + 1, e);
}

/* All below a folder, whose descriptor is closed. */
static int /* NOLINTNEXTLINE(misc-no-recursion): DEPTH_MOST */
tell_folder(struct telling *x, int fd, int depth, struct err *e)
{
	const size_t len = x->path.len;
	struct dirent *d;
	DIR *dir = fdopendir(fd);
	int result = 0;

	if (!dir) {
		close(fd);
		return err_sys(e, ERR_IO, "reading a folder");
	}
	while (result == 0 && !x->over && (d = readdir(dir))) {
		if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0)
			continue;
		if (++x->entries > ENTRIES_MOST)
			x->over = true;
		if (len)
			buf_char(&x->path, '/');
		buf_str(&x->path, d->d_name);
		result = tell_entry(x, fd, d->d_name, depth, e);
		x->path.len = len;
		if (x->path.data)
			x->path.data[len] = '\0';
	}
	closedir(dir);
	return result;
}

int
tree_tell(struct tree *t, uint64_t bytes, uint64_t files, struct err *e)
{
	struct telling x = {.tree = t, .bytes = bytes, .files = files};
	int fd = openat(t->root, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int result;

	if (fd < 0)
		return err_sys(e, ERR_IO, "reading the workspace");
	result = tell_folder(&x, fd, 0, e);
	if (result == 0 && x.over)
		say(GUEST_OVER, NULL, NULL, 0);
	buf_release(&x.path);
	return result;
}
