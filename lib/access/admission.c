#include "access/admission.h"

#include <string.h>

#include "access/operator.h"
#include "core/err.h"
#include "store/settings.h"

static bool
listed(const struct settings *s, const char *name, const char *id)
{
	const char *one;

	for (int i = 0; (one = settings_id(s, name, i)) != NULL; i++)
		if (strcmp(one, id) == 0)
			return true;
	return false;
}

bool
admission_allows(const struct settings *s, const struct applicant *a)
{
	if (a->bot || !a->user || !*a->user)
		return false;
	if (a->guild ? !listed(s, "discord.guilds", a->guild)
		     : strcmp(settings_text(s, "discord.dms"), "on") != 0)
		return false;
	return operator_is(a->user) || listed(s, "discord.users", a->user) ||
	       (a->guild && listed(s, "discord.users", "*"));
}

int
admission_guild(const char *guild, struct err *e)
{
	struct settings s = {0};
	int rc = settings_open(&s, e);

	if (rc == 0 && !listed(&s, "discord.guilds", guild))
		rc = err_set(e, ERR_DENIED, "this server is not enabled");
	settings_close(&s);
	return rc;
}
