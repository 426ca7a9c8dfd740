/* What was said in a stretch, as a file and as a result. */
#include "workspace/script.h"

#include "core/buf.h"
#include "core/mem.h"
#include "ext/json.h"
#include "tap.h"
#include "tool/serve.h"

static const struct script plain = {
    .source = "talks/one.mp3",
    .start_ms = 180000,
    .end_ms = 240500,
    .profile = "ear",
    .model = "m-1",
    .words = "hello [inaudible]",
};

static void
file(void)
{
	struct script s = plain;
	struct buf b = {0};

	script_path(&b, &s);
	same(buf_text(&b), "talks/one.mp3.180-240.5.txt",
	    "it lies beside the recording, named by the range");
	buf_clear(&b);
	script_write(&b, &s);
	same(buf_text(&b),
	    "Transcript of talks/one.mp3, from 180 s to 240.5 s\n"
	    "Written down by the model m-1 (profile ear)\n\n"
	    "hello [inaudible]\n",
	    "its head says what it was made from, and by whom");
	s.cut = true;
	buf_clear(&b);
	script_write(&b, &s);
	ok(strstr(buf_text(&b), "there may be more]\n"),
	    "an answer that was cut is marked");
	buf_release(&b);
}

static void
long_name(void)
{
	struct script s = plain;
	char name[256];
	struct buf b = {0};

	memset(name, 'x', 255);
	name[255] = 0;
	memcpy(name + 198, "\xe2\x82\xac", 3);
	s.source = name;
	script_path(&b, &s);
	ok(b.len == 198 + strlen(".180-240.5.txt"),
	    "a long name is cut between two characters");
	buf_release(&b);
}

static void
release(struct answer_parts *a)
{
	buf_release(&a->summary);
	buf_release(&a->data);
}

static void
told(void)
{
	struct script s = plain;
	struct answer_parts a = {0};
	struct buf words = {0};
	struct json *data = NULL;
	struct err e = {0};

	script_tell(&a, &s);
	ok(strstr(buf_text(&a.data), "\"end\":240.5,\"profile\"") != NULL,
	    "at the end of a recording there is no next");
	release(&a);
	a = (struct answer_parts){0};
	for (int i = 0; i < 9000; i++)
		buf_str(&words, "\xe2\x82\xac");
	s.words = buf_text(&words);
	s.goes_on = true;
	script_tell(&a, &s);
	ok(strstr(buf_text(&a.data), "\"next\":240.5") != NULL,
	    "else that is where to go on");
	ok(json_object(&data, buf_text(&a.data), a.data.len, &e) == 0 &&
		json_bool(data, "cut", false) &&
		strlen(json_string(data, "text")) == 8190,
	    "of many words the first are told, and that there are more");
	json_free(data);
	buf_release(&words);
	release(&a);
}

int
main(void)
{
	file();
	long_name();
	told();
	return tap_done();
}
