#ifndef TOOL_INSPECT_H
#define TOOL_INSPECT_H
/*
 * inspect - what Sophia is and may do here: the tool inspect_runtime.
 *
 * Nothing secret can be in it: it shows versions, folders, the settings that
 * exist (none holds a secret), named fields of the model profile, the decision
 * for each tool, the task's row, and what its files and artifacts are called: a
 * hundred of each at most.
 */

#include "tool/serve.h"

serve_fn inspect_runtime;

#endif
