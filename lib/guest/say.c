#include "guest/say.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/frame.h"

/* Whatever the descriptor is, wait until all is written. */
static void
write_all(const char *at, size_t left)
{
	while (left) {
		ssize_t n = write(STDOUT_FILENO, at, left);

		if (n < 0 && errno == EAGAIN) {
			struct pollfd p = {STDOUT_FILENO, POLLOUT, 0};

			poll(&p, 1, -1);
		} else if (n < 0 && errno != EINTR) {
			_exit(74);
		} else if (n > 0) {
			at += n;
			left -= (size_t)n;
		}
	}
}

void
say(unsigned char kind, const struct buf *head, const void *bytes, size_t len)
{
	struct buf frame = {0};
	const size_t lead = head ? head->len : 0;

	frame_add_number(&frame, 1 + lead + len, 4);
	buf_char(&frame, (char)kind);
	if (head)
		buf_add(&frame, head->data, lead);
	buf_add(&frame, bytes, len);
	write_all(frame.data, frame.len);
	buf_release(&frame);
}
