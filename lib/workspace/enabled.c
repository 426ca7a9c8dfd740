#include "workspace/enabled.h"

#include <string.h>

#include "core/err.h"
#include "store/settings.h"

int
enabled_open(struct settings *s, struct err *e)
{
	if (settings_open(s, e) < 0)
		return -1;
	if (strcmp(settings_text(s, "sandbox.enabled"), "on") == 0)
		return 0;
	settings_close(s);
	return err_set(e, ERR_CONFIG,
	    "running code is switched off: `sophia settings set "
	    "sandbox.enabled on` switches it on");
}
