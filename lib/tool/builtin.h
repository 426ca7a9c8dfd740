#ifndef TOOL_BUILTIN_H
#define TOOL_BUILTIN_H
/*
 * builtin - the tools that sophia-tool itself serves: evaluate_math,
 * query_json, measure_text_length, tool_search and inspect_runtime.
 */

struct err;

/* Answer calls until the end of in, as in tool/serve. */
int builtin_serve(int in, struct err *e);

#endif
