#ifndef ACCESS_DECIDE_H
#define ACCESS_DECIDE_H
/*
 * decide - may this call be made, for this person, here and now? The one
 * place where that is answered. Nothing is looked up and nothing is kept: ask
 * again, with the settings read anew, before each step.
 *
 * Places      A guild must be enabled, the one that is spoken in and the one
 *             that is changed; direct messages must be on. Nothing lifts that.
 * Grants      An operator ($SOPHIA_OPERATORS, or `local`, the person at the
 *             machine) has every tier, and is asked. Others have what they
 *             were granted, by themselves or by a role, where the change is;
 *             grants add up: of those that reach the call's tier one that asks
 *             nothing is enough. One that ended counts for nothing.
 * Reads       are for whoever is let in (see admission); so is `scratch`, which
 *             is about the asker's own task.
 * Rules       deny beats ask beats allow. Of what a grant permits they deny or
 *             ask about more, or ask about less: an allowed call of its tier is
 *             made without a question. Beyond the grant's tier nothing is.
 * Conditions  A rule for a guild is about changes there, whoever asks from
 *             where. One for a channel that denies or asks is about all that
 *             touches it: what it is, what is in it or around it, and what is
 *             asked for there. One that allows is about calls that touch
 *             nothing else.
 * Protected   Nothing destructive is done to such a channel or role, approved
 *             or not: nor to messages, threads or channels inside, nor to the
 *             category or channel that it is inside of (it would go along, or
 *             lose its place). A channel whose surroundings aren't known may
 *             be one of them, and so may what a call doesn't name.
 * Strictness  A task may ask before each change; after a collaborator's
 *             correction it must. Destructive calls that are asked about take a
 *             second confirmation.
 * Roles       are those that Discord gave when it was asked just now. Not
 *             known, they grant nothing, and each rule that denies or asks for
 *             a role is taken to be about this person.
 *
 * Some tools change who sees what, or delete, whatever their manifest says: they
 * are destructive (access_tier).
 *
 * Memory   access_release() frees the reasons; harmless on {0}, or twice.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"
#include "record/context.h"
#include "record/tier.h"

struct settings;

struct access_ids {
	const char *const *at;
	size_t count;
};

/* Something that is changed, or where something becomes visible. */
struct access_target {
	enum access_kind {
		ACCESS_CHANNEL, /* a thread or a category, too */
		ACCESS_ROLE,
		ACCESS_MEMBER,
		ACCESS_MESSAGE,
		ACCESS_TASK,
	} kind;
	const char *id;
	/*
	 * Of a channel or message: the channels that it is in (a message's
	 * own, a thread's parent, its category), and those that are in it. With
	 * placed false they aren't known.
	 */
	struct access_ids above, below;
	bool placed;
};

struct access_roles {
	bool known; /* ids are all that the actor has in the guild */
	struct access_ids ids;
};

struct access_question {
	const struct settings *settings; /* as they are now */
	const char *actor;               /* "local", or a snowflake */
	struct location location;        /* where it is asked for */
	const char *guild; /* that is changed; NULL: the location's, if any */
	const char *capability;
	enum tier tier; /* as its manifest says */
	const struct access_target *targets;
	size_t target_count;
	bool early;        /* before the check: the targets aren't known yet */
	bool task_asks;    /* the task's own approval mode */
	bool asked_always; /* a collaborator corrected it */
	struct access_roles roles; /* in that guild */
	int64_t now_ms;
};

enum access_verdict { /* from the strictest */
	ACCESS_DENY,
	ACCESS_ASK,
	ACCESS_ALLOW,
};

struct access_decision {
	enum access_verdict verdict;
	bool confirm;       /* with ASK: a second time */
	struct buf reasons; /* a line each: what counted, and what it did */
	char why[200];      /* what settled it, for whoever asked */
};

void access_decide(struct access_decision *d, const struct access_question *q);
void access_release(struct access_decision *d);

/*
 * The guild in which the actor's roles make a difference to the answer, so that
 * they should be fetched first; NULL if they don't.
 */
const char *access_needs_roles(const struct access_question *q);

/* The tier that counts. */
enum tier access_tier(const char *capability, enum tier declared);

const char *access_word(enum access_verdict v); /* "deny" */

#endif
