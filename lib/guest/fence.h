#ifndef GUEST_FENCE_H
#define GUEST_FENCE_H
/*
 * fence - what no code needs from the kernel, and what the container engine's
 * own filter lets through in some versions: from here on it is refused, to this
 * process and to all that it starts.
 *
 * Sockets  of the kinds unix, IPv4, IPv6 and netlink there are, and no others.
 *          A network namespace doesn't hold all of them: a machine's hypervisor
 *          (vsock) hears whoever has a socket for it.
 * Spaces   No namespace is made or joined, so that nobody is root in one, where
 *          more of the kernel answers; and there are no keyrings.
 * Calls    io_uring, whose operations pass every filter; and all calls by the
 *          numbers of another architecture, 32-bit ones for instance, so that
 *          none goes by under another number.
 */

struct err;

/* For good. ERR_CONFIG if the kernel can't. */
int fence_raise(struct err *e);

#endif
