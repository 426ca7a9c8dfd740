#ifndef RUNTIME_PROMPT_H
#define RUNTIME_PROMPT_H
/*
 * prompt - the system prompt, from share/prompts.
 *
 * Only authenticated ids and this machine's own configuration go into it: names
 * and whatever else people wrote are source messages (see context). Parameters,
 * written {{name}}, are replaced in one pass, so a value can't bring in
 * another.
 *
 * Order    What differs from task to task comes last, so that the beginning is
 *          the same bytes for every request and a provider's cache can hit.
 * Errors   ERR_CONFIG for a missing file or a parameter nobody knows.
 */

struct buf;
struct err;

struct prompt {
	const char *voice;    /* "balanced", "casual", "formal" */
	const char *language; /* of answers, in words */
	const char *actor;    /* an id, or "local" */
	const char *location;
	const char *visibility;
	const char *task;
};

int prompt_write(struct buf *out, const struct prompt *p, struct err *e);

#endif
