#ifndef CORE_HOME_H
#define CORE_HOME_H
/*
 * home - where the state folder and the shared data are.
 *
 * State    $SOPHIA_HOME; else storage/ of the checkout the program runs in;
 *          else $XDG_STATE_HOME/sophia, which is ~/.local/state/sophia.
 * Shared   $SOPHIA_SHARE; else share/ of that checkout; else ../share/sophia
 *          beside the folder the program is installed in.
 * Memory   The paths live as long as the program.
 */

#include <limits.h>
#include <stdbool.h>

struct err;

/* The state folder and share/. ERR_CONFIG if there is no way to tell. */
const char *home_state(struct err *e); /* NULL and *e on failure */
const char *home_share(struct err *e);

/* Folder of this program's binary; "" if /proc does not tell. */
const char *home_bin(void);

/* The program of that name in an absolute folder of $PATH. */
bool home_in_path(char out[PATH_MAX], const char *name);

/* "STATE/name" or "SHARE/name" in out; ERR_CONFIG if it does not fit. */
int home_path(char out[PATH_MAX], const char *name, struct err *e);
int home_share_path(char out[PATH_MAX], const char *name, struct err *e);

#endif
