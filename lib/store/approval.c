#include "store/approval.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/id.h"
#include "core/mem.h"
#include "store/base.h"
#include "store/event.h"
#include "store/task.h"

/* The number of an item's call; -1, which is none, if it is another task's. */
static int64_t
call_number(const struct approval *x, const char *call)
{
	if (strncmp(call, x->task, ID_LEN) != 0 || call[ID_LEN] != '.')
		return -1;
	return strtoll(call + ID_LEN + 1, NULL, 10);
}

static int
check(const struct approval *x, struct err *e)
{
	struct buf record = {.limit = APPROVAL_RECORD_MAX};
	bool full;

	if (!x->count || x->count > APPROVAL_ITEMS_MAX)
		return err_set(e, ERR_INPUT,
		    "an approval is of 1 to %d items, and these are %zu",
		    APPROVAL_ITEMS_MAX, x->count);
	approval_write(&record, x);
	full = record.full;
	buf_release(&record);
	return full ? err_set(e, ERR_INPUT,
			  "more is to be approved than can be shown: it takes "
			  "more than %d bytes",
			  APPROVAL_RECORD_MAX)
		    : 0;
}

static int
add_item(struct store *s, const struct approval *x, size_t i, struct err *e)
{
	static const char sql[] =
	    "INSERT INTO approval_item (approval, i, task, call, n, capability,"
	    "  tier, confirm, arguments, category, text)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
	const struct approval_item *item = &x->items[i];
	struct buf arguments = {0};
	struct stmt q = {0};
	int rc;

	value_write(&arguments, NULL, &item->arguments);
	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, x->id);
	stmt_int(&q, 2, (int64_t)i + 1);
	stmt_text(&q, 3, x->task);
	stmt_int(&q, 4, call_number(x, item->call));
	stmt_int(&q, 5, item->n);
	stmt_text(&q, 6, item->capability);
	stmt_text(&q, 7, tier_word(item->tier));
	stmt_int(&q, 8, item->confirm);
	stmt_text(&q, 9, arguments.data);
	stmt_text(&q, 10, item->category);
	stmt_text(&q, 11, item->text);
	rc = stmt_once(&q, e);
	buf_release(&arguments);
	return rc;
}

int
approval_ask(struct store *s, const struct approval *x, const char *asked,
    struct err *e)
{
	static const char sql
	    [] = "INSERT INTO approval (id, task, turn, text, asked, asked_ms,"
		 "  expires_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
	struct stmt q = {0};
	int rc;

	if (check(x, e) < 0)
		return -1;
	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, x->id);
	stmt_text(&q, 2, x->task);
	stmt_text(&q, 3, x->turn);
	stmt_text(&q, 4, x->text);
	stmt_text(&q, 5, asked);
	stmt_int(&q, 6, clock_now_ms());
	stmt_int(&q, 7, x->expires_ms);
	rc = stmt_once(&q, e);
	for (size_t i = 0; rc == 0 && i < x->count; i++)
		rc = add_item(s, x, i, e);
	return rc < 0 ? -1 : event_add(s, x->task, x->turn, "asked", NULL, e);
}

static void
take_item(struct approval_item *item, const char *task, struct stmt *q)
{
	char call[ID_LEN + 24];

	snprintf(call, sizeof(call), "%s.%" PRId64, task, row_int(q, 0));
	*item = (struct approval_item){
	    .call = mem_dup(call),
	    .n = row_int(q, 1),
	    .capability = mem_dup(row_text(q, 2)),
	    .tier = tier_of(row_text(q, 3)),
	    .confirm = row_int(q, 4) != 0,
	    .arguments = {.text = mem_dup(row_text_opt(q, 5))},
	    .category = mem_dup(row_text(q, 6)),
	    .text = mem_dup(row_text(q, 7)),
	};
}

static int
load_items(struct approval_row *r, struct store *s, struct err *e)
{
	static const char sql[] =
	    "SELECT call, n, capability, tier, confirm, arguments, category,"
	    "  text, chosen FROM approval_item WHERE approval = ?1"
	    " ORDER BY i LIMIT ?2";
	struct approval *x = &r->x;
	struct stmt q = {0};
	int row;

	x->items = mem_array(APPROVAL_ITEMS_MAX, sizeof(*x->items));
	r->chosen = mem_array(APPROVAL_ITEMS_MAX, sizeof(*r->chosen));
	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, x->id);
	stmt_int(&q, 2, APPROVAL_ITEMS_MAX);
	while ((row = stmt_next(&q, e)) > 0) {
		r->chosen[x->count] = row_int(&q, 8) != 0;
		take_item(&x->items[x->count], x->task, &q);
		x->confirm |= x->items[x->count++].confirm;
	}
	stmt_end(&q);
	return row;
}

static void
take_row(struct approval_row *r, struct stmt *q)
{
	*r = (struct approval_row){
	    .x = {.id = mem_dup(row_text(q, 0)),
		.task = mem_dup(row_text(q, 1)),
		.turn = mem_dup(row_text(q, 2)),
		.text = mem_dup(row_text(q, 3)),
		.expires_ms = row_int(q, 6)},
	    .asked = mem_dup(row_text(q, 4)),
	    .place = mem_dup(row_text(q, 12)),
	    .asked_ms = row_int(q, 5),
	    .confirming_ms = row_int(q, 7),
	    .decided = !row_null(q, 8),
	    .verdict = verdict_of(row_text(q, 8)),
	    .remark = mem_dup(row_text_opt(q, 9)),
	    .decider = mem_dup(row_text_opt(q, 10)),
	    .decided_ms = row_int(q, 11),
	};
}

static int
missing(const char *id, struct err *e)
{
	return err_set(e, ERR_INPUT, "there is no approval %.32s", id);
}

/* May they see it, the row of a query? Or why not. */
static int
admit(struct stmt *q, const char *id, const struct context *who, struct err *e)
{
	char place[PLACE_LEN];
	const char *actor = who->actor.id ? who->actor.id : "local";

	place_text(place, &who->location);
	if (strcmp(place, row_text(q, 12)) != 0)
		return missing(id, e);
	if (strcmp(actor, row_text(q, 4)) == 0)
		return 0;
	if (strcmp(row_text(q, 13), visibility_word(VISIBILITY_PUBLIC)) != 0)
		return missing(id, e);
	return err_set(e, ERR_DENIED,
	    "only the person who was asked can decide this");
}

int
approval_find(struct approval_row *r, struct store *s, const char *id,
    const struct context *who, struct err *e)
{
	static const char sql[] =
	    "SELECT a.id, a.task, a.turn, a.text, a.asked, a.asked_ms,"
	    "  a.expires_ms, a.confirming_ms, a.verdict, a.remark, a.decider,"
	    "  a.decided_ms, t.location, t.visibility"
	    " FROM approval a JOIN task t ON t.id = a.task WHERE a.id = ?1";
	struct stmt q = {0};
	int rc;

	*r = (struct approval_row){0};
	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, id);
	rc = stmt_next(&q, e);
	if (rc == 0)
		rc = missing(id, e);
	else if (rc > 0)
		rc = who ? admit(&q, id, who, e) : 0;
	if (rc == 0)
		take_row(r, &q);
	stmt_end(&q);
	if (rc == 0)
		rc = load_items(r, s, e);
	if (rc < 0)
		approval_drop(r);
	return rc;
}

static void
drop_item(const struct approval_item *item)
{
	mem_drop(item->call);
	mem_drop(item->capability);
	mem_drop(item->arguments.text);
	mem_drop(item->category);
	mem_drop(item->text);
}

void
approval_drop(struct approval_row *r)
{
	for (size_t i = 0; i < r->x.count; i++)
		drop_item(&r->x.items[i]);
	mem_drop(r->x.id);
	mem_drop(r->x.task);
	mem_drop(r->x.turn);
	mem_drop(r->x.text);
	approval_release(&r->x);
	free(r->chosen);
	free(r->asked);
	free(r->place);
	free(r->remark);
	free(r->decider);
	*r = (struct approval_row){0};
}

int
approval_pending(struct store *s, const char *task, char id[ID_LEN + 1],
    struct err *e)
{
	static const char sql[] = "SELECT id FROM approval WHERE task = ?1"
				  " AND verdict IS NULL ORDER BY id LIMIT 1";
	struct stmt q = {0};
	int row;

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	row = stmt_next(&q, e);
	if (row > 0)
		snprintf(id, ID_LEN + 1, "%s", row_text(&q, 0));
	stmt_end(&q);
	return row;
}
