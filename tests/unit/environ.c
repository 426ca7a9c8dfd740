#include <stdlib.h>

#include "core/err.h"
#include "core/file.h"
#include "tap.h"
#include "tool/environ.h"
#include "tool/manifest.h"

static char home[] = "/tmp/environ.XXXXXX";

static bool
has(unsigned needs, const char *variable)
{
	struct environ v;
	struct err e = {0};
	bool found = false;

	if (environ_make(&v, needs, &e) < 0)
		printf("Bail out! %s\n", e.text);
	for (char **p = v.list; p && *p; p++)
		found |= strcmp(*p, variable) == 0;
	environ_release(&v);
	environ_release(&v);
	return found;
}

static void
write_profile(void)
{
	static const char
	    profile[] = "{\"id\":\"x\",\"key_env\":\"HOUSE_DOOR\"}";
	char path[100];
	struct err e = {0};

	snprintf(path, sizeof(path), "%s/models", home);
	file_mkdirs(path, &e);
	snprintf(path, sizeof(path), "%s/models/x.json", home);
	file_replace(path, profile, strlen(profile), &e);
	ok(e.kind == 0, "a profile is written");
}

static void
clean(void)
{
	char path[100];

	snprintf(path, sizeof(path), "%s/models/x.json", home);
	remove(path);
	snprintf(path, sizeof(path), "%s/models", home);
	remove(path);
	remove(home);
}

int
main(void)
{
	ok(mkdtemp(home) != NULL, "a state folder of our own");
	setenv("SOPHIA_HOME", home, 1);
	setenv("SOPHIA_SHARE", "/nowhere", 1);
	setenv("DISCORD_TOKEN", "d", 1);
	setenv("SOPHIA_SEARCH_KEY", "s", 1);
	setenv("HOUSE_DOOR", "m", 1);
	setenv("OTHER_API_KEY", "o", 1);
	setenv("SOPHIA_SECRETS", "/s", 1);
	setenv("LANG", "C", 1);
	write_profile();

	ok(has(0, "LANG=C"), "what is no secret stays");
	ok(has(0, "SOPHIA_SHARE=/nowhere"), "a child knows the folders");
	ok(!has(0, "DISCORD_TOKEN=d"), "nobody needs the token");
	ok(!has(0, "HOUSE_DOOR=m"), "nor a key that only a profile names");
	ok(!has(0, "OTHER_API_KEY=o"), "nor what is called like a key");
	ok(!has(0, "SOPHIA_SECRETS=/s"), "nor the file");
	ok(has(NEED_DISCORD, "DISCORD_TOKEN=d"), "discord gets the token");
	ok(!has(NEED_DISCORD, "HOUSE_DOOR=m"), "but no key");
	ok(has(NEED_DISCORD, "SOPHIA_SECRETS=/s"), "and the file's path");
	ok(has(NEED_MODEL, "HOUSE_DOOR=m"), "model gets its keys");
	ok(!has(NEED_MODEL, "OTHER_API_KEY=o"), "but no other");
	ok(!has(NEED_MODEL, "DISCORD_TOKEN=d"), "and no token");
	ok(has(NEED_SEARCH, "SOPHIA_SEARCH_KEY=s"), "search gets its key");
	ok(!has(NEED_NETWORK | NEED_TASK, "SOPHIA_SEARCH_KEY=s"),
	    "other needs mean no secret");
	clean();
	return tap_done();
}
