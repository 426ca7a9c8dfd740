#ifndef WORKSPACE_TOOL_INSPECT_H
#define WORKSPACE_TOOL_INSPECT_H
/*
 * tool_inspect - sandbox_inspect: pictures among the files of a task, or frames
 * of a video, are shown to its model.
 *
 *	{"paths":[PATH,...],"times":[SECONDS,...]?}
 *
 * Without times each path is a picture; with times there is one path, of a
 * video (or an animated GIF), and each time is a frame of it.
 *
 * Whether the model takes pictures is asked first, before any file is read.
 * Then copies are made in a container (see preview), kept as pictures of the
 * call, and named in the result's `media`, with file and time; the loop shows
 * them. One that can't be had is said in data, beside those that can; if there
 * is none at all, it is an error. ctx is the toolbox.
 */

#include "tool/serve.h"

int tool_inspect(void *ctx, struct serve_talk *t, struct answer_parts *a,
    struct err *e);

#endif
