#include "runtime/guard.h"
#include "tap.h"

int
main(void)
{
	struct guard g = {0};

	ok(guard_call(&g, "search", "{1}") == GUARD_GO, "a call goes");
	guard_result(&g, "search", "{1}", "none", true);
	ok(guard_call(&g, "search", "{1}") == GUARD_GO, "and again");
	guard_result(&g, "search", "{1}", "none", true);
	ok(guard_call(&g, "search", "{2}") == GUARD_GO,
	    "other arguments are another call");
	ok(guard_call(&g, "search", "{1}") == GUARD_CORRECT,
	    "after the same answer twice it is corrected");
	ok(guard_call(&g, "search", "{1}") == GUARD_PAUSE,
	    "and then the turn ends");
	for (int i = 0; i < 10; i++) {
		char answer[2] = {(char)('a' + i), '\0'};

		ok(guard_call(&g, "random", "{}") == GUARD_GO,
		    "a call whose answers differ may go on");
		guard_result(&g, "random", "{}", answer, true);
	}
	for (int i = 1; i < GUARD_FAILURES; i++)
		ok(guard_result(&g, "a", "{}", "no", false) == GUARD_GO,
		    "a failure is left to the model");
	ok(guard_result(&g, "b", "{}", "no", false) == GUARD_CORRECT,
	    "several in a row are pointed out");
	ok(guard_result(&g, "c", "{}", "yes", true) == GUARD_GO,
	    "a success forgets them");
	for (int i = 1; i < 2 * GUARD_FAILURES; i++)
		guard_result(&g, "d", "{}", "no", false);
	ok(guard_result(&g, "d", "{}", "no", false) == GUARD_PAUSE,
	    "as many more end the turn");
	guard_release(&g);
	return tap_done();
}
