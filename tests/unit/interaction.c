#include "discord/interaction.h"

#include "core/err.h"
#include "ext/json.h"
#include "tap.h"

#define HEAD                                                                   \
	"{\"id\":\"11\",\"application_id\":\"12\",\"token\":\"aW50.x-_\","     \
	"\"channel_id\":\"13\","
#define GUILD                                                                  \
	"\"guild_id\":\"14\",\"member\":{\"nick\":\"Nick\","                   \
	"\"user\":{\"id\":\"15\",\"username\":\"ada\"}},"
#define DIRECT                                                                 \
	"\"channel\":{\"id\":\"13\",\"type\":1},"                              \
	"\"user\":{\"id\":\"15\",\"username\":\"ada\","                        \
	"\"global_name\":\"Ada\"},"

static struct interaction x;
static struct json *json;
static struct err why;

static int
look(const char *text)
{
	why = (struct err){0};
	json_free(json);
	json = NULL;
	if (json_object(&json, text, strlen(text), &why) < 0)
		return -1;
	return interaction_read(&x, json, &why);
}

static void
test_command(void)
{
	const char *name = NULL;

	ok(look(HEAD GUILD
	       "\"type\":2,\"data\":{\"name\":\"talk\",\"type\":1,"
	       "\"options\":[{\"name\":\"message\",\"type\":3,"
	       "\"value\":\"hi\"},{\"name\":\"ephemeral\",\"type\":5,"
	       "\"value\":true},{\"name\":\"n\",\"type\":4,\"value\":-3},"
	       "{\"name\":\"attachment\",\"type\":11,\"value\":\"99\"}],"
	       "\"resolved\":{\"attachments\":{\"99\":{\"id\":\"99\","
	       "\"filename\":\"a.txt\"}}}}}") == 0,
	    "a command in a guild is read");
	ok(x.kind == INTERACTION_COMMAND && !x.direct, "it is one");
	same(x.name, "talk", "of that name");
	same(x.who, "Nick", "people go by the name that they have there");
	same(interaction_option(&x, "message"), "hi", "an option has a text");
	same(interaction_option(&x, "n"), "-3", "a number is its digits");
	ok(interaction_flag(&x, "ephemeral", false), "a switch is on");
	ok(interaction_flag(&x, "other", true), "or as it is if not given");
	ok(!interaction_option(&x, "other"), "one not given is none");
	same(json_string(interaction_file(&x, "attachment"), "filename"),
	    "a.txt", "a file is found by its id");
	ok(!interaction_typed(&x, &name), "nothing is being typed");
	ok(!x.sub && !x.roles, "without a subcommand, and roles, it has none");
}

static void
test_sub(void)
{
	ok(look(HEAD "\"guild_id\":\"14\",\"member\":{\"roles\":[\"31\"],"
		     "\"user\":{\"id\":\"15\",\"username\":\"ada\"}},"
		     "\"type\":2,\"data\":{\"name\":\"access\",\"options\":["
		     "{\"name\":\"grant\",\"type\":1,\"options\":["
		     "{\"name\":\"user\",\"type\":6,\"value\":\"16\"}]}],"
		     "\"resolved\":{\"members\":{\"16\":{\"roles\":[\"32\","
		     "\"33\"]}}}}}") == 0,
	    "a subcommand is read");
	same(x.sub, "grant", "by its name");
	same(interaction_option(&x, "user"), "16", "the options are its own");
	same(json_text(json_first(x.roles)), "31", "the roles of who asks");
	ok(json_count(interaction_roles(&x, "user")) == 2,
	    "and those of the member whom an option names");
	ok(!interaction_roles(&x, "role"), "no other has any");
	ok(look(HEAD GUILD
	       "\"type\":2,\"data\":{\"name\":\"access\","
	       "\"options\":[{\"name\":\"list\",\"type\":1}]}}") == 0,
	    "a subcommand without options");
	ok(x.sub && !interaction_option(&x, "list"), "has none");
}

static void
test_others(void)
{
	const char *name = NULL;

	ok(look(HEAD DIRECT "\"type\":4,\"data\":{\"name\":\"stop\","
			    "\"options\":[{\"name\":\"task_id\","
			    "\"value\":\"0a\",\"focused\":true}]}}") == 0 &&
		x.kind == INTERACTION_COMPLETE && x.direct,
	    "a completion in direct messages");
	same(interaction_typed(&x, &name), "0a", "what is typed so far");
	same(name, "task_id", "and where");
	same(x.who, "Ada", "the name that holds everywhere");
	ok(look(HEAD GUILD "\"type\":3,\"data\":{\"custom_id\":\"stop:0a\","
			   "\"component_type\":2},\"message\":{\"id\":\"77\"}"
			   "}") == 0 &&
		x.kind == INTERACTION_COMPONENT,
	    "a button");
	same(x.name, "stop:0a", "is known by its custom id");
	same(x.message, "77", "and stands in a message");
	ok(look(HEAD GUILD
	       "\"type\":5,\"data\":{\"custom_id\":\"steer:0a\","
	       "\"components\":[{\"type\":18,\"component\":{\"type\":4,"
	       "\"custom_id\":\"text\",\"value\":\"left\"}}]}}") == 0,
	    "a modal");
	same(interaction_field(&x, "text"), "left", "has a field in a label");
	ok(look(HEAD GUILD
	       "\"type\":5,\"data\":{\"custom_id\":\"steer:0a\","
	       "\"components\":[{\"type\":1,\"components\":[{\"type\":4,"
	       "\"custom_id\":\"text\",\"value\":\"right\"}]}]}}") == 0,
	    "an old modal");
	same(interaction_field(&x, "text"), "right", "has it in a row");
	ok(look(HEAD GUILD "\"type\":2,\"data\":{\"name\":\"Look\","
			   "\"type\":3}}") == 0 &&
		x.kind == INTERACTION_OTHER,
	    "a command of a message's menu is none of ours");
}

static void
test_bad(void)
{
	ok(look("{\"id\":\"11\",\"application_id\":\"12\","
		"\"token\":\"../../users\",\"type\":2}") < 0,
	    "a token that is more than one is refused");
	same(why.text, "an interaction without an id, application_id or token",
	    "and the fault is named");
	ok(look("{\"id\":\"x\",\"application_id\":\"12\",\"token\":\"t\","
		"\"type\":2}") < 0,
	    "so is an id that is none");
	ok(look(HEAD "\"type\":2,\"data\":{\"name\":\"talk\"}}") < 0,
	    "a command of nobody is refused");
	same(why.text, "an interaction without a user, channel or name",
	    "and that is named, too");
	ok(look(HEAD "\"type\":1}") == 0 && x.kind == INTERACTION_OTHER,
	    "a ping is of no kind");
}

int
main(void)
{
	test_command();
	test_sub();
	test_others();
	test_bad();
	json_free(json);
	return tap_done();
}
