#ifndef CONVERSE_VISIT_H
#define CONVERSE_VISIT_H
/*
 * visit - one interaction, from its event to its end.
 *
 * Order    Whoever is not let in is told so, and only they see it. A completion
 *          is answered at once, and so is what opens a modal. All else is
 *          acknowledged first, before any work, since Discord waits 3 s; then
 *          the work is done, then its answer takes the place of the
 *          acknowledgement. Whether that is seen by one or by all is fixed with
 *          the acknowledgement, so an answer for one never becomes public.
 *          A long one takes several messages, one after the other. A file goes
 *          with the first of them; if Discord won't have it, that is said.
 * Twice    The event is taken in when it was acknowledged and its work is done.
 *          Heard again after a crash, it was acknowledged before: the work is
 *          done then, if it wasn't. One that Discord doesn't know any more is
 *          let go; its person saw that it failed.
 * Memory   A visit frees itself when it ends.
 */

#include <stdbool.h>
#include <stdint.h>

#include "adapter/look.h"
#include "core/buf.h"
#include "core/id.h"
#include "discord/ballot.h"
#include "discord/interaction.h"
#include "discord/splitter.h"

struct converse;
struct ear;
struct err;
struct event;
struct json;
struct visit;

/* Do the work: add to v->text what is answered, or nothing. */
typedef int visit_fn(struct visit *v, struct err *e);

struct visit {
	struct converse *c; /* to be read */
	struct ear *ear;    /* that heard it */
	struct interaction x;
	visit_fn *work;
	bool ephemeral; /* only its person sees the answer */
	bool update;    /* it came from a button: no message of its own */
	struct buf text;
	struct buf edit; /* what the message it came from becomes, or nothing */
	bool closes;     /* so that nothing more can be pressed there */
	char card[ID_LEN + 1]; /* the approval it is about, or "" */
	enum ballot_verb verb; /* what of its controls was used, */
	size_t page;           /* and on which page of it */
	char turn[ID_LEN + 1]; /* that came of it */
	struct buf file;       /* with the answer, if it has a name */
	char *file_name;       /* as people see it; made by mem_dup() */
	struct look look;
	bool waits; /* its work goes on until visit_go_on() */

	struct json *json; /* private from here */
	int64_t number;    /* of its event */
	bool done, said;   /* taken in; the first part is there */
	bool edited;
	struct splitter parts;
	struct visit *next;
};

/* Take an INTERACTION_CREATE; one that is no interaction is passed over. */
void visit_begin(struct ear *ear, const struct event *x);

/* The number of the first event whose interaction is under way; 0 for none. */
int64_t visit_first(const struct ear *ear);

/* Answer at once with a body of that type: JSON of its data, or "". */
int visit_answer(struct visit *v, int type, const char *data, struct err *e);

/* The work is done, and its answer in v->text. */
void visit_go_on(struct visit *v);

/* Is a visit under way that is about this approval? */
bool visit_holds(const struct converse *c, const char *approval);

void visits_release(struct converse *c);

#endif
