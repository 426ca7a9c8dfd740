#include "runtime/outcome.h"
#include "tap.h"

static enum receipt_state
judge(enum outcome_end end, int open, int succeeded, int failed, int unknown)
{
	return outcome_judge(end,
	    &(struct outcome_parts){open, succeeded, failed, unknown});
}

static void
test_whole(void)
{
	ok(judge(OUTCOME_DONE, 0, 0, 0, 0) == RECEIPT_SUCCEEDED,
	    "what a tool says it did is done");
	ok(judge(OUTCOME_NOTHING, 0, 0, 0, 0) == RECEIPT_FAILED,
	    "what certainly had no effect has failed");
	ok(judge(OUTCOME_DOUBT, 0, 0, 0, 0) == RECEIPT_UNKNOWN,
	    "what nobody tells isn't known");
	ok(judge(OUTCOME_PARTLY, 0, 0, 0, 0) == RECEIPT_PARTIAL,
	    "what was done in part, by the tool's word, is so");
	ok(judge(OUTCOME_UNSENT, 0, 0, 0, 0) == RECEIPT_FAILED,
	    "what never reached a tool has failed");
}

static void
test_parts(void)
{
	ok(judge(OUTCOME_DONE, 0, 3, 0, 0) == RECEIPT_SUCCEEDED,
	    "all parts done: done");
	ok(judge(OUTCOME_DONE, 0, 2, 1, 0) == RECEIPT_PARTIAL,
	    "a part that failed makes it partial, whatever the tool says");
	ok(judge(OUTCOME_NOTHING, 0, 2, 0, 0) == RECEIPT_PARTIAL,
	    "an error takes nothing back that was done");
	ok(judge(OUTCOME_NOTHING, 0, 0, 2, 0) == RECEIPT_FAILED,
	    "nothing but failures: failed");
	ok(judge(OUTCOME_PARTLY, 0, 0, 2, 0) == RECEIPT_FAILED,
	    "also if the tool calls it partial");
	for (int end = OUTCOME_DONE; end <= OUTCOME_DOUBT; end++) {
		ok(judge((enum outcome_end)end, 1, 2, 0, 0) == RECEIPT_UNKNOWN,
		    "a part that has no end isn't known");
		ok(judge((enum outcome_end)end, 0, 2, 0, 1) == RECEIPT_UNKNOWN,
		    "nor is one whose end isn't");
	}
}

int
main(void)
{
	test_whole();
	test_parts();
	return tap_done();
}
