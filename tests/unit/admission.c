#include "access/admission.h"

#include <stdlib.h>

#include "access/operator.h"
#include "core/err.h"
#include "ext/json.h"
#include "store/settings.h"
#include "tap.h"

static struct settings settings;

static void
use(const char *discord)
{
	char text[512];
	struct err e = {0};

	settings_close(&settings);
	snprintf(text, sizeof(text), "{\"version\":1,\"discord\":{%s}}",
	    discord);
	if (settings_read(&settings, text, strlen(text), &e) < 0)
		printf("# %s\n", e.text);
}

static bool
lets(const char *user, const char *guild)
{
	return admission_allows(&settings,
	    &(struct applicant){.user = user, .guild = guild});
}

static void
test_guilds(void)
{
	use("");
	ok(!lets("11", "1") && !lets("11", NULL),
	    "nobody is let in by default");
	use("\"users\":[\"*\"]");
	ok(!lets("11", "1"), "nor where no guild is enabled");
	use("\"guilds\":[\"1\"]");
	ok(!lets("11", "1"), "nor where nobody is named");
	use("\"guilds\":[\"1\"],\"users\":[\"11\"]");
	ok(lets("11", "1"), "who is named is, in a guild that is");
	ok(!lets("12", "1"), "another one isn't");
	ok(!lets("11", "2"), "nor in another guild");
	ok(!lets("1", "1") && !lets("111", "1"), "an id is whole");
	use("\"guilds\":[\"1\"],\"users\":[\"*\"]");
	ok(lets("12", "1") && !lets("12", "2"), "everybody is everybody there");
	ok(!admission_allows(&settings,
	       &(struct applicant){.user = "12", .guild = "1", .bot = true}),
	    "but no bot");
	ok(!lets(NULL, "1") && !lets("", "1"), "and not nobody");
}

static void
test_direct(void)
{
	use("\"guilds\":[\"1\"],\"users\":[\"11\",\"*\"]");
	ok(!lets("11", NULL), "direct messages are off");
	use("\"guilds\":[\"1\"],\"users\":[\"11\",\"*\"],\"dms\":\"on\"");
	ok(lets("11", NULL), "or on, for who is named");
	ok(!lets("12", NULL), "everybody is about guilds");
}

static void
test_operators(void)
{
	struct err e = {0};

	use("\"guilds\":[\"1\"]");
	ok(!operator_is("77") && operator_check(&e) == 0, "there is none");
	setenv("SOPHIA_OPERATORS", "76, 77", 1);
	ok(operator_is("77") && operator_is("76") && operator_check(&e) == 0,
	    "or two");
	ok(!operator_is("7") && !operator_is("777") && !operator_is("") &&
		!operator_is(NULL),
	    "and no other");
	ok(lets("77", "1"), "they are let in where the place is enabled");
	ok(!lets("77", "2") && !lets("77", NULL), "and nowhere else");
	setenv("SOPHIA_OPERATORS", "76,ada", 1);
	ok(operator_check(&e) < 0 && e.kind == ERR_CONFIG,
	    "a name is no id, and that is said");
}

/* With these roles, as JSON; before: they were let in already. */
static bool
lets_with(const char *user, const char *guild, const char *roles, bool before)
{
	struct applicant a = {user, guild, false, NULL, before};
	struct json *list = NULL;
	struct err e = {0};
	bool in;

	if (roles && json_read(&list, roles, strlen(roles), &e) < 0)
		printf("# %s\n", e.text);
	a.roles = list;
	in = admission_allows(&settings, &a);
	json_free(list);
	return in;
}

static const char grants[] =
    "{\"version\":1,\"discord\":{\"guilds\":[\"1\",\"2\"],\"dms\":\"on\"},"
    "\"access\":{\"grants\":["
    "{\"user\":\"21\",\"tier\":\"read\",\"mode\":\"ask\",\"by\":\"local\","
    "\"at\":\"2026-01-01\"},"
    "{\"user\":\"22\",\"guild\":\"1\",\"tier\":\"write\",\"mode\":\"ask\","
    "\"by\":\"9\",\"at\":\"2026-01-01\"},"
    "{\"user\":\"23\",\"tier\":\"write\",\"mode\":\"auto\",\"by\":\"9\","
    "\"until\":\"2020-01-01\",\"at\":\"2019-01-01\"},"
    "{\"role\":\"31\",\"guild\":\"1\",\"tier\":\"write\",\"mode\":\"ask\","
    "\"by\":\"9\",\"at\":\"2026-01-01\"}],"
    "\"moderators\":["
    "{\"user\":\"24\",\"guild\":\"1\",\"by\":\"9\",\"at\":\"2026-01-01\"},"
    "{\"role\":\"32\",\"guild\":\"1\",\"by\":\"9\",\"at\":\"2026-01-01\"}]}}";

static void
test_grants(void)
{
	struct err e = {0};

	settings_close(&settings);
	ok(settings_read(&settings, grants, strlen(grants), &e) == 0,
	    "grants and moderators are read");
	ok(lets("21", "1") && lets("21", "2") && lets("21", NULL),
	    "a grant everywhere lets in everywhere");
	ok(lets("22", "1") && !lets("22", "2") && !lets("22", NULL),
	    "one for a guild there, and not in direct messages");
	ok(!lets("23", "1"), "one that ended nowhere");
	ok(lets("24", "1") && !lets("24", "2") && !lets("24", NULL),
	    "a moderator in that guild");
	ok(!lets("21", "3"), "and none of them where it isn't enabled");
}

static void
test_roles(void)
{
	ok(lets_with("40", "1", "[\"5\",\"31\"]", false),
	    "whoever has a role with a grant is let in");
	ok(lets_with("40", "1", "[\"32\"]", false), "or with the moderators'");
	ok(!lets_with("40", "1", "[\"5\",\"311\"]", false) &&
		!lets_with("40", "1", "[]", false),
	    "and nobody without it");
	ok(!lets_with("40", "2", "[\"31\"]", false) &&
		!lets_with("40", NULL, "[\"31\"]", false),
	    "in another guild it is another role");
	ok(!lets_with("40", "1", NULL, false) &&
		!lets_with("40", "1", "\"31\"", false) &&
		!lets_with("40", "1", "{\"31\":\"31\"}", false),
	    "nobody by roles that Discord didn't tell");
	ok(lets_with("40", "1", NULL, true),
	    "who was let in by one is, while it counts");
	ok(!lets_with("40", "2", NULL, true), "but nowhere else");
	use("\"guilds\":[\"1\"]");
	ok(!lets_with("40", "1", NULL, true), "and not when it was revoked");
	ok(!lets("local", "1"), "nobody in Discord is the one at the machine");
}

int
main(void)
{
	test_guilds();
	test_direct();
	test_operators();
	test_grants();
	test_roles();
	settings_close(&settings);
	return tap_done();
}
