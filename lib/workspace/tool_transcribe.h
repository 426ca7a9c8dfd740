#ifndef WORKSPACE_TOOL_TRANSCRIBE_H
#define WORKSPACE_TOOL_TRANSCRIBE_H
/*
 * tool_transcribe - sandbox_transcribe: what is said in a stretch of a
 * recording among the files of a task, written down by a model.
 *
 *	{"path":PATH,"start":SECONDS?,"length":SECONDS?}
 *
 * Whether there is a model that takes sound is asked first: the profile that
 * the setting media.transcriber names, else the task's own. The stretch is cut
 * by a child, `sophia-sandbox cut`, that holds no secret: this program has the
 * providers' keys, and starts no container. The sound is given to the model by
 * another child (see transcriber), and is removed when that has answered.
 *
 * The words become a file of the task beside the recording, NAME.START-END.txt,
 * which says at its head what it was made from and by which model. data.next is
 * where to go on, if the recording does. ctx is the toolbox.
 */

#include "tool/serve.h"

int tool_transcribe(void *ctx, struct serve_talk *t, struct answer_parts *a,
    struct err *e);

#endif
