#ifndef GATEWAY_PULSE_H
#define GATEWAY_PULSE_H
/*
 * pulse - run/gateway.json of the state folder (run/gateway.N.json of shard N):
 * how a gateway is, for others to see, and for the one after it.
 */

#include <stdbool.h>
#include <stdint.h>

struct err;
struct gateway_status;

struct pulse {
	int64_t at_ms; /* when it was last alive */
	int failed;    /* attempts to resume */
	int64_t guilds;
};

int pulse_write(const struct gateway_status *x, struct err *e);
bool pulse_read(struct pulse *p, int shard); /* false if there is none */

#endif
