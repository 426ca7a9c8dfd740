#include "access/operator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/err.h"
#include "core/id.h"

static const char gap[] = ", \t";

/* The next id in the list: its length, 0 at the end. */
static size_t
next(const char **at)
{
	*at += strspn(*at, gap);
	return strcspn(*at, gap);
}

static const char *
list(void)
{
	const char *text = getenv("SOPHIA_OPERATORS");

	return text ? text : "";
}

int
operator_check(struct err *e)
{
	const char *at = list();
	char id[32];
	uint64_t n;
	size_t len;

	for (; (len = next(&at)) > 0; at += len) {
		snprintf(id, sizeof(id), "%.*s", (int)(len > 30 ? 30 : len),
		    at);
		if (snowflake_read(&n, id) < 0)
			return err_set(e, ERR_CONFIG,
			    "SOPHIA_OPERATORS: each must be an id of "
			    "Discord's, with commas between them");
	}
	return 0;
}

bool
operator_is(const char *user)
{
	const char *at = list();
	size_t len;

	if (!user || !*user)
		return false;
	for (; (len = next(&at)) > 0; at += len)
		if (strlen(user) == len && strncmp(at, user, len) == 0)
			return true;
	return false;
}

bool
operator_next(const char **at, char id[OPERATOR_ID])
{
	size_t len;

	if (!*at)
		*at = list();
	len = next(at);
	snprintf(id, OPERATOR_ID, "%.*s",
	    (int)(len < OPERATOR_ID ? len : OPERATOR_ID - 1), *at);
	*at += len;
	return len > 0;
}
