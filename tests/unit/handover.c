/* What code asks while it runs: cut at every byte, kept, found, and refused. */
#include "workspace/handover.h"

#include <stdlib.h>

#include "core/err.h"
#include "core/mem.h"
#include "ext/json.h"
#include "tap.h"
#include "workspace/attic.h"
#include "workspace/door.h"
#include "core/media.h"

struct play {
	struct attic attic;
	struct door door;
	struct handover h;
	struct buf said;
	struct err e;
};

static struct play *
begin(void)
{
	struct play *p = mem_new(sizeof(*p));

	p->door = (struct door){&attic_keeper, &p->attic};
	p->h.answer = door_answer;
	p->h.ctx = &p->door;
	handover_hear(&p->h, 0, NULL, 0, &p->said, &p->e);
	return p;
}

static void
end(struct play *p)
{
	handover_release(&p->h);
	handover_release(&p->h);
	attic_release(&p->attic);
	attic_release(&p->attic);
	buf_release(&p->said);
	free(p);
}

/* Ask; what was answered is said alone. */
static const char *
ask(struct play *p, const char *question)
{
	buf_clear(&p->said);
	handover_hear(&p->h, 0, question, strlen(question), &p->said, &p->e);
	return buf_text(&p->said);
}

static const char *
error_of(const char *answer)
{
	static char text[200];
	struct json *v = NULL;
	struct err e = {0};
	const size_t len = strcspn(answer, "\n");
	const char *why = json_object(&v, answer, len, &e) == 0
			      ? json_string(v, "error")
			      : "no JSON";

	snprintf(text, sizeof(text), "%s", why ? why : "none");
	json_free(v);
	return text;
}

static void
test_cuts(void)
{
	static const char
	    asked[] = "{\"do\":\"attach\",\"size\":3,\"name\":\"x.txt\"}\nabc"
		      "{\"do\":\"read\",\"size\":0,\"which\":\"x.txt\"}\n"
		      "{\"do\":\"attach\",\"size\":0,\"name\":\"e\"}\n";
	size_t good = 0, len = sizeof(asked) - 1;

	for (size_t cut = 1; cut < len; cut++) {
		struct play *p = begin();

		handover_hear(&p->h, 0, asked, cut, &p->said, &p->e);
		handover_hear(&p->h, 0, asked + cut, len - cut, &p->said,
		    &p->e);
		good += p->attic.count == 2 &&
			strstr(buf_text(&p->said), "\n{\"bytes\":3}\nabc{") &&
			p->attic.items[1].bytes.len == 0;
		end(p);
	}
	ok(good == len - 1, "questions are the same wherever they are cut");
}

static void
test_versions(void)
{
	struct play *p = begin();

	ask(p, "{\"do\":\"attach\",\"size\":1,\"name\":\"x\"}\n1");
	ask(p, "{\"do\":\"attach\",\"size\":1,\"name\":\"x\"}\n2");
	ok(p->attic.count == 2 && p->attic.items[1].version == 2,
	    "the same name is the next version");
	same(p->attic.items[1].id, p->attic.items[0].id, "of the same one");
	same(ask(p, "{\"do\":\"read\",\"size\":0,\"which\":\"x\"}\n"),
	    "{\"bytes\":1}\n2", "the latest is read");
	same(ask(p, "{\"do\":\"read\",\"size\":0,\"which\":\"x\","
		    "\"version\":1}\n"),
	    "{\"bytes\":1}\n1", "or one by its number");
	same(ask(p, "{\"do\":\"read\",\"size\":0,\"which\":\"x\","
		    "\"version\":-2}\n"),
	    "{\"bytes\":1}\n1", "or from the end");
	same(error_of(ask(p, "{\"do\":\"get\",\"size\":0,\"which\":\"x\","
			     "\"version\":3}\n")),
	    "there is no such attachment", "but not one that isn't there");
	ok(attic_is_last(&p->attic, 1) && !attic_is_last(&p->attic, 0),
	    "the last version is known");
	end(p);
}

static void
test_refusals(void)
{
	struct play *p = begin();
	char *line = mem_new(HANDOVER_LINE_MOST + 8);

	same(error_of(ask(p, "{\"do\":\"dance\",\"size\":0}\n")),
	    "nobody knows how to do that", "what nobody knows");
	same(error_of(ask(p, "{\"do\":\"attach\",\"size\":0,"
			     "\"name\":\"../x\"}\n")),
	    "a filename is needed, without a folder", "a name with a folder");
	same(error_of(ask(p, "{\"do\":\"attach\",\"size\":0,"
			     "\"name\":\"..\"}\n")),
	    "the path '..' has a part that is . or ..", "a name that is none");
	same(error_of(ask(p, "{\"size\":0}\n")),
	    "a question must say what to do", "nothing to do");
	ok(p->attic.count == 0, "nothing of it is kept");
	same(error_of(ask(p, "nonsense\n")),
	    "the question is not a JSON object", "what is no JSON");
	same(ask(p, "{\"do\":\"list\",\"size\":0}\n"), "",
	    "after that the connection is mute");
	ok(handover_hear(&p->h, 0, NULL, 0, &p->said, &p->e) < 0,
	    "it can't be opened twice");
	handover_hang(&p->h, 0);
	ok(handover_hear(&p->h, 0, NULL, 0, &p->said, &p->e) == 0, "but anew");
	same(error_of(ask(p, "{\"do\":\"list\",\"size\":-1}\n")),
	    "more than 20 MiB at once", "a size that can't be");
	handover_hang(&p->h, 0);
	handover_hear(&p->h, 0, NULL, 0, &p->said, &p->e);
	memset(line, ' ', HANDOVER_LINE_MOST + 1);
	same(error_of(ask(p, line)), "the question is too long",
	    "a line without an end");
	ok(handover_hear(&p->h, 3, "x", 1, &p->said, &p->e) < 0 &&
		handover_hear(&p->h, 16, NULL, 0, &p->said, &p->e) < 0,
	    "a connection that isn't open, and one whose place is taken");
	handover_hang(&p->h, 0);
	ok(handover_hear(&p->h, 16, NULL, 0, &p->said, &p->e) == 0 &&
		handover_hear(&p->h, 0, "x", 1, &p->said, &p->e) < 0 &&
		handover_hear(&p->h, 16, "x", 1, &p->said, &p->e) == 0,
	    "the next one there has another number");
	free(line);
	end(p);
}

static void
test_ceilings(void)
{
	struct play *p = begin();
	char question[80];

	for (int i = 0; i < MINT_MOST; i++) {
		snprintf(question, sizeof(question),
		    "{\"do\":\"attach\",\"size\":0,\"name\":\"f%d\"}\n", i);
		ask(p, question);
	}
	same(error_of(ask(p, "{\"do\":\"attach\",\"size\":0,"
			     "\"name\":\"more\"}\n")),
	    "more than 100 attachments in one call", "the 101st is refused");
	ok(p->attic.count == MINT_MOST, "and those before it are there");
	end(p);
}

static void
test_media(void)
{
	same(media_type("\x89PNG\r\n\x1a\n....", 12, "x.txt"), "image/png",
	    "bytes decide, not the name");
	same(media_type("a,b\n", 4, "x.csv"), "text/csv",
	    "the name decides what kind of text it is");
	same(media_type("PK\3\4....", 8, "x.xlsx"),
	    "application/"
	    "vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	    "and what is packed as ZIP");
	same(media_type("\0\1\2", 3, "x.png"), "application/octet-stream",
	    "what is not known is said to be that");
	same(media_type("", 0, "x"), "text/plain", "nothing is a text");
	same(media_type("\0\0\0\x18"
			"ftypisom",
		 12, "x"),
	    "video/mp4", "a film");
	same(media_kind("image/png"), "image", "a picture is an image");
	same(media_kind("image/svg+xml"), "document", "a drawing is none");
	same(media_kind("application/zip"), "other", "an archive is another");
}

int
main(void)
{
	test_cuts();
	test_versions();
	test_refusals();
	test_ceilings();
	test_media();
	return tap_done();
}
