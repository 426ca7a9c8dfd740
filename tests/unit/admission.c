#include "access/admission.h"

#include <stdlib.h>

#include "access/operator.h"
#include "core/err.h"
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
	return admission_allows(&settings, &(struct applicant){user, guild, 0});
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
	ok(!admission_allows(&settings, &(struct applicant){"12", "1", true}),
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

int
main(void)
{
	test_guilds();
	test_direct();
	test_operators();
	settings_close(&settings);
	return tap_done();
}
