#define _GNU_SOURCE /* explicit_bzero */
#include "runtime/desk.h"

#include <string.h>

#include "core/log.h"
#include "core/secret.h"
#include "ext/http.h"
#include "ext/json.h"
#include "model/extractive.h"
#include "model/meter.h"
#include "record/error.h"
#include "store/budget.h"
#include "store/content.h"
#include "store/ledger.h"
#include "store/settings.h"

/* Put the request away. */
static void
clear(struct desk *d)
{
	inquiry_release(&d->inquiry);
	d->inquiry = (struct inquiry){0};
	slot_drop(&d->slot);
	request_release(&d->request);
	profile_release(&d->profile);
	any_release(&d->line);
	if (d->key.data)
		explicit_bzero(d->key.data, d->key.len);
	buf_clear(&d->key);
	d->busy = d->keyless = false;
}

/* Its verdict came before it could be asked. */
static void
refuse(struct desk *d, const struct err *why)
{
	struct buf out = {0};

	error_write(&out, &(struct error){
			      .id = json_string(d->line.root, "id"),
			      .kind = why->kind,
			      .text = why->text,
			      .code = d->keyless ? "key" : NULL,
			  });
	d->told(d->ctx, &out);
	buf_release(&out);
	clear(d);
	d->done(d->ctx, why);
}

static int
open_ledger(struct desk *d, struct err *e)
{
	struct settings s = {0};

	if (d->store.db.raw)
		return 0;
	if (settings_open(&s, e) < 0)
		return -1;
	d->slots = (int)settings_int(&s, "model.slots");
	settings_close(&s);
	return store_open(&d->store, "tasks", STORE_WRITE, e);
}

/* The bytes of a picture or sound that a request names. */
static int
fetch(void *ctx, const char *blob, struct buf *to, struct err *e)
{
	struct desk *d = ctx;

	if (open_ledger(d, e) < 0)
		return -1;
	return content_get(&d->store, blob, to, e);
}

/* An operator's budget makes it wait for another day. */
static int
in_budget(struct desk *d, struct err *e)
{
	struct buf why = {0};
	int left = budget_left(&d->store, d->request.actor, &why, e);

	if (left == 0)
		err_set(e, ERR_AGAIN, "%s", buf_text(&why));
	buf_release(&why);
	return left > 0 ? 0 : -1;
}

static int
admit(void *ctx, struct err *e)
{
	struct desk *d = ctx;
	const struct request *r = &d->request;
	const struct attempt attempt = {
	    .task = r->task,
	    .actor = r->actor,
	    .profile = d->profile.id,
	    .model = d->profile.model,
	    .purpose = r->purpose,
	};
	int got;

	if (open_ledger(d, e) < 0)
		return -1;
	got = slot_try(&d->slot, d->slots, r->actor,
	    slot_background(r->purpose), e);
	if (got <= 0)
		return got;
	/* Only now: to add a day up costs too much for every look at a slot. */
	if (in_budget(d, e) == 0 &&
	    ledger_sent(&d->store, &attempt, &d->attempt, e) == 0)
		return 1;
	slot_drop(&d->slot);
	return -1;
}

static int64_t
tokens(struct usage_count c)
{
	return c.known ? c.n : TOKENS_UNKNOWN;
}

static void
settle(void *ctx, const struct meter *used, const struct refusal *why)
{
	struct desk *d = ctx;
	const struct profile *p = &d->profile;
	char cost[METER_COST_MAX];
	struct usage u = {0};
	struct spent spent = {.state = ATTEMPT_OK};
	struct err e = {0};

	slot_drop(&d->slot);
	meter_fill(used, p->priced ? &p->prices : NULL, cost, &u);
	if (why)
		spent.state = strcmp(why->code, "cancelled") == 0
				  ? ATTEMPT_CANCELLED
				  : ATTEMPT_ERROR;
	spent.input = tokens(u.input);
	spent.output = tokens(u.output);
	spent.cached = tokens(u.cached);
	spent.reasoning = tokens(u.reasoning);
	spent.cost = u.cost;
	spent.estimated = u.estimated;
	if (ledger_settle(&d->store, d->attempt, &spent, &e) < 0) {
		err_in(&e, "noting what the request used");
		log_complain(&e);
	}
}

static void
told(void *ctx, struct buf *records)
{
	struct desk *d = ctx;

	d->told(d->ctx, records);
}

static void
ended(void *ctx)
{
	struct desk *d = ctx;
	struct err why = {0};

	if (d->inquiry.verdict)
		err_set(&why, d->inquiry.verdict, "%s", d->inquiry.text);
	clear(d);
	d->done(d->ctx, why.kind ? &why : NULL);
}

static int
find_key(struct desk *d, struct err *e)
{
	const char *name = d->profile.key_env;
	int got = name ? secret_get(&d->key, name, e) : 1;

	if (got < 0)
		return -1;
	d->keyless = got == 0;
	return got ? 0
		   : err_set(e, ERR_CONFIG,
			 "profile %s: its key is missing; set %s",
			 d->profile.id, name);
}

static int
ask(struct desk *d, struct err *e)
{
	if (find_key(d, e) < 0 ||
	    (!d->http && http_open(&d->http, d->poll, e) < 0))
		return -1;
	d->inquiry = (struct inquiry){
	    .http = d->http,
	    .poll = d->poll,
	    .profile = &d->profile,
	    .request = &d->request,
	    .key = d->profile.key_env ? buf_text(&d->key) : NULL,
	    .media = {fetch, d},
	    .hooks = {admit, settle, told, ended, d},
	};
	return inquiry_start(&d->inquiry, e);
}

static void
quote(struct desk *d)
{
	struct buf out = {0};
	struct err e = {0};
	int verdict = extractive_answer(&out, &d->request, &e);

	d->told(d->ctx, &out);
	buf_release(&out);
	clear(d);
	d->done(d->ctx, verdict < 0 ? &e : NULL);
}

void
desk_start(struct desk *d, const char *line, size_t len)
{
	const char *name;
	struct err e = {0};
	int bad;

	d->busy = true;
	if (any_read(&d->line, line, len, &e) < 0 ||
	    request_read(&d->request, d->line.root, &e) < 0) {
		refuse(d, &e);
		return;
	}
	name = d->profile_name ? d->profile_name : d->request.profile;
	bad = profile_load(&d->profile, name, &e);
	if (bad == 0 && d->profile.protocol == PROTOCOL_EXTRACTIVE)
		quote(d);
	else if (bad < 0 || ask(d, &e) < 0)
		refuse(d, &e);
}

void
desk_refuse(struct desk *d, const char *line, size_t len, const char *code,
    const struct err *why)
{
	struct any a = {0};
	struct buf out = {0};
	struct err ignored = {0};

	(void)any_read(&a, line, len, &ignored);
	error_write(&out, &(struct error){
			      .id = json_string(a.root, "id"),
			      .kind = why->kind,
			      .text = why->text,
			      .code = code,
			  });
	d->told(d->ctx, &out);
	buf_release(&out);
	any_release(&a);
	d->done(d->ctx, why);
}

void
desk_cancel(struct desk *d, const char *id)
{
	if (d->busy && (!id || strcmp(id, d->request.id) == 0))
		inquiry_cancel(&d->inquiry);
}

int
desk_step(struct desk *d, int64_t until_ms, struct err *e)
{
	return d->http ? http_step(d->http, until_ms, e)
		       : poll_step(d->poll, until_ms, e);
}

void
desk_close(struct desk *d)
{
	if (d->busy)
		clear(d);
	http_close(d->http);
	d->http = NULL;
	store_close(&d->store);
	buf_release(&d->key);
}
