#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "ext/json.h"
#include "record/any.h"
#include "record/approval.h"
#include "record/call.h"
#include "record/control.h"
#include "record/decision.h"
#include "record/error.h"
#include "record/finish.h"
#include "record/part.h"
#include "record/proposal.h"
#include "record/reasoning.h"
#include "record/request.h"
#include "record/result.h"
#include "record/tool_call.h"
#include "record/turn.h"
#include "record/usage.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define READ(kind, word)                                                       \
	if (any_is(&a, word)) {                                                \
		struct kind x;                                                 \
		result = kind##_read(&x, a.root, &e);                          \
		if (result == 0)                                               \
			kind##_write(out, &x);                                 \
	}

/* Read the line as what it says it is, and write it; -1 if it is not. */
static int
again(struct buf *out, const char *text, size_t len)
{
	struct any a = {0};
	struct err e = {0};
	int result = any_read(&a, text, len, &e);

	READ(turn, "turn")
	READ(call, "call")
	READ(result, "result")
	READ(error, "error")
	READ(control, "hint")
	READ(control, "cancel")
	READ(control, "go")
	READ(part, "part")
	READ(proposal, "proposal")
	READ(reasoning, "reasoning")
	READ(tool_call, "tool_call")
	READ(usage, "usage")
	READ(finish, "finish")
	READ(decision, "decision")
	if (any_is(&a, "approval")) {
		struct approval x;

		result = approval_read(&x, a.root, &e);
		if (result == 0)
			approval_write(out, &x);
		approval_release(&x);
	}
	if (any_is(&a, "request")) {
		struct request x;

		result = request_read(&x, a.root, &e);
		if (result == 0)
			request_write(out, &x);
		request_release(&x);
	}
	any_release(&a);
	if (result < 0 && e.kind != ERR_INPUT)
		abort();
	return result;
}

/* What is read can be written, and then reads and writes the same again. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf first = {0}, second = {0};

	if (again(&first, (const char *)data, size) == 0 && first.len &&
	    (again(&second, first.data, first.len) < 0 ||
		strcmp(first.data, second.data) != 0))
		abort();
	buf_release(&first);
	buf_release(&second);
	return 0;
}
