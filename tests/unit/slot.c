/* Slots for requests to models, shared by programs that come and go. */
#define _GNU_SOURCE
#include "model/slot.h"

#include <sys/wait.h>

#include "scratch.h"
#include "tap.h"

static int
try(struct slot *s, const char *actor, bool background)
{
	struct err e = {0};

	return slot_try(s, 2, actor, background, &e);
}

static void
dies_with_its_slot(void)
{
	struct slot s = {0};
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		struct slot a = {0}, b = {0};

		_exit(try(&a, "1", false) == 1 && try(&b, "2", false) == 1 ? 0
									   : 1);
	}
	waitpid(pid, &status, 0);
	ok(status == 0 && try(&s, "1", false) == 1,
	    "the kernel frees the slots of a program that died");
	slot_drop(&s);
}

int
main(void)
{
	struct slot a = {0}, b = {0}, c = {0}, d = {0}, none = {0};

	scratch_open();
	mkdir(in_scratch("home"), 0700);
	ok(try(&a, "1", false) == 1, "there is a slot");
	ok(try(&a, "1", false) == 1, "and it stays taken");
	ok(try(&b, "1", false) == 0, "one person has one");
	ok(try(&c, "2", false) == 1, "another person has another");
	ok(try(&d, "3", false) == 0, "there are no more than two");
	slot_drop(&a);
	ok(try(&none, "4", true) == 0,
	    "the background waits while a person does");
	ok(try(&d, "3", false) == 1, "who gets the free one");
	slot_drop(&c);
	ok(try(&none, "4", true) == 1, "then it is the background's turn");
	slot_drop(&none);
	ok(try(&b, NULL, false) == 1, "nobody in particular may have one");
	slot_drop(&b);
	slot_drop(&d);
	slot_drop(&d);
	ok(slot_background("dream") && !slot_background("task"),
	    "dreams are in the background");
	dies_with_its_slot();
	scratch_close();
	return tap_done();
}
