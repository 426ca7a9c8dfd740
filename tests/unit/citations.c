#include <stdlib.h>

#include "core/buf.h"
#include "core/err.h"
#include "ext/json.h"
#include "runtime/citations.h"
#include "tap.h"

#define LINK "https://discord.com/channels/1/2/"

static const char sources[] = "[{\"url\":\"" LINK
			      "30\",\"text\":\"secret\",\"at\":\"x\"},"
			      "{\"url\":\"" LINK "300\"},{\"url\":\"" LINK
			      "31\"},"
			      "{\"url\":\"" LINK "30\"},{\"no\":\"url\"}]";

int
main(void)
{
	struct citations c = {0};
	struct json *list;
	struct buf b = {0};
	struct err e = {0};

	ok(json_read(&list, sources, strlen(sources), &e) == 0, "sources");
	citations_add(&c, list);
	citations_add(&c, NULL);
	json_free(list);
	citations_write(&b, &c, "It is so: " LINK "31, see (" LINK "300).");
	same(buf_text(&b),
	    "[{\"url\":\"" LINK "31\"},{\"url\":\"" LINK "300\"}]",
	    "what an answer links is cited in its order, longer ids apart");
	buf_clear(&b);
	citations_write(&b, &c, LINK "30 and " LINK "30");
	same(buf_text(&b), "[{\"url\":\"" LINK "30\",\"at\":\"x\"}]",
	    "a source is cited once, without its text");
	buf_clear(&b);
	ok(citations_unseen(&c, "no link, https://example.org/", &b) == 0,
	    "other links are let pass");
	ok(citations_unseen(&c, LINK "30 " LINK "3 " LINK "31.", &b) == 1,
	    "a message that no source has is made up");
	same(buf_text(&b), LINK "3\n", "and it is named");
	citations_release(&c);
	buf_release(&b);
	return tap_done();
}
