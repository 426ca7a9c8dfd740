#include <stdlib.h>
#include <string.h>

#include "access/decide.h"
#include "access/publication.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/mem.h"
#include "ext/json.h"
#include "runtime/batch.h"
#include "runtime/executor_inside.h"
#include "store/runner.h"
#include "store/settings.h"
#include "store/tell.h"
#include "tool/manifest.h"

/* A question, and what it borrows. */
struct question {
	struct settings settings;
	struct access_question q;
	struct access_target *targets;
};

static const enum access_kind kinds[] = {
    [PROPOSAL_CHANNEL] = ACCESS_CHANNEL,
    [PROPOSAL_ROLE] = ACCESS_ROLE,
    [PROPOSAL_MEMBER] = ACCESS_MEMBER,
    [PROPOSAL_MESSAGE] = ACCESS_MESSAGE,
    [PROPOSAL_TASK] = ACCESS_TASK,
};

static struct access_ids
ids_of(const struct value *list)
{
	const char **ids = mem_array(json_count(list->tree) + 1, sizeof(*ids));
	struct access_ids out = {.at = ids};

	for (const struct json *v = json_first(list->tree); v; v = json_next(v))
		ids[out.count++] = json_text(v);
	return out;
}

static void
add_target(struct question *x, const struct json *v)
{
	struct proposal_target t;
	struct err e = {0};

	if (proposal_target_read(&t, v, &e) < 0)
		return; /* proposal_read() let none of these in */
	x->targets[x->q.target_count++] = (struct access_target){
	    .kind = kinds[t.kind],
	    .id = t.id,
	    .above = ids_of(&t.above),
	    .below = ids_of(&t.below),
	    .placed = value_is(&t.above),
	};
}

static bool
has_channel(const struct question *x, const char *id)
{
	for (size_t i = 0; i < x->q.target_count; i++)
		if (x->targets[i].kind == ACCESS_CHANNEL &&
		    strcmp(x->targets[i].id, id) == 0)
			return true;
	return false;
}

static bool
is_channel(const char *destination)
{
	return destination && strcmp(destination, PROPOSAL_ASKER) != 0;
}

/* All that it changes, and where its text becomes visible. */
static void
add_targets(struct question *x, const struct proposal *p)
{
	x->targets = mem_array(json_count(p->targets.tree) + 1,
	    sizeof(*x->targets));
	for (const struct json *v = json_first(p->targets.tree); v;
	     v = json_next(v))
		add_target(x, v);
	if (is_channel(p->destination) && !has_channel(x, p->destination))
		x->targets[x->q.target_count++] = (struct access_target){
		    .kind = ACCESS_CHANNEL,
		    .id = p->destination,
		};
	x->q.targets = x->targets;
	x->q.guild = p->guild;
}

static void
release(struct question *x)
{
	for (size_t i = 0; i < x->q.target_count; i++) {
		mem_drop(x->targets[i].above.at);
		mem_drop(x->targets[i].below.at);
	}
	free(x->targets);
	settings_close(&x->settings);
}

static int
make(struct question *x, const struct executor *ex, const struct deed *f,
    bool early, struct err *e)
{
	int corrected;

	*x = (struct question){0};
	if (settings_open(&x->settings, e) < 0)
		return -1;
	corrected = told_by_others(ex->runner->store, ex->runner->task, e);
	if (corrected < 0)
		return -1;
	x->q = (struct access_question){
	    .settings = &x->settings,
	    .actor = ex->context.actor.id,
	    .location = ex->context.location,
	    .capability = f->call->name,
	    .tier = f->call->tool->tier,
	    .early = early,
	    .task_asks = ex->task_asks,
	    .asked_always = corrected,
	    .now_ms = clock_now_ms(),
	};
	if (!early)
		add_targets(x, &f->proposal);
	return 0;
}

int
executor_decide(struct executor *x, const struct deed *f, bool early,
    struct access_decision *d, struct err *e)
{
	struct question ask;
	const char *guild;
	int result = -1;

	if (make(&ask, x, f, early, e) < 0)
		goto out;
	guild = access_needs_roles(&ask.q);
	if (guild && !roles_heard(&x->roles, guild)) {
		if (!x->roles.asks)
			roles_ask(&x->roles, guild, x->context.actor.id);
		result = !x->roles.asks && roles_heard(&x->roles, guild);
		if (result == 0)
			goto out;
	}
	if (guild)
		ask.q.roles = (struct access_roles){.known = x->roles.known,
		    .ids = {x->roles.ids, x->roles.count}};
	access_decide(d, &ask.q);
	result = 1;
out:
	release(&ask);
	return result;
}

int
executor_publication(struct executor *x, const struct deed *f, struct err *e)
{
	const char *to = f->proposal.destination;

	if (!to && !f->call->tool->publish)
		return 0;
	if (!to)
		return err_set(e, ERR_INTERNAL,
		    "%s does not say where its text would be read",
		    f->call->name);
	return publication_check(x->runner->store, NULL, &x->context,
	    x->runner->task, is_channel(to) ? to : NULL, e);
}
