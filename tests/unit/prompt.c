#include <stdlib.h>

#include "core/buf.h"
#include "core/err.h"
#include "runtime/prompt.h"
#include "tap.h"

/* Run at the top of the tree, where share/ is. */
int
main(void)
{
	struct prompt p = {.voice = "casual",
	    .language = "the language of the request",
	    .actor = "{{task}} {{nobody}}",
	    .location = "local",
	    .visibility = "only you",
	    .task = "T1"};
	struct buf b = {0};
	struct err e = {0};

	setenv("SOPHIA_SHARE", "share", 1);
	ok(prompt_write(&b, &p, &e) == 0, "the shipped prompt is complete");
	ok(strstr(buf_text(&b), "Task: T1") != NULL, "a parameter is put in");
	ok(strstr(buf_text(&b), "Person asking: {{task}} {{nobody}}") != NULL,
	    "a value brings no other parameter in");
	ok(strstr(buf_text(&b), "Relaxed") != NULL, "so is the voice");
	p.voice = "../../etc/passwd";
	ok(prompt_write(&b, &p, &e) < 0 && e.kind == ERR_CONFIG,
	    "a voice that is not there is refused");
	buf_release(&b);
	return tap_done();
}
