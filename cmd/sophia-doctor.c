/*
 * sophia-doctor - check an installation and say what to do
 * stdout: {"type":"finding","what","level","text","fix"} a finding
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "core/buf.h"
#include "core/err.h"
#include "core/home.h"
#include "core/secret.h"
#include "model/profile.h"
#include "store/health.h"
#include "store/settings.h"
#include "tool/fault.h"
#include "tool/toolset.h"

struct doctor {
	struct cli *cli;
	struct buf out;
	enum health worst;
	bool quiet; /* only what is wrong */
};

static void
put(void *ctx, const struct finding *f)
{
	struct doctor *d = ctx;

	if (f->level > d->worst)
		d->worst = f->level;
	if (d->quiet && f->level == HEALTH_OK)
		return;
	if (d->cli->json) {
		health_write(&d->out, f);
		return;
	}
	buf_fmt(&d->out, "%-5s %-17s %s\n", health_word(f->level), f->what,
	    f->text);
	if (f->fix)
		buf_fmt(&d->out, "%-5s %-17s to mend it: %s\n", "", "", f->fix);
}

static void
find(struct doctor *d, enum health level, const char *what, const char *text,
    const char *fix)
{
	put(d, &(struct finding){what, level, text, fix});
}

static void
check_share(struct doctor *d)
{
	static const char *const parts[] = {"schema", "tools", "prompts",
	    "models"};
	struct err e = {0};
	char path[PATH_MAX];

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (home_share_path(path, parts[i], &e) == 0 &&
		    access(path, R_OK | X_OK) == 0)
			continue;
		find(d, HEALTH_FAIL, "shared data", e.kind ? e.text : path,
		    "install it again, or set SOPHIA_SHARE to the share folder");
		return;
	}
	find(d, HEALTH_OK, "shared data", home_share(&e), NULL);
}

/* The first fault, and how many there are. */
static const char *
first_of(struct faults *f)
{
	static char text[512];
	const char *all = buf_text(&f->text);

	snprintf(text, sizeof(text), "%zu faults, such as: %.*s", f->count,
	    (int)strcspn(all, "\n"), all);
	return text;
}

static void
check_tools(struct doctor *d)
{
	struct faults faults = {0};
	struct err e = {0};
	char text[64];
	int valid = toolset_check(&faults, NULL, 0, &e);

	if (valid < 0)
		find(d, HEALTH_FAIL, "tools", e.text, NULL);
	else if (faults.count)
		find(d, HEALTH_WARN, "tools", first_of(&faults),
		    "sophia tool check names them all");
	else {
		snprintf(text, sizeof(text), "%d manifests are valid", valid);
		find(d, HEALTH_OK, "tools", text, NULL);
	}
	fault_release(&faults);
}

/* Has the profile the key that it needs? Its value is looked at nowhere. */
static void
check_key(struct doctor *d, const struct profile *p, bool used)
{
	struct buf key = {0}, text = {0};
	struct err e = {0};
	int got = p->key_env ? secret_get(&key, p->key_env, &e) : 1;

	buf_fmt(&text, "%s: %s is %s", p->id, p->key_env ? p->key_env : "a key",
	    !p->key_env ? "not needed"
	    : got > 0   ? "set"
			: "not set");
	if (used && got >= 0) /* else check_token() has named the file */
		find(d, got ? HEALTH_OK : HEALTH_FAIL, "profile in use",
		    buf_text(&text),
		    got ? NULL
			: "set it in the environment, or in the file "
			  "that SOPHIA_SECRETS names");
	buf_release(&key);
	buf_release(&text);
}

static void
check_token(struct doctor *d)
{
	struct buf token = {0};
	struct err e = {0};
	int got = secret_get(&token, "DISCORD_TOKEN", &e);

	if (got < 0)
		find(d, HEALTH_FAIL, "secrets", e.text,
		    "chmod 0600 the file, and mend that line");
	else
		find(d, HEALTH_OK, "Discord token",
		    got ? "set" : "not set: Sophia works in the terminal only",
		    NULL);
	buf_release(&token);
}

static void
check_profile(struct doctor *d, const char *name, bool used)
{
	struct profile p = {0};
	struct err e = {0};

	if (profile_load(&p, name, &e) < 0)
		find(d, HEALTH_FAIL, used ? "profile in use" : "profile",
		    e.text, "mend that field, or choose another profile");
	else
		check_key(d, &p, used);
	profile_release(&p);
}

static void
check_profiles(struct doctor *d)
{
	struct settings settings = {0};
	struct buf names = {0};
	struct err e = {0}, none = {0};
	const char *used = settings_open(&settings, &none) == 0
			       ? settings_text(&settings, "profile")
			       : "extractive";
	char *at, *name, *rest;

	check_profile(d, used, true);
	if (profile_names(&names, &e) < 0)
		find(d, HEALTH_FAIL, "profiles", e.text, NULL);
	at = buf_take(&names);
	for (name = at ? strtok_r(at, "\n", &rest) : NULL; name;
	     name = strtok_r(NULL, "\n", &rest))
		if (strcmp(name, used) != 0)
			check_profile(d, name, false);
	free(at);
	settings_close(&settings);
}

static bool
in_path(const char *program)
{
	const char *at = getenv("PATH");
	char path[PATH_MAX];

	while (at && *at) {
		size_t len = strcspn(at, ":");

		if (snprintf(path, sizeof(path), "%.*s/%s", (int)len, at,
			program) < PATH_MAX &&
		    access(path, X_OK) == 0)
			return true;
		at += len + (at[len] == ':');
	}
	return false;
}

static void
check_engine(struct doctor *d)
{
	if (in_path("docker") || in_path("podman"))
		find(d, HEALTH_OK, "containers",
		    in_path("docker") ? "docker is installed"
				      : "podman is installed",
		    NULL);
	else
		find(d, HEALTH_OK, "containers",
		    "neither docker nor podman: no code can be run", NULL);
}

static int
run(struct cli *c, struct err *e)
{
	struct doctor d = {.cli = c};
	bool deep = false;
	int o, rc;

	while ((o = cli_option(c)) != -1) {
		deep |= o == 'd';
		d.quiet |= o == 'q';
	}
	cli_args(c, 0, 0);
	health_folder(put, &d);
	health_settings(put, &d);
	check_share(&d);
	health_stores(deep, put, &d);
	health_index(put, &d);
	health_tasks(put, &d);
	check_token(&d);
	check_profiles(&d);
	check_tools(&d);
	check_engine(&d);
	health_clock(put, &d);
	rc = cli_out(c, &d.out, e);
	buf_release(&d.out);
	if (rc == 0 && d.worst == HEALTH_FAIL)
		rc = err_set(e, ERR_CONFIG, "something must be mended first");
	return rc < 0 ? -1 : d.worst == HEALTH_OK;
}

static const struct cli_option options[] = {
    {'d', "deep", NULL, "read every page of the stores, which takes time"},
    {'q', "quiet", NULL, "only what is not ok"},
    {0},
};

static const struct cli_command command = {
    .name = "sophia-doctor",
    .purpose = "check an installation and say what to do",
    .options = options,
    .run = run,
    .notes = "Exit: 0 all is well; 1 there are warnings; "
	     "78 something must be mended.\n",
};

int
main(int argc, char **argv)
{
	return cli_main(&command, argc, argv);
}
