#include "deliver/plan.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/buf.h"
#include "core/err.h"
#include "record/nonce.h"
#include "discord/splitter.h"
#include "store/letter.h"
#include "store/parcel.h"

enum { REMARK_ROOM = 100 }; /* UTF-16 units, for the one below */

static const char remark[] = "\n-# The whole answer is in " PLAN_FILE ".";

/* How many messages the text is; it is enough to know that there are more. */
static int
count_parts(const struct buf *text, int enough, struct err *e)
{
	struct splitter s = {0};
	struct splitter_part part;
	int n = 0, row = 1;

	splitter_start(&s, buf_text(text), text->len, SPLITTER_MOST);
	while (n <= enough && (row = splitter_next(&s, &part, e)) > 0)
		n++;
	splitter_release(&s);
	return row < 0 ? -1 : n;
}

static int
add(struct store *s, const struct parcel *p, int64_t k, const char *text,
    bool file, struct err *e)
{
	char what[96], nonce[NONCE_LEN + 1];

	snprintf(what, sizeof(what), "%s.%" PRId64 ".%" PRId64, p->task, p->id,
	    k);
	nonce_make(nonce, what);
	return letter_add(s, p->id,
	    &(struct letter){.k = k,
		.nonce = nonce,
		.text = text,
		.file = file},
	    e);
}

static int
add_parts(struct store *s, const struct parcel *p, const struct buf *text,
    struct err *e)
{
	struct splitter split = {0};
	struct splitter_part part;
	int64_t k = 0;
	int row;

	splitter_start(&split, buf_text(text), text->len, SPLITTER_MOST);
	while ((row = splitter_next(&split, &part, e)) > 0)
		if ((row = add(s, p, ++k, part.text, false, e)) < 0)
			break;
	splitter_release(&split);
	return row;
}

static int
add_beginning(struct store *s, const struct parcel *p, const struct buf *text,
    struct err *e)
{
	struct splitter split = {0};
	struct splitter_part part;
	struct buf first = {0};
	int row;

	splitter_start(&split, buf_text(text), text->len,
	    SPLITTER_MOST - REMARK_ROOM);
	row = splitter_next(&split, &part, e);
	if (row > 0) {
		buf_add(&first, part.text, part.len);
		buf_str(&first, remark);
		row = add(s, p, 1, buf_text(&first), true, e);
	}
	splitter_release(&split);
	buf_release(&first);
	return row;
}

int
plan_letters(struct store *s, const struct parcel *p, const struct buf *text,
    enum plan_kind kind, struct err *e)
{
	int most = p->hidden && !p->direct ? 1 : PLAN_PARTS;
	int parts = kind == PLAN_FULL ? count_parts(text, most, e) : 0;

	if (parts < 0)
		return -1;
	return parts > most ? add_beginning(s, p, text, e)
			    : add_parts(s, p, text, e);
}
