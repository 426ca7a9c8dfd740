#ifndef GUILD_CHANGE_H
#define GUILD_CHANGE_H
/*
 * change - what all changes of a server have in common.
 *
 * Check    Looks, and changes nothing: is what it is about there, and visible
 *          to whoever asks (the same words for hidden and missing); may Sophia
 *          do it; would Discord certainly refuse it. Then it fills in the
 *          proposal: text, targets, items for a person, and the plan, a JSON
 *          object, for act.
 * Act      Gets that plan back from the loop, which has stored it, and does
 *          just that: no name is looked up again, so what was approved is what
 *          is done. Each request is sent once (see change_send).
 * Verify   Reads whether it has happened, from the plan of its receipt. What
 *          Sophia may not read is no evidence.
 * Errors   Of check: ERR_INPUT for what the call has wrong, ERR_REFUSED for
 *          what would fail, ERR_DENIED. Of act: see tool/serve.
 * Memory   A struct change lasts for one call; what it points at is borrowed.
 *
 * To add one: a file with its three functions, a row in changes.c, one in the
 * table of cmd/sophia-guild.c, a manifest, a test.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"
#include "guild/live.h"
#include "record/proposal.h"

struct answer_parts;
struct call;
struct err;
struct json;
struct proposal_parts;
struct receipt;
struct rest_file;
struct serve_act;
struct store;

struct change {
	struct live *live;
	const struct call *call;
	const struct json *in; /* its arguments */

	struct proposal_parts *p; /* check fills it in; see tool/serve */

	const struct json *plan; /* act and verify: that object */
	struct serve_act *w;     /* act */
	struct answer_parts *a;  /* act fills in summary and data */

	struct store *tasks;           /* verify: where the receipt is */
	const struct receipt *receipt; /* its texts last until verify ends */
	const struct json *parts; /* [{n, state, outcome}] of its requests */
	const struct json *only;  /* the items that were to be done, or NULL */
	struct buf seen;          /* verify says here what it has read */
};

/* What verify found. -1 is an error: there is no telling now. */
enum change_seen {
	SEEN_NOTHING, /* there is no telling */
	SEEN_DONE,    /* the effect is there */
	SEEN_UNDONE,  /* it is not */
};

struct change_kind {
	const char *capability;
	int (*check)(struct change *c, struct err *e);
	int (*act)(struct change *c, struct err *e);
	int (*verify)(struct change *c, struct err *e); /* enum change_seen */
};

/* The one of that name, or NULL. In changes.c. */
const struct change_kind *change_find(const char *capability);

/* Any of them, as tool/serve wants it; ctx is a struct live. */
int change_check(void *ctx, const struct call *call, struct proposal_parts *p,
    struct err *e);
int change_act(void *ctx, struct serve_act *w, struct answer_parts *a,
    struct err *e);

/* ---- for check ---- */

/* A channel or thread. */
struct place {
	uint64_t id;
	int64_t kind; /* enum channel_kind */
	const char *name;
	const struct json *json; /* as Discord has it */
	uint64_t bits;           /* what Sophia may do there */
};

/*
 * Fetch the guild (see live_begin): the first thing a check does that is about
 * one. also: a thread that may be old, or 0.
 */
int change_begin(struct change *c, uint64_t also, struct err *e);

/*
 * The same for a call about a message, whose link or id this is: begins with
 * the channel of the link, or of the argument "channel", which sets *p.
 */
int change_at(struct change *c, const char *message, struct place *p,
    struct err *e);

/*
 * The one that the argument `key` names (id, mention, name), or where the call
 * comes from if there is no such argument: visible to whoever asks.
 */
int change_place(struct change *c, const char *key, struct place *p,
    struct err *e);

/*
 * The message that a text names: a link, or an id in the place p, if that is
 * set (else the link sets it). 0 and *m, to be freed; ERR_INPUT unless its
 * channel may be read by whoever asks.
 */
int change_message(struct change *c, const char *text, struct place *p,
    struct json **m, struct err *e);

/* ERR_REFUSED, naming what is missing, unless Sophia has all these there. */
int change_need(const struct place *p, uint64_t bits, struct err *e);

/* The same of the guild as such. */
int change_need_guild(struct change *c, uint64_t bits, struct err *e);

/*
 * The argument `key`, of least to most characters as Discord counts them (white
 * space at the ends does not): NULL and ERR_INPUT if it isn't. One that is
 * missing is one of no characters.
 */
const char *change_words(struct change *c, const char *key, size_t least,
    size_t most, struct err *e);

/* How many characters a text has, counted like that. */
size_t change_count(const char *text);

/* Is it the same text, when Discord has taken that white space away? */
bool change_alike(const char *a, const char *b);

/* What is changed: a channel or thread of the guild; a message in one; else. */
void change_target_channel(struct change *c, uint64_t id, const char *name);
void change_target_message(struct change *c, const struct place *p, uint64_t id,
    const char *name);
void change_target(struct change *c, enum proposal_kind kind, uint64_t id,
    const char *name);

/* "#name (id)"; names are shown without what could be taken for more. */
void change_name(struct buf *b, const char *mark, const char *name,
    uint64_t id);

/* ---- between the two, for change.c ---- */

/* The plan keeps what the proposal names as changed. */
void change_remember(struct change *c);

/*
 * Before act: ERR_DENIED if the asker doesn't see one of these channels any
 * more, ERR_REFUSED if one is in another category than it was, or has channels
 * in it that it hadn't: what protects them was decided for what was there.
 */
int change_again(struct change *c, struct err *e);

/* ---- for act ---- */

struct change_request {
	const char *method, *path;
	const struct buf *body; /* JSON, or NULL for none */
	bool removes;           /* that it isn't there is what is wanted */
	const struct rest_file *file; /* that goes with it, or NULL */
};

/*
 * Send it, once: 0, and *answer if that is not NULL, to be freed by json_free()
 * (it may be NULL: there is a reply without a body). -1: ERR_UNKNOWN if it may
 * be done, else it is not. The reason in the audit log names task and asker.
 */
int change_send(struct change *c, const struct change_request *r,
    struct json **answer, struct err *e);

/*
 * The same, as one of several (see tool/serve): text says what it does. On disk
 * stays what becomes of it, and data(c, answer), JSON of what it made, if that
 * is not NULL.
 */
int change_send_part(struct change *c, const char *text,
    const struct change_request *r, struct json **answer,
    void (*data)(struct buf *to, const struct json *answer), struct err *e);

/*
 * The end of an act of which a request failed after others succeeded: what is
 * done is told, and why not all is, in the summary. Before the first one, or if
 * it may have been done, it is an error. Returns what act is to return.
 */
int change_stop(struct change *c, bool begun, struct err *e);

/* May the item n be done, or was it to be? Without items n is not looked at. */
bool change_may(const struct change *c, int64_t n);

/* Who asks; 0 for the person at the machine. */
uint64_t change_asker(const struct change *c);

/* The id that a member of the plan, or of another object, holds; or 0. */
uint64_t change_id(const struct json *v, const char *key);

#endif
