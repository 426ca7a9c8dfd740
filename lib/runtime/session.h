#ifndef RUNTIME_SESSION_H
#define RUNTIME_SESSION_H
/*
 * session - what the parts of the loop share while a turn runs: its stores,
 * children, dialog and output. Only runtime/loop, heed, think, work and ending use
 * it.
 *
 * Errors   A failure of the store or of the output ends the turn: functions
 *          return -1 and fill *e, and loop_run() says so in an error record.
 */

#include <stdbool.h>
#include <stdio.h>

#include "core/poll.h"
#include "core/reader.h"
#include "core/signals.h"
#include "model/profile.h"
#include "record/any.h"
#include "record/paused.h"
#include "record/turn.h"
#include "runtime/citations.h"
#include "runtime/crew.h"
#include "runtime/dialog.h"
#include "runtime/guard.h"
#include "runtime/mend.h"
#include "runtime/reply.h"
#include "runtime/batch.h"
#include "runtime/executor.h"
#include "store/base.h"
#include "store/runner.h"
#include "store/settings.h"

struct kit;

enum session_state {
	SESSION_THINK,  /* the model is to be asked */
	SESSION_LISTEN, /* it answers */
	SESSION_WORK,   /* its calls are made */
	SESSION_MEND,   /* sources that changed are made right */
	SESSION_OVER,
};

struct session {
	enum session_state state;
	struct any first; /* the line that holds the turn */
	struct turn turn;
	int64_t began_ms; /* on the boot clock */

	struct store store;
	struct settings settings;
	struct profile profile;
	struct runner runner;
	struct kit *kit;

	struct poll poll;
	struct reader input;
	struct poll_timer tick;
	struct signals signals;
	int killed; /* by this signal, but in order */
	struct crew crew;
	struct crew_job ask; /* the request under way */
	char ask_id[ID_LEN + 1];
	int64_t estimate; /* of its tokens */

	struct dialog dialog;
	size_t opened; /* so many messages of it came before any reply */
	struct mend mend;
	struct reply reply;
	struct batch batch;
	struct executor executor;
	struct guard guard;
	struct citations citations;
	struct buf steer;      /* to be told after a batch */
	bool begun;            /* the turn is on disk: it must get a verdict */
	bool look;             /* there may be control rows */
	bool stopping;         /* as soon as what is sent has its outcome */
	bool stopped_by_other; /* than who asked for the turn */
	bool mute;             /* the output is broken */
	bool answered;
	bool was_empty, was_cut, was_made_up, /* corrected once already */
	    was_long, was_gone;
	int64_t calls; /* made in this turn */

	FILE *output;
	struct buf out;
	struct err broken;  /* why the output is mute */
	struct err outcome; /* why there is no answer */
};

/* Write the records in s->out to the adapter. */
void session_emit(struct session *s);

/* heed: take in what people, and deletions, have told the task since. */
int session_heed(struct session *s, struct err *e);

/* think: ask the model; and what to do with what it answered. */
int think_ask(struct session *s, struct err *e);
int think_hear(struct session *s, struct err *e);

/* End with an answer, if every message it links has been seen. */
int think_answer(struct session *s, const char *text, struct err *e);

/* work: begin the calls of the reply; and finish them when all have ended. */
int work_begin(struct session *s, struct err *e);
int work_end(struct session *s, struct err *e);

/* ending: the verdict, stored and then said. Each ends the session. */
int ending_answer(struct session *s, const char *text, struct err *e);
int ending_pause(struct session *s, enum paused_reason reason, const char *text,
    struct err *e);
int ending_doubt(struct session *s, struct err *e); /* executor.doubt */
int ending_fail(struct session *s, const struct err *why, struct err *e);
int ending_cancel(struct session *s, struct err *e);

/* Write `done` alone, stored or not. */
void ending_say(struct session *s, const struct ending *end);

#endif
