#ifndef CORE_START_H
#define CORE_START_H
/*
 * start - the first thing a program does.
 *
 * - Opens descriptors 0 to 2 on /dev/null where they are closed, so that 0 in a
 *   struct can mean "none" and no file of ours ever becomes stderr. They are
 *   opened for reading: stdin is at its end, and who prints learns that nobody
 *   listens, as on a closed descriptor.
 * - Sets the umask so that nothing we make is readable by others.
 * - With a secret in the environment, even one for a child of ours, leaves no
 *   core file (core/secret).
 * - Gives SIGPIPE and SIGCHLD their defaults and holds no signal back, whatever
 *   our parent had set up: without SIGCHLD there is no exit code of a child. An
 *   ignored SIGHUP or SIGINT stays ignored, since nohup and `&` mean it.
 */

/* Exits 70 if there is no /dev/null. */
void start(void);

/*
 * For a program that dispatches effects: a closed stdout becomes an error of
 * the write, so that it can settle. Programs it starts get the default.
 */
void start_without_sigpipe(void);

#endif
