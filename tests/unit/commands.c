#include "discord/commands.h"

#include "core/err.h"
#include "ext/json.h"
#include "tap.h"

static bool
same_as(const char *ours, const char *theirs)
{
	struct json *a = NULL, *b = NULL;
	struct err e = {0};
	bool same;

	if (json_read(&a, ours, strlen(ours), &e) < 0 ||
	    json_read(&b, theirs, strlen(theirs), &e) < 0)
		printf("# %s\n", e.text);
	same = commands_same(a, b);
	json_free(a);
	json_free(b);
	return same;
}

#define TALK                                                                   \
	"{\"name\":\"talk\",\"description\":\"Ask\",\"options\":["             \
	"{\"type\":3,\"name\":\"message\",\"description\":\"What\"}]}"

int
main(void)
{
	ok(same_as("[" TALK "]",
	       "[{\"id\":\"1\",\"application_id\":\"2\",\"version\":\"3\","
	       "\"type\":1,\"nsfw\":false,\"dm_permission\":true,"
	       "\"integration_types\":[0],\"contexts\":[0,1],"
	       "\"name_localizations\":null,\"description\":\"Ask\","
	       "\"options\":[{\"required\":false,\"name\":\"message\","
	       "\"type\":3,\"description\":\"What\","
	       "\"choices\":[]}],\"name\":\"talk\"}]"),
	    "what Discord adds makes no difference");
	ok(same_as("[" TALK ",{\"name\":\"a\"}]",
	       "[{\"name\":\"a\"}," TALK "]"),
	    "nor does the order of the commands");
	ok(!same_as("[" TALK "]", "[]"), "one that is missing does");
	ok(!same_as("[" TALK "]", "[" TALK ",{\"name\":\"a\"}]"),
	    "so does one left over");
	ok(!same_as("[" TALK "]",
	       "[{\"name\":\"talk\",\"description\":\"Ask\",\"options\":["
	       "{\"type\":3,\"name\":\"message\",\"description\":\"Why\"}]}]"),
	    "so do other words");
	ok(!same_as("[" TALK "]",
	       "[{\"name\":\"talk\",\"description\":\"Ask\",\"options\":["
	       "{\"type\":3,\"name\":\"message\",\"description\":\"What\","
	       "\"required\":true}]}]"),
	    "so does what an option has besides");
	ok(!same_as("[" TALK "]",
	       "[{\"name\":\"talk\",\"description\":\"Ask\"}]"),
	    "so does an option that is missing");
	ok(!same_as("[{\"name\":\"a\",\"options\":[{\"name\":\"x\"},"
		    "{\"name\":\"y\"}]}]",
	       "[{\"name\":\"a\",\"options\":[{\"name\":\"y\"},"
	       "{\"name\":\"x\"}]}]"),
	    "and so does the order of options");
	ok(!same_as("[{\"name\":\"a\"}]", "[{\"name\":\"b\"}]") &&
		!same_as("[{\"name\":\"a\"}]", "[null]") &&
		!same_as("[{\"name\":\"a\"}]", "{\"a\":{\"name\":1}}"),
	    "and what is none of ours");
	return tap_done();
}
