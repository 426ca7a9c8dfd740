#include "store/wipe.h"

#include <stdlib.h>

#include "ext/json.h"
#include "store/tombstone.h"

#include "tap.h"

static struct graves graves;

/* The text with what was found in it blanked; borrowed until the next call. */
static const char *
wiped(const char *text)
{
	static char out[1024];
	struct wipe_span spans[WIPE_SPANS];
	size_t n = wipe_find(spans, text, strlen(text), &graves);

	snprintf(out, sizeof(out), "%s", text);
	for (size_t i = 0; i < n; i++)
		memset(out + spans[i].at, '.', spans[i].len);
	return out;
}

static void
test_messages(void)
{
	same(wiped("{\"id\":\"100\",\"content\":\"a\"}"),
	    "{........................}", "a deleted message");
	same(wiped("{ \"content\" : \"}{\\\"\" , \"id\" : \"100\" }"),
	    "{...................................}",
	    "whatever its order, blanks and words");
	same(wiped("{\"id\":\"101\",\"content\":\"100\"}"),
	    "{\"id\":\"101\",\"content\":\"100\"}", "another stays");
	same(wiped("{\"id\":\"5\",\"content\":\"x\",\"referenced_message\":"
		   "{\"id\":\"100\",\"author\":{\"id\":\"9\"}}}"),
	    "{\"id\":\"5\",\"content\":\"x\",\"referenced_message\":"
	    "{..............................}}",
	    "one that is quoted goes, whoever quotes it stays");
	same(wiped("{\"id\":\"100\",\"content\":\"x\",\"y\":[{\"id\":\"100\","
		   "\"content\":\"\"}]}"),
	    "{........................................................}",
	    "one within one goes with it");
	same(wiped("{\"id\":\"100\",\"name\":\"a thread\"}"),
	    "{\"id\":\"100\",\"name\":\"a thread\"}",
	    "a thread of the same id stays");
	same(wiped("{\"message_id\":\"100\",\"content\":\"\"}"),
	    "{\"message_id\":\"100\",\"content\":\"\"}",
	    "so does what only names it");
}

static void
test_channels(void)
{
	same(wiped("{\"id\":\"7\",\"channel_id\":\"200\",\"content\":\"a\"}"),
	    "{.........................................}",
	    "a message in a deleted channel");
	same(wiped("{\"id\":\"7\",\"channel_id\":\"201\",\"content\":\"a\","
		   "\"message_reference\":{\"channel_id\":\"200\"}}"),
	    "{\"id\":\"7\",\"channel_id\":\"201\",\"content\":\"a\","
	    "\"message_reference\":{\"channel_id\":\"200\"}}",
	    "one that refers to it stays");
}

static void
test_damage(void)
{
	static const char text[] =
	    "{\"id\":\"5\",\"content\":\"\\\"x\",\"m\":[{\"id\":\"100\","
	    "\"author\":{\"id\":\"1\"}},{\"id\":\"100\",\"content\":\"\"}]}";
	struct wipe_span spans[WIPE_SPANS];
	bool none = true;

	for (size_t n = 0; n < strlen(text); n++) {
		char *cut = malloc(n + 1);

		memcpy(cut, text, n);
		cut[n] = '\0';
		none &= wipe_find(spans, cut, n, &graves) == 0;
		free(cut);
	}
	ok(none, "nothing is found in what is cut off, at whatever byte");
	ok(wipe_find(spans, text, strlen(text), &graves) == 2,
	    "but two in the whole of it");
	ok(!json_is_object("", 0) && wipe_find(spans, "", 0, &graves) == 0,
	    "nor in nothing");
	same(wiped("}}{\"id\":\"100\",\"content\":\"a\"}"),
	    "}}{\"id\":\"100\",\"content\":\"a\"}", "nor in what isn't JSON");
}

int
main(void)
{
	graves_add(&graves, &(struct grave){GRAVE_CHANNEL, 200, 1});
	graves_add(&graves, &(struct grave){GRAVE_MESSAGE, 300, 1});
	graves_add(&graves, &(struct grave){GRAVE_MESSAGE, 100, 1});
	graves_sort(&graves);
	test_messages();
	test_channels();
	test_damage();
	graves_release(&graves);
	return tap_done();
}
