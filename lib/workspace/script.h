#ifndef WORKSPACE_SCRIPT_H
#define WORKSPACE_SCRIPT_H
/*
 * script - what was said in a stretch of a recording, as a file of its task and
 * in the result of the call. Pure. Evidence of the kind "transcript": words that
 * a model wrote, not the recording.
 */

#include <stdbool.h>
#include <stdint.h>

struct answer_parts;
struct buf;

struct script {
	const char *source; /* the recording's path */
	int64_t start_ms, end_ms;
	bool goes_on;                /* the recording may, after that */
	const char *profile, *model; /* that listened */
	const char *words;
	bool cut; /* the model's answer was */
};

/* Where it is put: beside the recording, NAME.START-END.txt. */
void script_path(struct buf *b, const struct script *s);

/* The file: at its head what it was made from, and by whom. */
void script_write(struct buf *b, const struct script *s);

/* Fill in summary and data. */
void script_tell(struct answer_parts *a, const struct script *s);

#endif
