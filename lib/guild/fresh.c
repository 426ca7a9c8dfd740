#include "guild/fresh.h"

#include <stdio.h>

#include "access/explain.h"
#include "core/err.h"
#include "ext/json.h"
#include "guild/live.h"

int
fresh_roles(struct explain *x, struct err *e)
{
	const char *guild = x->q.guild ? x->q.guild : x->q.location.guild;
	struct live live = {0};
	struct json *member = NULL;
	char path[128];
	int rc;

	if (!guild)
		return 0;
	snprintf(path, sizeof(path), "/guilds/%s/members/%s", guild,
	    x->q.actor);
	rc = live_get(&live, path, &member, e);
	if (rc == 0)
		rc = explain_roles_json(x, json_get(member, "roles"), e);
	json_free(member);
	live_close(&live);
	return rc;
}
