#ifndef RUNTIME_OUTCOME_H
#define RUNTIME_OUTCOME_H
/*
 * outcome - what is known of a change when its tool is done with it. Pure.
 *
 * Nothing counts as done or not done unless somebody said so; what a tool says
 * of the whole can't unsay what it said of a part.
 */

#include "store/receipt.h"

enum outcome_end {
	OUTCOME_DONE,    /* a result that is ok */
	OUTCOME_PARTLY,  /* a result that isn't */
	OUTCOME_NOTHING, /* an error without an effect */
	OUTCOME_DOUBT,   /* an error that may have had one; it died, took too
			    long, or talked nonsense */
	OUTCOME_UNSENT,  /* its program never got the call */
};

struct outcome_parts {
	int open, succeeded, failed, unknown;
};

enum receipt_state outcome_judge(enum outcome_end end,
    const struct outcome_parts *parts);

#endif
