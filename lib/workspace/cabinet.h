#ifndef WORKSPACE_CABINET_H
#define WORKSPACE_CABINET_H
/*
 * cabinet - keeps what code hands over in a call of a task for good, while the
 * code still runs: it is committed before it is answered (tool/mint), whatever
 * becomes of the run afterwards. (For a run without a task, see attic.)
 *
 * What code lists, gets and reads are all artifacts of the task, whichever call
 * they are from. A list names the last CABINET_LIST.
 *
 * Memory   {0} with the fields of mint set; nothing is to be released.
 */

#include "store/artifact.h"
#include "tool/mint.h"

enum { CABINET_LIST = 1000 };

struct cabinet {
	struct mint mint;
	struct artifact_scan found; /* private */
};

extern const struct door_keeper cabinet_keeper; /* its ctx is the cabinet */

#endif
