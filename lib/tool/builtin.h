#ifndef TOOL_BUILTIN_H
#define TOOL_BUILTIN_H
/*
 * builtin - the tools that sophia-tool itself serves: evaluate_math,
 * query_json, measure_text_length, tool_search and inspect_runtime.
 */

#include <stdio.h>

struct err;

/* Answer calls until the end of in, as in tool/serve. */
int builtin_serve(FILE *in, struct err *e);

#endif
