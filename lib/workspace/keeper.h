#ifndef WORKSPACE_KEEPER_H
#define WORKSPACE_KEEPER_H
/*
 * keeper - keep a spare container (see spare) until a signal, of the engine and
 * the image that the settings name; when they change, that is followed at once.
 *
 * A signal ends the container that is ready, and waits for one that is in use; a
 * second one doesn't. What keeps a container from starting is logged.
 *
 * Errors   ERR_CONFIG if running code is switched off; ERR_AGAIN if another one
 *          keeps a spare for this state folder.
 */

struct err;

int keeper_run(struct err *e);

#endif
