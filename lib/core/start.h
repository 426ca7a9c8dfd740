#ifndef CORE_START_H
#define CORE_START_H
/*
 * start - the first thing a program does.
 *
 * Opens descriptors 0 to 2 on /dev/null where they are closed, so that 0 in a
 * struct can mean "none" and no file of ours ever becomes stderr; and sets the
 * umask so that nothing we make is readable by others. Exits 70 if it can't.
 */

void start(void);

#endif
