#ifndef RUNTIME_CREW_H
#define RUNTIME_CREW_H
/*
 * crew - the programs that a turn keeps open: the model and the tools.
 *
 * A job is one line to a program and the lines it answers, which carry the
 * job's id. A program that serves is kept for the next job and does one at a
 * time: jobs side by side are more programs. The others live for one job, and
 * their records may leave the id out.
 *
 * Nonsense A line that is no record, or a thousand that belong to no job, and
 *          the program gets no more jobs.
 * Ending   line() returns true for the line that ends the job; or failed() is
 *          called, once: the program died, wrote what is not a record, or took
 *          too long. Late lines of a job that ended are ignored. crew_cancel()
 *          asks the program to give the job up; 2 s later its group is killed.
 * Words    What a program says on stderr is for the error if it dies: its last
 *          line is quoted there, for the model and a person to read.
 * Memory   {0} with poll set is an empty crew. A job belongs to its owner and
 *          must not move while it runs. Records are borrowed for the call.
 * Units    Deadlines are milliseconds of clock_boot_ms().
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct json;
struct poll;

/* How a program is started; borrowed for the life of the crew. */
struct crew_post {
	const char *const *argv; /* [0] is a path */
	const char *const *envp;
	const char *cwd;   /* NULL for ours */
	bool serves;       /* takes job after job until its input ends */
	bool tidies;       /* has something to clear up after a cancel */
	size_t line_limit; /* bytes of a line to it; 0 for 1 MiB, which holds
			      for those from it, or else 4 MiB */
};

struct crew_job {
	const char *id;      /* of the lines that belong to it */
	int64_t deadline_ms; /* POLL_NEVER for none */
	bool talks;          /* its program is told more (see crew_say) */
	bool (*line)(void *ctx, const struct json *record);
	void (*failed)(void *ctx, const struct err *why);
	void *ctx;

	struct crew_hand *hand; /* private: who does it */
};

struct crew {
	struct poll *poll;
	struct crew_hand *hands; /* private */
};

/* Start one that serves before it is needed, so that it is ready then. */
int crew_warm(struct crew *c, const struct crew_post *post, struct err *e);

/* Give a program a job. When this fails, neither callback is called. */
int crew_give(struct crew *c, const struct crew_post *post, const char *line,
    size_t len, struct crew_job *job, struct err *e);

/* Tell the program that does the job a line more. -1 if it is gone. */
int crew_say(struct crew_job *job, const char *line, size_t len, struct err *e);

/* Give a job up: no callback after this. Harmless if it doesn't run. */
void crew_cancel(struct crew_job *job);

/*
 * End and reap every program. One that tidies after a job that was given up gets
 * CHILD_GRACE_MS for it: nobody else may be a member of the poll by then.
 */
void crew_release(struct crew *c);

#endif
