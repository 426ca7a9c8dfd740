#ifndef TOOL_TALK_H
#define TOOL_TALK_H
/* talk - what a served call says and hears while it runs: parts of tool/serve.
 */

#include <stdbool.h>
#include <stddef.h>

#include "core/err.h"

struct buf;
struct serve_talk;

/* Write the line to stdout at once, and release it; kind is of the error. */
int talk_say(struct buf *line, enum err_kind kind, struct err *e);

/* A line came: is it a cancel of the call, which ctx is the talk of? */
bool talk_told(void *ctx, const char *text, size_t len);

void talk_give_up(struct serve_talk *t);

#endif
