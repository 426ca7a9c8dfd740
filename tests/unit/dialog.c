#include <stdlib.h>

#include "core/buf.h"
#include "core/mem.h"
#include "model/gallery.h"
#include "model/profile.h"
#include "record/exhibit.h"
#include "runtime/dialog.h"
#include "tap.h"

static char *
filled(size_t len)
{
	char *text = mem_new(len + 1);

	memset(text, 'x', len);
	return text;
}

static void
add_round(struct dialog *d, const char *text, const char *stored)
{
	const struct request_call call = {"call_1", "search", "{}"};

	dialog_reply(d, "", &call, 1, NULL);
	dialog_result(d, "call_1", "search", text, stored);
}

static void
test_fit(void)
{
	struct dialog d = {0};
	char *text = filled(7000);

	dialog_add(&d, ROLE_SYSTEM, NULL, "be good");
	dialog_add(&d, ROLE_USER, "request", "what?");
	for (int i = 0; i < 4; i++)
		add_round(&d, text, "T.1");
	ok(dialog_tokens(&d, 0) > 8000 && dialog_tokens(&d, 0) < 8100,
	    "four results of 2000 tokens are a little more");
	ok(dialog_fit(&d, 0, 9000) == 0, "what fits is left as it is");
	same(d.messages[3].text, text, "to the byte");
	ok(dialog_fit(&d, 0, 7000) == 1, "what doesn't is cut");
	ok(strstr(d.messages[3].text, "kept as T.1") != NULL,
	    "the oldest result first, with where it is kept");
	ok(dialog_tokens(&d, 0) <= 7000 * 2 / 3, "in a big step");
	same(d.messages[9].text, text, "the newest stays");
	ok(d.count == 10, "no message is taken away: calls keep their results");
	ok(dialog_fit(&d, 0, 1000) == -1, "the newest result is never cut");
	dialog_release(&d);
	free(text);
}

static void
test_learn(void)
{
	struct dialog d = {0};
	char *text = filled(3500);
	int64_t before;

	dialog_add(&d, ROLE_USER, NULL, text);
	before = dialog_tokens(&d, 0);
	for (int i = 0; i < 20; i++)
		dialog_learn(&d, dialog_tokens(&d, 0), 1500);
	ok(before == 1004, "3.5 bytes are a token");
	ok(dialog_tokens(&d, 0) > 1450 && dialog_tokens(&d, 0) < 1550,
	    "what the provider counts corrects the estimate");
	dialog_learn(&d, 0, 0);
	ok(dialog_tokens(&d, 0) > 1450, "a count that is missing does not");
	for (int i = 0; i < 20; i++)
		dialog_learn(&d, 10, 1000000);
	ok(dialog_tokens(&d, 0) < 10 * before, "nonsense is bounded");
	dialog_release(&d);
	free(text);
}

/* A round whose call gave a picture. */
static void
add_picture(struct dialog *d, int64_t round, const char *name)
{
	const struct exhibit x = {.type = "image/png",
	    .name = name,
	    .blob = "b"};

	d->round = round;
	add_round(d, "drawn", "T.1");
	dialog_show(d, "source", name, &x, 1);
}

static bool
known(void *ctx, const char *name)
{
	(void)ctx;
	(void)name;
	return true;
}

static void
test_pictures(void)
{
	struct dialog d = {.inputs = INPUT_TEXT};
	int64_t blind;

	dialog_add(&d, ROLE_USER, "request", "draw");
	for (int i = 1; i <= 6; i++)
		add_picture(&d, i, "secret.png");
	blind = dialog_tokens(&d, 0);
	d.inputs |= INPUT_IMAGE;
	ok(dialog_tokens(&d, 0) == blind + 5 * GALLERY_PICTURE_TOKENS,
	    "five pictures count, where they are sent");
	dialog_gap(&d, 1, 5, known, NULL);
	ok(d.messages[9].media_count == 1 && d.messages[12].media_count == 0,
	    "a gap takes the pictures of the round before, too");
	ok(strstr(d.messages[12].text, "secret") == NULL, "and their names");
	ok(d.messages[18].media_count == 0, "and of all after it");
	same(d.messages[11].text, "drawn", "but no other result of that round");
	ok(dialog_fit(&d, 0, 4000) == 1 && d.messages[3].media_count == 0 &&
		strstr(d.messages[3].text, "left out to save room") != NULL,
	    "the oldest are left out first, where there is no room");
	dialog_release(&d);
	d.inputs = INPUT_TEXT | INPUT_IMAGE;
	add_picture(&d, 1, "new.png");
	ok(dialog_fit(&d, 0, 1000) == 1 && d.messages[2].media_count == 0,
	    "the newest one is, if it must");
	dialog_release(&d);
}

int
main(void)
{
	test_pictures();
	test_fit();
	test_learn();
	return tap_done();
}
