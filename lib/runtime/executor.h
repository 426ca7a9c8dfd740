#ifndef RUNTIME_EXECUTOR_H
#define RUNTIME_EXECUTOR_H
/*
 * executor - may this call be made? The one gate that every call passes.
 *
 * A call is validated against its tool's schema, then decided by its tier:
 * `read` and `scratch` calls of an admitted turn are allowed. A `write` or
 * `destructive` call needs a grant, an approval and a receipt before it is
 * sent; their records and tables exist, but nobody can give them yet, so such a
 * call is refused here with ERR_APPROVAL and nothing is done. There is no other
 * way to a tool's program than through this gate.
 *
 * Errors   In words for the model: ERR_INPUT for a fault it can mend.
 */

struct err;
struct json;
struct manifest;

/* input is NULL if the arguments' text was no JSON object. */
int executor_admit(const struct manifest *tool, const char *name,
    const struct json *input, const char *text, struct err *e);

#endif
