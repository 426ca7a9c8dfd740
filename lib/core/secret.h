#ifndef CORE_SECRET_H
#define CORE_SECRET_H
/*
 * secret - a token or key, from the environment or from the secrets file.
 *
 * The file is the one that $SOPHIA_SECRETS names: NAME=VALUE lines; blank
 * lines and those that begin with '#' are skipped, and so is space around a
 * name or a value. It must be ours and closed to group and others (mode 0600);
 * one in $CREDENTIALS_DIRECTORY is, for systemd sees to it, whatever its mode
 * looks like (systemd.exec(5), "LoadCredential": a root's file that an access
 * list opens to us alone).
 * The environment goes before it.
 *
 * A program that holds a secret is not dumpable: no core file, no ptrace, no
 * /proc/PID/environ or mem for others of the same user.
 */

#include <stdbool.h>

struct buf;
struct err;

/* Whether a variable "NAME=..." is called as secrets are: its name ends so. */
bool secret_named(const char *variable);

/* Be not dumpable if the environment has a secret, whoever it is for. */
void secret_hide(void);

/*
 * Add the secret's value to out: 1, or 0 if there is none (or an empty one).
 * ERR_CONFIG if the file can't be read, is open to others, or has a bad line.
 * Its text never quotes the file.
 */
int secret_get(struct buf *out, const char *name, struct err *e);

/* Is there one: 1, 0 or -1. Its value is wiped from memory at once. */
int secret_is_set(const char *name, struct err *e);

#endif
