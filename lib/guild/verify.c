/* verify_action */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/admission.h"
#include "core/buf.h"
#include "core/crash.h"
#include "core/err.h"
#include "core/id.h"
#include "core/mem.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "guild/answers.h"
#include "guild/change.h"
#include "record/call.h"
#include "store/base.h"
#include "store/receipt.h"
#include "store/task.h"
#include "tool/serve.h"

/*
 * A receipt, out of the store: what is read from Discord takes its time, and
 * nothing of the store is held meanwhile.
 */
struct past {
	char task[ID_LEN + 1];
	struct receipt r;
	struct json *arguments, *plan, *only, *parts;
};

static void
release(struct past *p)
{
	mem_drop(p->r.capability);
	mem_drop(p->r.nonce);
	mem_drop(p->r.guild);
	json_free(p->arguments);
	json_free(p->plan);
	json_free(p->only);
	json_free(p->parts);
}

/* "TASK.N" */
static int
read_id(struct past *p, const char *text, struct err *e)
{
	size_t len = text ? strcspn(text, ".") : 0;
	char *end = NULL;

	if (len == ID_LEN && text[len]) {
		memcpy(p->task, text, len);
		p->r.call = strtoll(text + len + 1, &end, 10);
	}
	p->r.task = p->task;
	if (!end || *end || p->r.call < 1 || !id_valid(p->task))
		return err_set(e, ERR_INPUT, "call is no id of one: '%.40s'",
		    text ? text : "");
	return 0;
}

static int
tree(struct json **to, const char *text, struct err *e)
{
	return text ? json_read(to, text, strlen(text), e) : 0;
}

static int
take(struct past *p, const struct receipt *r, struct err *e)
{
	p->r.capability = mem_dup(r->capability);
	p->r.nonce = mem_dup(r->nonce);
	p->r.guild = mem_dup(r->guild);
	p->r.state = r->state;
	p->r.settled = r->settled;
	p->r.intent_ms = r->intent_ms;
	if (tree(&p->arguments, r->arguments, e) < 0 ||
	    tree(&p->plan, r->plan, e) < 0)
		return -1;
	return tree(&p->only, r->items, e);
}

/* A task is known to its owner where it was asked for, and to nobody else. */
static int
load(struct past *p, struct store *s, const struct context *who, struct err *e)
{
	struct task_scan task = {0};
	struct receipt_scan scan = {0};
	struct buf parts = {0};
	struct receipt r;
	struct task t;
	int result = task_get(&task, s, p->task, who, &t, e);

	task_end(&task);
	if (result == 0)
		result = receipt_get(&scan, s, p->task, p->r.call, &r, e);
	if (result == 0)
		result = take(p, &r, e);
	receipt_stop(&scan);
	if (result == 0)
		result = receipt_parts(&parts, s, p->task, p->r.call, e);
	if (result == 0)
		result = tree(&p->parts, buf_text(&parts), e);
	buf_release(&parts);
	return result;
}

/* What Discord says: enum change_seen, or -1. */
static int
look(struct past *p, struct change *c, struct err *e)
{
	const struct change_kind *kind = change_find(p->r.capability);
	struct err why = {0};
	int seen;

	if (p->r.state == RECEIPT_INTENT)
		return err_set(e, ERR_AGAIN, "it is being done");
	if (!kind || !p->plan)
		return err_set(e, ERR_REFUSED,
		    "what %.80s has done can't be read back: look for yourself",
		    p->r.capability);
	if (p->r.guild && admission_guild(p->r.guild, e) < 0)
		return -1;
	c->in = p->arguments;
	c->plan = p->plan;
	c->only = p->only;
	c->parts = p->parts;
	c->receipt = &p->r;
	seen = kind->verify(c, &why);
	if (seen >= 0)
		return seen;
	if (why.kind != ERR_REFUSED) {
		*e = why;
		return -1;
	}
	buf_clear(&c->seen); /* we may not see it: that is no evidence */
	buf_str(&c->seen, why.text);
	return SEEN_NOTHING;
}

/* 1 if it is settled by this, 0 if there was nothing to settle, or -1. */
static int
settle(struct past *p, const struct change *c, int seen, struct err *e)
{
	if (seen == SEEN_NOTHING || p->r.state != RECEIPT_UNKNOWN ||
	    p->r.settled != SETTLED_NOT)
		return 0;
	p->r.settled = SETTLED_VERIFIED;
	p->r.happened = seen == SEEN_DONE;
	p->r.settler = c->call->context.actor.id;
	p->r.finding = buf_text(&c->seen);
	if (store_begin(c->tasks, e) < 0)
		return -1;
	if (receipt_settle(c->tasks, &p->r, e) < 0) {
		store_rollback(c->tasks);
		return -1;
	}
	CRASH_POINT("guild.settle");
	if (store_commit(c->tasks, e) < 0)
		return -1;
	CRASH_POINT("guild.settle.done");
	return 1;
}

static void
tell(const struct past *p, const struct change *c, int seen, bool settled,
    struct answer_parts *a)
{
	static const char *const words[] = {
	    [SEEN_NOTHING] = "unclear",
	    [SEEN_DONE] = "done",
	    [SEEN_UNDONE] = "not done",
	};
	struct buf *d = &a->data;

	jsonw_object(d, NULL);
	jsonw_str(d, "call", json_string(c->call->arguments.tree, "call"));
	jsonw_str(d, "capability", p->r.capability);
	jsonw_str(d, "recorded", receipt_word(p->r.state));
	jsonw_str(d, "found", words[seen]);
	jsonw_str(d, "text", buf_text(&c->seen));
	jsonw_bool(d, "settled", settled);
	jsonw_end_object(d);
	buf_fmt(&a->summary, "%s: %s; %s", p->r.capability, words[seen],
	    buf_text(&c->seen));
}

static int
verify(struct past *p, struct change *c, struct answer_parts *a, struct err *e)
{
	int seen, settled;

	if (load(p, c->tasks, &c->call->context, e) < 0 ||
	    (seen = look(p, c, e)) < 0 || (settled = settle(p, c, seen, e)) < 0)
		return -1;
	tell(p, c, seen, settled, a);
	return 0;
}

int
guild_verify(void *ctx, const struct call *call, struct answer_parts *a,
    struct err *e)
{
	struct store tasks = {0};
	struct past p = {0};
	struct change c = {.live = ctx, .call = call, .tasks = &tasks};
	int result;

	if (read_id(&p, json_string(call->arguments.tree, "call"), e) < 0)
		return -1;
	result = store_exists("tasks", e);
	if (result == 0)
		result = task_missing(p.task, e);
	else if (result > 0)
		result = store_open(&tasks, "tasks", STORE_WRITE, e);
	if (result == 0)
		result = verify(&p, &c, a, e);
	store_close(&tasks);
	buf_release(&c.seen);
	release(&p);
	return result;
}
