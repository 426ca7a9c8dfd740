#ifndef ADAPTER_CONSENT_H
#define ADAPTER_CONSENT_H
/*
 * consent - ask a person at a terminal for an approval, line by line. Pure: it
 * is fed with what they type, and says what to show and what they decided.
 *
 *	consent_begin()         what is asked, and the keys
 *	consent_line()          a line they typed: what is to be done now
 *	consent_confirm()       it takes a second word: ask for that
 *	consent_again()         what they wanted failed: say why, ask again
 *
 * Text     What comes from outside is shown so that it can't pass for anything
 *          else: a character that isn't seen for what it is (utf8_plain) stands
 *          as \u{CODE}, and a line of such text that isn't the first begins
 *          with a bar. Nothing is cut: what is approved has been shown.
 * Memory   {0}; the approval is borrowed until consent_release().
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"
#include "record/decision.h"

struct approval;

enum consent_wish {
	CONSENT_NOTHING, /* wait for another line */
	CONSENT_CHOOSE,  /* the items in places; all of them if it has none */
	CONSENT_DECIDE,  /* verdict, remark, confirmed */
};

struct consent {
	struct buf out; /* to be shown next, and emptied by whoever does */
	int64_t *places;
	size_t place_count;
	enum decision_verdict verdict;
	const char *remark; /* borrowed from said */
	bool confirmed;

	const struct approval *x; /* private from here */
	size_t *kinds, kind_count;
	enum { CONSENT_MENU, CONSENT_REMARK, CONSENT_SURE } at;
	struct buf said;
};

void consent_begin(struct consent *c, const struct approval *x, int64_t now_ms);
enum consent_wish consent_line(struct consent *c, const char *line);
void consent_confirm(struct consent *c);
void consent_again(struct consent *c, const char *why);
void consent_release(struct consent *c); /* harmless on {0}, or twice */

/* Add text of a stranger's; each further line of it begins with `bar`. */
void consent_text(struct buf *b, const char *text, const char *bar);

/* What is asked, item by item: for a person who can't be asked here, too. */
void consent_list(struct buf *b, const struct approval *x);

/*
 * Number the categories in the order of the items, from 1: kinds[i] is that of
 * item i, for x->count of them. Returns how many there are.
 */
size_t consent_kinds(const struct approval *x, size_t *kinds);

#endif
