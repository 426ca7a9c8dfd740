#ifndef CORE_PASSING_H
#define CORE_PASSING_H
/*
 * passing - descriptors from one program of ours to another one, over a socket
 * in the state folder.
 *
 * Messages arrive whole or not at all (SOCK_SEQPACKET). The socket is 0600 in a
 * folder that only its owner may enter, and who connects must run as the same
 * user. All descriptors are nonblocking (those of the socket) and close-on-exec.
 *
 * Ownership  What is sent stays the sender's to close; what is received is the
 *            receiver's. What nobody receives, the kernel closes.
 * Errors     ERR_CONFIG if there is nobody, or the folder won't do; ERR_AGAIN
 *            for what may work a moment later.
 */

#include <stddef.h>
#include <sys/types.h>

#include "core/err.h"

enum { PASSING_MOST = 4 }; /* descriptors in a message */

/*
 * Listen at name in folder. Whoever does so holds a lock of its own, so a
 * socket that is there already belongs to the dead, and is replaced.
 */
int passing_listen(const char *folder, const char *name, struct err *e);

/* The next that connects; -1 if there is none, or it is another user's. */
int passing_accept(int listener);

int passing_connect(const char *folder, const char *name, struct err *e);

/* One message with so many descriptors, PASSING_MOST at most. */
int passing_send(int fd, const void *data, size_t len, const int *fds,
    size_t count, struct err *e);

/*
 * One message: its length, and the descriptors (*count of them, at most
 * PASSING_MOST); 0 when the other side closed; -1 if there is none now, or it
 * is longer than size.
 */
ssize_t passing_receive(int fd, void *data, size_t size, int fds[PASSING_MOST],
    size_t *count);

#endif
