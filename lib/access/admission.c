#include "access/admission.h"

#include <string.h>

#include "access/decide.h"
#include "access/standing.h"
#include "core/clock.h"
#include "core/err.h"
#include "ext/json.h"
#include "record/community.h"
#include "store/settings.h"

/* Those of the list that are texts; more than a member can have are none. */
static void
take_roles(struct access_roles *r, const char *ids[ROLES_MOST],
    const struct json *list)
{
	size_t n = 0;

	if (json_kind(list) != JSON_ARRAY || json_count(list) > ROLES_MOST)
		return;
	for (const struct json *v = json_first(list); v; v = json_next(v))
		if (json_text(v))
			ids[n++] = json_text(v);
	*r = (struct access_roles){true, {ids, n}};
}

bool
admission_allows(const struct settings *s, const struct applicant *a)
{
	const char *ids[ROLES_MOST];
	struct access_question q = {
	    .settings = s,
	    .actor = a->user,
	    .location = {a->guild ? LOCATION_GUILD : LOCATION_DM, a->guild,
		NULL},
	    .tier = TIER_READ,
	    .now_ms = clock_now_ms(),
	};
	enum standing is;

	if (a->bot || !a->user || !*a->user || strcmp(a->user, "local") == 0 ||
	    !standing_open(&q, NULL))
		return false;
	take_roles(&q.roles, ids, a->roles);
	is = standing_admitted(&q, NULL);
	return is == STANDING_YES || (is == STANDING_MAYBE && a->before);
}

int
admission_guild(const char *guild, struct err *e)
{
	struct settings s = {0};
	int rc = settings_open(&s, e);

	if (rc == 0 && !standing_enabled(&s, guild))
		rc = err_set(e, ERR_DENIED, "this server is not enabled");
	settings_close(&s);
	return rc;
}
