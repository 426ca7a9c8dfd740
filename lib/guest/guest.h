#ifndef GUEST_GUEST_H
#define GUEST_GUEST_H
/*
 * guest - the program a container starts: it takes files and code from the
 * host, runs the code, and gives back what the code printed, handed over and
 * changed. It is process 1 there, is linked statically, and knows nothing of
 * what the bytes mean.
 *
 * It speaks in frames (core/frame) on stdin and stdout. From the host, in this
 * order:
 *
 *	GUEST_FILE    size (8), then the path: a file, relative to the workspace
 *	GUEST_DATA    its next bytes, until there are that many
 *	GUEST_RUN     time limit in ms (4), bytes that may come back (8), most
 *	              files (4), language (1: p, j, s); then the code follows as
 *	GUEST_CODE    pieces, and
 *	GUEST_START   starts it
 *	GUEST_ANSWER  connection (2), then bytes for the code that asked there
 *
 * and to the host:
 *
 *	GUEST_READY   the version of this protocol (1); first of all
 *	GUEST_OUT, GUEST_ERR   what the code printed
 *	GUEST_ASK     connection (2), then bytes that code wrote there: an empty
 *	              one opens it
 *	GUEST_HANG    connection (2): the code closed it
 *	GUEST_EXIT    how it ended: 'e' and its exit code (1), 's' and the
 *	              signal (1), 't' and 0 for too long
 *	GUEST_KEPT    a path: a file that is as it was
 *	GUEST_FILE    size (8), what it is (1: f, l, d, x), path: a new or changed
 *	              file, or something that is none: a link, a folder that can't
 *	              be read, another thing; without data then
 *	GUEST_DATA    its bytes
 *	GUEST_OVER    files or bytes are more than allowed: the rest is left out
 *	GUEST_DONE    last of all
 *
 * Safety   Code runs as the same user, so the guest can't be traced and its
 *          descriptors can't be opened (it is not dumpable), everything that
 *          runs is killed before the files are looked at, and what the kernel
 *          would give it without need is refused (see fence).
 */

enum { GUEST_VERSION = 1 };

enum guest_kind {
	GUEST_FILE = 'F',
	GUEST_DATA = 'D',
	GUEST_RUN = 'R',
	GUEST_CODE = 'C',
	GUEST_START = 'S',
	GUEST_ANSWER = 'A',
	GUEST_HANG = 'H',
	GUEST_READY = 'V',
	GUEST_OUT = 'o',
	GUEST_ERR = 'e',
	GUEST_ASK = 'a',
	GUEST_EXIT = 'X',
	GUEST_KEPT = 'K',
	GUEST_OVER = 'O',
	GUEST_DONE = 'Z',
};

/* Where files lie, and where code connects to ask the host something. */
#define GUEST_WORKSPACE "/workspace"
#define GUEST_SOCKET "/tmp/.sophia/ask"

/* Serve one host until it is done. The exit code: 0, or that of the error. */
int guest_run(void);

#endif
