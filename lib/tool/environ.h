#ifndef TOOL_ENVIRON_H
#define TOOL_ENVIRON_H
/*
 * environ - the environment of a child: ours, without the secrets it doesn't
 * need.
 *
 * Secrets  Discord's token, the web search key, every variable that a model
 *          profile names as its key, and whatever is called like a secret
 *          (..._KEY, ..._TOKEN, ..._SECRET, ..._PASSWORD). The path of the
 *          secrets file goes only where a secret may.
 * Besides  SOPHIA_HOME and SOPHIA_SHARE are always set, to where they are.
 * Memory   Whoever makes one releases it.
 */

struct err;

struct environ {
	char **list; /* "NAME=VALUE", ended by NULL: as execve(2) wants it */
};

/* For a child with those needs: bits of enum need. */
int environ_make(struct environ *v, unsigned needs, struct err *e);
void environ_release(struct environ *v); /* harmless on {0}, or twice */

#endif
