#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "discord/ballot.h"
#include "ext/json.h"

#include "tap.h"

static const char id[] = "01k2jv4c7q9x3m5n8r0s";

/* What a custom id means: "verb page id". */
static const char *
meant(const char *custom_id)
{
	static char text[80];
	char found[ID_LEN + 1] = "";
	size_t page;
	enum ballot_verb verb = ballot_read(custom_id, found, &page);

	snprintf(text, sizeof(text), "%d %zu %s", (int)verb, page,
	    verb ? found : "");
	return text;
}

static void
test_ids(void)
{
	static const char *const bad[] = {"", ":", "ask.", "ask.approve",
	    "ask.approve:", "ask.approve:short", "approve:01k2jv4c7q9x3m5n8r0s",
	    "ask.approved:01k2jv4c7q9x3m5n8r0s",
	    "ask.approve0:01k2jv4c7q9x3m5n8r0s",
	    "ask.items:01k2jv4c7q9x3m5n8r0s",
	    "ask.items-1:01k2jv4c7q9x3m5n8r0s",
	    "ask.items12345:01k2jv4c7q9x3m5n8r0s",
	    "ask.items1x:01k2jv4c7q9x3m5n8r0s", "ask.:01k2jv4c7q9x3m5n8r0s",
	    "ask.none:01k2jv4c7q9x3m5n8r0s",
	    "ask.approve:01k2jv4c7q9x3m5n8r0s:",
	    "ask.approve:01k2jv4c7q9x3m5n8r0u", "stop:01k2jv4c7q9x3m5n8r0s"};
	char text[BALLOT_ID], want[80];

	for (int verb = BALLOT_APPROVE; verb <= BALLOT_KINDS; verb++) {
		const size_t page = verb >= BALLOT_PAGE ? 39 : 0;

		ballot_id(text, (enum ballot_verb)verb, page, id);
		snprintf(want, sizeof(want), "%d %zu %s", verb, page, id);
		same(meant(text), want, text);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		same(meant(bad[i]), "0 0 ", bad[i]);
	for (size_t n = 0; n < strlen(text); n++) {
		char *cut = malloc(n + 1); /* so that ASan sees its end */

		memcpy(cut, text, n);
		cut[n] = '\0';
		if (strcmp(meant(cut), "0 0 ") != 0)
			ok(false, cut);
		free(cut);
	}
}

/* The custom ids of the controls, in order. */
static const char *
controls(const struct ballot *x)
{
	static struct buf ids;
	struct buf b = {0};
	struct json *root = NULL;
	struct err e = {0};

	buf_clear(&ids);
	ballot_write(&b, x);
	json_read(&root, buf_text(&b), b.len, &e);
	for (const struct json *row = json_first(root); row;
	     row = json_next(row)) {
		const struct json *c = json_first(json_get(row, "components"));

		for (; c; c = json_next(c))
			buf_fmt(&ids, "%.*s ",
			    (int)strcspn(json_string(c, "custom_id"), ":"),
			    json_string(c, "custom_id"));
		buf_str(&ids, "| ");
	}
	json_free(root);
	buf_release(&b);
	return buf_text(&ids);
}

static void
test_controls(void)
{
	struct ballot x = {.id = id,
	    .pages = 1,
	    .item_count = 1,
	    .kind_count = 1};

	snprintf(x.items[0].label, BALLOT_LABEL, "one");
	snprintf(x.items[1].label, BALLOT_LABEL, "two");
	snprintf(x.kinds[0].label, BALLOT_LABEL, "kind");
	same(controls(&x), "ask.approve ask.deny ask.correct ask.stop | ",
	    "one thing has buttons");
	x.item_count = 2;
	same(controls(&x),
	    "ask.items0 | ask.approve ask.deny ask.correct ask.stop | ",
	    "several can be chosen among");
	x.kind_count = 2;
	x.pages = 3;
	x.page = 1;
	same(controls(&x),
	    "ask.items1 | ask.kinds1 | ask.page0 ask.page2 | "
	    "ask.approve ask.deny ask.correct ask.stop | ",
	    "many have pages, and kinds");
	x.page = 2;
	x.item_count = 1;
	same(controls(&x),
	    "ask.items2 | ask.kinds2 | ask.page1 | "
	    "ask.approve ask.deny ask.correct ask.stop | ",
	    "also a last one with a single item");
	x.sure = true;
	same(controls(&x), "ask.sure ask.back | ",
	    "whether they are sure is all that is asked then");
}

int
main(void)
{
	test_ids();
	test_controls();
	return tap_done();
}
