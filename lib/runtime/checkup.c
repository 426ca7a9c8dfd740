#include "runtime/checkup.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/home.h"
#include "core/secret.h"
#include "model/catalogue.h"
#include "store/settings.h"
#include "tool/fault.h"
#include "tool/toolset.h"

void
checkup_share(health_fn *put, void *ctx)
{
	static const char *const parts[] = {"schema", "tools", "prompts",
	    "models"};
	struct err e = {0};
	char path[PATH_MAX];

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (home_share_path(path, parts[i], &e) == 0 &&
		    access(path, R_OK | X_OK) == 0)
			continue;
		health_find(put, ctx, HEALTH_FAIL, "shared data",
		    e.kind ? e.text : path,
		    "install it again, or set SOPHIA_SHARE to the share folder");
		return;
	}
	health_find(put, ctx, HEALTH_OK, "shared data", home_share(&e), NULL);
}

void
checkup_tools(health_fn *put, void *ctx)
{
	struct faults faults = {0};
	struct buf text = {0};
	struct err e = {0};
	int valid = toolset_check(&faults, NULL, 0, &e);

	if (valid < 0) {
		health_find(put, ctx, HEALTH_FAIL, "tools", e.text, NULL);
	} else if (faults.count) {
		const char *all = buf_text(&faults.text);

		buf_fmt(&text, "%zu faults, such as: %.*s", faults.count,
		    (int)strcspn(all, "\n"), all);
		health_find(put, ctx, HEALTH_WARN, "tools", buf_text(&text),
		    "sophia tool check names them all");
	} else {
		buf_fmt(&text, "%d manifests are valid", valid);
		health_find(put, ctx, HEALTH_OK, "tools", buf_text(&text),
		    NULL);
	}
	buf_release(&text);
	fault_release(&faults);
}

/* Has the profile in use the key that it needs? */
static void
check_key(const struct profile *p, health_fn *put, void *ctx)
{
	struct buf text = {0};
	struct err e = {0};
	enum catalogue_key key;

	if (catalogue_key(p, &key, &e) < 0)
		return; /* checkup_token() has named the file */
	buf_fmt(&text, "%s: %s is %s", p->id, p->key_env ? p->key_env : "a key",
	    key == KEY_NONE  ? "not needed"
	    : key == KEY_SET ? "set"
			     : "not set");
	health_find(put, ctx, key == KEY_MISSING ? HEALTH_FAIL : HEALTH_OK,
	    "profile in use", buf_text(&text),
	    key == KEY_MISSING ? "set it in the environment, or in the file "
				 "that SOPHIA_SECRETS names"
			       : NULL);
	buf_release(&text);
}

void
checkup_token(health_fn *put, void *ctx)
{
	struct err e = {0};
	int got = secret_is_set("DISCORD_TOKEN", &e);

	if (got < 0)
		health_find(put, ctx, HEALTH_FAIL, "secrets", e.text,
		    "chmod 0600 the file, and mend that line");
	else
		health_find(put, ctx, HEALTH_OK, "Discord token",
		    got ? "set" : "not set: Sophia works in the terminal only",
		    NULL);
}

static void
check_profile(const char *name, bool used, health_fn *put, void *ctx)
{
	struct profile p = {0};
	struct err e = {0};

	if (profile_load(&p, name, &e) < 0)
		health_find(put, ctx, HEALTH_FAIL,
		    used ? "profile in use" : "profile", e.text,
		    "mend that field, or choose another profile");
	else if (used)
		check_key(&p, put, ctx);
	profile_release(&p);
}

/* The profile that recordings are given to, if one is named. */
static void
check_transcriber(const char *name, health_fn *put, void *ctx)
{
	struct profile p = {0};
	struct err e = {0};

	if (profile_load(&p, name, &e) < 0)
		health_find(put, ctx, HEALTH_FAIL, "transcriber", e.text,
		    "name another with sophia settings set media.transcriber");
	else if (!(p.inputs & INPUT_AUDIO))
		health_find(put, ctx, HEALTH_FAIL, "transcriber",
		    "its profile is not declared to take sound",
		    "add \"audio\" to inputs there, or name another profile "
		    "with sophia settings set media.transcriber");
	profile_release(&p);
}

void
checkup_profiles(health_fn *put, void *ctx)
{
	struct settings settings = {0};
	struct buf names = {0};
	struct err e = {0}, none = {0};
	const char *used = settings_open(&settings, &none) == 0
			       ? settings_text(&settings, "profile")
			       : "extractive";
	const char *listens = none.kind ? ""
					: settings_text(&settings,
					      "media.transcriber");
	char *at, *name, *rest;

	check_profile(used, true, put, ctx);
	if (*listens)
		check_transcriber(listens, put, ctx);
	if (profile_names(&names, &e) < 0)
		health_find(put, ctx, HEALTH_FAIL, "profiles", e.text, NULL);
	at = buf_take(&names);
	for (name = at ? strtok_r(at, "\n", &rest) : NULL; name;
	     name = strtok_r(NULL, "\n", &rest))
		if (strcmp(name, used) != 0)
			check_profile(name, false, put, ctx);
	free(at);
	settings_close(&settings);
}
