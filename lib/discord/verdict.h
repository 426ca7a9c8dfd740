#ifndef DISCORD_VERDICT_H
#define DISCORD_VERDICT_H
/*
 * verdict - why Discord did not do what it was asked. Pure.
 *
 * The text names Discord's own code and, of a form that was refused, the
 * deepest place that is wrong: "50035 Invalid Form Body:
 * embeds[0].fields[2].value: Must be 1024 or fewer in length". See "Error
 * Messages" and "JSON" in Discord's documentation.
 *
 * Kinds    ERR_NONE it did; ERR_CONFIG the token is refused; ERR_AGAIN it is
 *          not well, or too busy; ERR_REFUSED no, and it would be no again.
 * Memory   It holds its own copy, cut to fit.
 */

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"

struct verdict {
	enum err_kind kind;
	int64_t code; /* Discord's; 0 where there is none */
	char text[400];
};

void verdict_read(struct verdict *v, int status, const char *body, size_t len);

#endif
