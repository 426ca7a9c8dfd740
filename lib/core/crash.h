#ifndef CORE_CRASH_H
#define CORE_CRASH_H
/*
 * crash - moments at which a test kills the program, to see that what it left
 * behind is whole. A normal build has nothing of this.
 *
 * Place    One before and one after each boundary of what lasts: a commit, a
 *          rename, a sync, something sent. CRASH_POINT("layer.event") stands
 *          just before, "layer.event.done" just after. A name is used once.
 * Build    `make crash-build`: -DSOPHIA_CRASH, into build/crash. There, every
 *          name lies in the section CRASH_SECTION, ended by NUL, so a test
 *          reads from the binaries what points there are.
 * Run      SOPHIA_CRASH=NAME[:N] is SIGKILL for the process that passes that
 *          point for the N-th time (the first, without N). If SOPHIA_CRASH_LOG
 *          names a file, a line "PID NAME" is added to it at each pass, and
 *          nobody is killed twice: FILE.killed is made first, by one alone.
 *          With a second one after a comma, somebody is killed at that too, at
 *          its N-th pass since: FILE.killed.2, and so on.
 * Hold     SOPHIA_CRASH_HOLD=NAME[:N] is SIGSTOP for one process, which says so
 *          in FILE.held: a test does something just then, and lets it go on.
 */

#ifdef SOPHIA_CRASH

#define CRASH_SECTION "sophia_crash"
#define CRASH_POINT(name)                                                      \
	do {                                                                   \
		static const char crash_name[]                                 \
		    __attribute__((section(CRASH_SECTION), used)) = name;      \
		crash_pass(crash_name);                                        \
	} while (0)

#else
#define CRASH_POINT(name) ((void)0)
#endif

void crash_pass(const char *name); /* for CRASH_POINT alone */

#endif
