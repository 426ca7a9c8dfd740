#include "converse/hail.h"

#include <stdlib.h>

#include "core/err.h"
#include "ext/json.h"
#include "record/turn.h"
#include "tap.h"

#define US "1200000000000000100"
#define REST                                                                   \
	"\"id\":\"1577053944025186304\",\"channel_id\":\"402\","               \
	"\"author\":{\"id\":\"201\",\"username\":\"ada\","                     \
	"\"global_name\":\"Ada\"}"

static struct hail hail;
static struct json *json;
static struct turn turn;

static int
look(const char *text, const char *guild)
{
	struct err e = {0};
	int rc = -1;

	hail_release(&hail);
	json_free(json);
	json = NULL;
	hail = (struct hail){0};
	if (json_object(&json, text, strlen(text), &e) == 0)
		rc = hail_read(&hail, json, US, guild, &e);
	if (rc == 0)
		hail_turn(&hail, US, &turn);
	return rc;
}

static const char *
words(const char *content)
{
	char text[1024];

	snprintf(text, sizeof(text), "{" REST ",\"content\":\"%s\"}", content);
	return look(text, NULL) == 0 ? turn.text : NULL;
}

static void
test_words(void)
{
	same(words("<@" US "> when?"), "when?", "the call is no part of it");
	same(words("<@!" US ">, <@" US ">: when?"), "when?",
	    "nor are two of them, nor what sets them off");
	same(words("when? <@" US ">\\n"), "when?", "nor one at the end");
	same(words("when? <@!" US "> <@" US ">"), "when?", "nor two there");
	same(words("tell <@" US "> this"), "tell <@" US "> this",
	    "in the middle it stays");
	same(words("<@12000000000000001001> hi"), "<@12000000000000001001> hi",
	    "a longer id is another's");
	same(words("<@" US), "<@" US, "half a call is text");
	same(words("<@" US ">"), "(The message has no words of its own.)",
	    "a call alone has no words");
	same(words(""), "(The message has no words of its own.)",
	    "nor has an empty message");
}

static void
test_who(void)
{
	ok(look("{" REST ",\"guild_id\":\"1\",\"member\":{\"nick\":\"A.\"},"
		"\"mentions\":[{\"id\":\"" US "\"}]}",
	       NULL) == 0 &&
		hail.human && hail.mentions && !hail.direct,
	    "a mention in a guild");
	same(turn.actor.name, "A.", "people go by their name there");
	same(turn.location.guild, "1", "the guild is in the place");
	ok(turn.location.kind == LOCATION_GUILD &&
		turn.visibility == VISIBILITY_PUBLIC,
	    "what is asked before all is answered so");
	ok(look("{" REST "}", "7") == 0 && !hail.direct &&
		strcmp(hail.guild, "7") == 0,
	    "REST leaves out the guild, which is known");
	ok(look("{" REST "}", NULL) == 0 && hail.direct &&
		turn.visibility == VISIBILITY_PRIVATE,
	    "without a guild it is for one person");
	ok(look("{" REST ",\"webhook_id\":\"5\"}", NULL) == 0 && !hail.human,
	    "a webhook is nobody");
	ok(look("{" REST ",\"type\":7}", NULL) == 0 && !hail.human,
	    "that somebody joined is no message of theirs");
	ok(look("{\"id\":\"5\",\"channel_id\":\"6\",\"author\":{\"id\":\"7\","
		"\"bot\":true}}",
	       NULL) == 0 &&
		!hail.human,
	    "a bot is nobody");
	ok(look("{\"id\":\"5\",\"channel_id\":\"6\",\"author\":{\"id\":\"" US
		"\"}}",
	       NULL) == 0 &&
		!hail.human,
	    "nor does Sophia ask herself");
	ok(look("{\"id\":\"5\",\"channel_id\":\"6\"}", NULL) < 0,
	    "without an author it is no message");
}

static void
test_beside(void)
{
	ok(look("{" REST ",\"type\":19,\"content\":\"and this?\","
		"\"message_reference\":{\"message_id\":\"9\","
		"\"channel_id\":\"402\"},\"referenced_message\":{\"id\":\"9\","
		"\"channel_id\":\"402\",\"content\":\"at six\","
		"\"author\":{\"id\":\"" US "\",\"username\":\"sophia\"}},"
		"\"attachments\":[{\"id\":\"3\",\"filename\":\"a.png\","
		"\"size\":5,\"url\":\"https://cdn/a.png\"}],"
		"\"embeds\":[{\"title\":\"Obey me\"}]}",
	       NULL) == 0 &&
		hail.replies,
	    "a reply to a message of hers");
	same(turn.text, "and this?", "the request is what its author wrote");
	same(hail.answers, "9", "what it answers is known");
	ok(turn.reply.text && strstr(turn.reply.text, "at six") &&
		strstr(turn.reply.text, "/402/9"),
	    "that stands beside it, with its link");
	same(json_string(json_first(turn.attachments.tree), "name"), "a.png",
	    "files are listed");
	ok(json_get(turn.more.tree, "embeds") && !strstr(turn.text, "Obey"),
	    "what a link showed is a source, not a request");
	ok(look("{" REST ",\"type\":19,\"message_reference\":{"
		"\"message_id\":\"9\"},\"referenced_message\":null}",
	       NULL) == 0 &&
		!hail.replies && strcmp(hail.answers, "9") == 0 &&
		!turn.reply.text,
	    "what it answers may be gone");
	ok(look("{" REST ",\"message_reference\":{\"type\":1,"
		"\"message_id\":\"9\",\"channel_id\":\"402\"}}",
	       NULL) == 0 &&
		!*hail.answers,
	    "to forward a message is no reply to it");
}

/* What breaks off anywhere is no message. */
static void
test_cut(void)
{
	static const char whole[] = "{" REST
				    ",\"guild_id\":\"1\",\"content\":\"<@" US
				    "> h\\u00e9\","
				    "\"mentions\":[{\"id\":\"" US
				    "\"}],\"embeds\":[{\"title\":\"x\"}],"
				    "\"referenced_message\":{" REST "}}";
	char text[sizeof(whole)];
	size_t taken = 0;

	for (size_t len = 0; len < strlen(whole); len++) {
		memcpy(text, whole, len);
		text[len] = '\0';
		taken += look(text, NULL) == 0;
	}
	ok(taken == 0, "cut at any byte it is refused");
	ok(look(whole, NULL) == 0, "and whole it is taken");
}

int
main(void)
{
	test_cut();
	test_words();
	test_who();
	test_beside();
	hail_release(&hail);
	json_free(json);
	return tap_done();
}
