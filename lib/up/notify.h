#ifndef UP_NOTIFY_H
#define UP_NOTIFY_H
/*
 * notify - tell a service manager how we are: sd_notify(3)'s datagrams to the
 * socket that $NOTIFY_SOCKET names, and its watchdog.
 *
 * Without a service manager nothing happens. What can't be told is not told:
 * no program should fail because nobody listens.
 */

#include <stdint.h>

struct notify {
	int fd;              /* 0 if nobody listens */
	int64_t watchdog_ms; /* tell that we live as often; 0 for never */
};

/*
 * Connect, and take the variables out of the environment, so that no child of
 * ours speaks for us.
 */
void notify_open(struct notify *n);
void notify_close(struct notify *n); /* harmless on {0}, or twice */

/* "READY=1", "STOPPING=1", "WATCHDOG=1", "STATUS=..."; lines. */
void notify_say(const struct notify *n, const char *text);

#endif
