#include "runtime/outcome.h"

enum receipt_state
outcome_judge(enum outcome_end end, const struct outcome_parts *parts)
{
	if (end == OUTCOME_UNSENT)
		return RECEIPT_FAILED;
	if (end == OUTCOME_DOUBT || parts->open || parts->unknown)
		return RECEIPT_UNKNOWN;
	if (end == OUTCOME_PARTLY)
		return parts->failed && !parts->succeeded ? RECEIPT_FAILED
							  : RECEIPT_PARTIAL;
	if (end == OUTCOME_DONE)
		return parts->failed ? RECEIPT_PARTIAL : RECEIPT_SUCCEEDED;
	return parts->succeeded ? RECEIPT_PARTIAL : RECEIPT_FAILED;
}
