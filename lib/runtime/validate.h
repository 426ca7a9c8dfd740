#ifndef RUNTIME_VALIDATE_H
#define RUNTIME_VALIDATE_H
/*
 * validate - is this call one that can be made at all? Every call passes here
 * first. Whether it may be made is another question (see executor).
 *
 * Errors   In words for the model: ERR_INPUT for a fault it can mend.
 */

struct err;
struct json;
struct manifest;

/* input is NULL if the arguments' text was no JSON object. */
int validate_call(const struct manifest *tool, const char *name,
    const struct json *input, const char *text, struct err *e);

#endif
