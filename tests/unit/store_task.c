#define _GNU_SOURCE
#include "core/buf.h"
#include "core/err.h"
#include "core/id.h"
#include "ext/json.h"
#include "record/call.h"
#include "record/turn.h"
#include "store/base.h"
#include "store/forget.h"
#include "store/runner.h"
#include "store/task.h"
#include "store/tell.h"
#include "store/transcript.h"
#include "store/work.h"

#include "scratch.h"
#include "tap.h"

static struct store store;
static const struct context local = {.actor = {"local", "me"}};
static const struct context ada = {
    .actor = {"11", "ada"},
    .location = {LOCATION_GUILD, "1", "2"},
};

/* A turn of somebody, with an id that lives until the next but seven. */
static struct turn
turn_of(const struct context *who, const char *text, const char *task)
{
	static char ids[8][ID_LEN + 1];
	static unsigned next;
	char *id = ids[next++ % 8];

	id_new(id);
	return (struct turn){.id = id,
	    .actor = who->actor,
	    .location = who->location,
	    .visibility = VISIBILITY_PUBLIC,
	    .text = text,
	    .task = task};
}

static int64_t
number(const char *sql)
{
	struct err e = {0};
	int64_t n = -1;

	if (db_int(&store.db, sql, -1, &n, &e) < 0)
		printf("# %s\n", e.text);
	return n;
}

static void
leave(const char *task, enum told_kind kind, const char *text)
{
	struct store other;
	struct err e = {0};
	int64_t id;

	if (store_open(&other, "tasks", STORE_WRITE, &e) < 0 ||
	    store_begin(&other, &e) < 0 ||
	    tell(&other, task, kind, &local, text, NULL, &id, &e) < 0 ||
	    store_commit(&other, &e) < 0)
		printf("# %s\n", e.text);
	store_close(&other);
}

static const char answer[] = "{\"type\":\"answer\",\"text\":\"yes\"}\n";

static void
test_start(void)
{
	struct turn t = turn_of(&ada, "who broke it?", NULL);
	struct runner r, again;
	struct err e = {0};

	ok(runner_start(&r, &store, &t, "message:5", "extractive", &e) == 1,
	    "a turn starts");
	ok(number(
	       "SELECT count(*) FROM task JOIN turn ON turn.task = task.id"
	       " JOIN event ON event.task = task.id"
	       " JOIN claim ON claim.turn = turn.id"
	       " WHERE task.state = 'running' AND event.kind = 'created'") == 1,
	    "with claim, task, turn and first event");
	ok(runner_start(&again, &store, &t, "message:5", "extractive", &e) == 0,
	    "the same message starts no second one");
	ok(number("SELECT count(*) FROM task") == 1, "and makes no task");
	ok(runner_finish(&r,
	       &(struct ending){.verdict = DONE_ANSWERED,
		   .text = "yes",
		   .record = answer},
	       &e) == TASK_COMPLETED,
	    "it ends answered");
	ok(number("SELECT count(*) FROM outbox WHERE kind = 'answer' AND"
		  " state = 'pending' AND location = 'guild:1:2'") == 1,
	    "with its delivery");
	ok(runner_finish(&r, &(struct ending){.verdict = DONE_FAILED}, &e) <
		    0 &&
		e.kind == ERR_REFUSED,
	    "an outcome is never overwritten");
	runner_release(&r);
	runner_release(&r);
}

static void
test_round(void)
{
	static const char *const sources =
	    "[{\"url\":\"https://x/1\",\"revision\":\"r\",\"text\":\"it\","
	    "\"author\":{\"id\":\"7\",\"name\":\"bo\"},"
	    "\"channel\":{\"id\":\"2\",\"name\":\"c\"},"
	    "\"at\":\"2024-01-01\"},{\"url\":\"https://x/1\","
	    "\"revision\":\"r\"},{\"text\":\"no url\"}]";
	struct turn t = turn_of(&local, "find it", NULL);
	const struct call calls[2] = {
	    {.capability = "search", .arguments = {.text = "{\"q\":1}"}},
	    {.capability = "read", .tier = TIER_SCRATCH},
	};
	struct outcome outcomes[2] = {
	    {.n = 1, .state = CALL_OK, .summary = "one", .output = "{}\n"},
	    {.n = 2, .state = CALL_ERROR, .summary = "bad"},
	};
	struct transcript said = {0};
	struct entry x;
	struct json *tree = NULL;
	struct buf order = {0};
	struct runner r;
	struct told told;
	struct err e = {0};

	runner_start(&r, &store, &t, t.id, "extractive", &e);
	runner_poll(&r, &e);
	ok(runner_told(&r, &told, &e) == 0, "nothing was told yet");
	ok(runner_poll(&r, &e) == 0, "and nothing may be new");
	leave(r.task, TOLD_STEER, "the other one");
	ok(runner_calls(&r, "{}", calls, 2, &e) == 0,
	    "a decision is stale once somebody steers");
	ok(number("SELECT count(*) FROM call") == 0, "and is not stored");
	ok(runner_poll(&r, &e) == 1, "something is new");
	ok(runner_told(&r, &told, &e) == 1 && told.kind == TOLD_STEER,
	    "a steer");
	same(told.text, "the other one", "with its words");
	same(told.actor, "local", "by who said it");
	ok(runner_told(&r, &told, &e) == 0, "once");
	ok(runner_calls(&r, "{\"role\":\"assistant\"}", calls, 2, &e) == 1,
	    "then the calls are stored");
	ok(r.calls == 2, "with their numbers");
	json_read(&tree, sources, strlen(sources), &e);
	outcomes[0].sources = tree;
	ok(runner_results(&r, outcomes, 2, &e) == 0, "and their results");
	ok(number("SELECT count(*) FROM source") == 1 &&
		number("SELECT count(*) FROM evidence WHERE call = 1") == 1,
	    "each source once");
	ok(runner_results(&r, outcomes, 2, &e) < 0 && e.kind == ERR_REFUSED,
	    "a call has one result");
	runner_finish(&r,
	    &(struct ending){.verdict = DONE_ANSWERED, .text = "there"}, &e);
	transcript_start(&said, &store, r.task);
	while (transcript_next(&said, &x, &e) > 0)
		buf_fmt(&order, "%d:%s;", x.kind, x.text);
	same(buf_text(&order), "0:find it;1:;2:one;2:bad;3:there;",
	    "the transcript is in order");
	transcript_end(&said);
	buf_release(&order);
	json_free(tree);
	runner_release(&r);
}

static void
test_access(void)
{
	struct context eve = ada, elsewhere = ada;
	struct turn t = turn_of(&ada, "a secret thing", NULL);
	struct task_scan scan = {0};
	struct task row;
	struct runner r;
	struct err e = {0}, none = {0};

	eve.actor.id = "12";
	elsewhere.location.channel = "3";
	runner_start(&r, &store, &t, t.id, "extractive", &e);
	ok(task_get(&scan, &store, r.task, &ada, &row, &e) == 0,
	    "the owner finds the task");
	same(row.place, "guild:1:2", "in its place");
	task_end(&scan);
	ok(task_get(&scan, &store, r.task, &eve, &row, &e) < 0,
	    "somebody else does not");
	task_get(&scan, &store, "0123456789abcdefghjk", &eve, &row, &none);
	memcpy(strstr(none.text, "0123"), r.task, ID_LEN);
	same(e.text, none.text, "and is told what is told of none");
	ok(e.kind == none.kind, "with the same code");
	ok(task_get(&scan, &store, r.task, &elsewhere, &row, &e) < 0,
	    "nor the owner elsewhere");
	ok(task_get(&scan, &store, r.task, &local, &row, &e) == 0,
	    "the local operator finds all");
	task_end(&scan);
	task_list(&scan, &store, &(struct task_filter){.words = "SECRET a"},
	    &local);
	ok(task_next(&scan, &row, &e) == 1 && strcmp(row.id, r.task) == 0,
	    "a task is found by its words");
	ok(task_next(&scan, &row, &e) == 0, "and no other");
	task_end(&scan);
	task_list(&scan, &store, &(struct task_filter){0}, &eve);
	ok(task_next(&scan, &row, &e) == 0, "a stranger's list is empty");
	task_end(&scan);
	runner_release(&r);
}

static void
test_work(void)
{
	struct turn t = turn_of(&ada, "plan it", NULL);
	struct context at = ada, late = ada;
	struct runner r;
	struct err e = {0};
	int64_t n = 0;

	runner_start(&r, &store, &t, t.id, "extractive", &e);
	at.task = late.task = r.task;
	at.turn = r.turn;
	late.turn = "another";
	store_begin(&store, &e);
	ok(task_at_work(&store, &at, &e) == 0, "the running turn may work");
	ok(task_at_work(&store, &late, &e) < 0, "another one may not");
	ok(goal_open(&store, r.task, "find the cause", &n, &e) == 0 && n == 1,
	    "a goal is opened");
	ok(goal_set(&store, r.task, 2, GOAL_DONE, NULL, NULL, &e) < 0,
	    "none that isn't there is done");
	ok(note_add(&store, r.task, "", &n, &e) < 0, "a note says something");
	ok(plan_put(&store, r.task, "one", &n, &e) == 0 &&
		plan_put(&store, r.task, "two", &n, &e) == 0 && n == 2,
	    "a plan has versions");
	store_commit(&store, &e);
	ok(runner_finish(&r,
	       &(struct ending){.verdict = DONE_ANSWERED, .text = "so far"},
	       &e) == TASK_PAUSED,
	    "with a goal open the task is not completed");
	ok(number("SELECT count(*) FROM task WHERE reason = 'goals'") == 1,
	    "and says why");
	store_begin(&store, &e);
	ok(task_at_work(&store, &at, &e) < 0,
	    "after its end nothing is written");
	store_rollback(&store);
	runner_release(&r);
}

static void
test_resume(void)
{
	struct turn t = turn_of(&ada, "first", NULL), more;
	struct context eve = ada;
	struct runner r, second;
	struct told told;
	struct err e = {0};
	char task[ID_LEN + 1];

	eve.actor.id = "12";
	runner_start(&r, &store, &t, t.id, "extractive", &e);
	memcpy(task, r.task, sizeof(task));
	more = turn_of(&ada, "go on", task);
	ok(runner_start(&second, &store, &more, more.id, "extractive", &e) <
		    0 &&
		e.kind == ERR_AGAIN,
	    "a task that runs isn't resumed");
	leave(task, TOLD_STOP, NULL);
	runner_finish(&r,
	    &(struct ending){.verdict = DONE_PAUSED, .reason = "stopped"}, &e);
	more = turn_of(&eve, "mine", task);
	ok(runner_start(&second, &store, &more, more.id, "extractive", &e) <
		    0 &&
		e.kind == ERR_INPUT,
	    "nor by somebody else");
	leave(task, TOLD_STEER, "shorter");
	more = turn_of(&ada, "go on", task);
	ok(runner_start(&second, &store, &more, more.id, "extractive", &e) ==
		    1 &&
		strcmp(second.task, task) == 0,
	    "its owner goes on with it");
	ok(runner_poll(&second, &e) == 1 &&
		runner_told(&second, &told, &e) == 1 && told.kind == TOLD_STEER,
	    "is told what was said meanwhile");
	ok(runner_told(&second, &told, &e) == 0,
	    "and not stopped by a stop of before");
	runner_finish(&second, &(struct ending){.verdict = DONE_CANCELLED}, &e);
	ok(number("SELECT count(*) FROM turn WHERE n = 2 AND state ="
		  " 'cancelled'") == 1,
	    "the second turn has its own end");
	runner_release(&r);
	runner_release(&second);
}

/* Does any file of the store hold the text? */
static bool
on_disk(const char *text)
{
	static const char *const names[] = {"home/tasks.sqlite",
	    "home/tasks.sqlite-wal"};
	bool found = false;

	for (int i = 0; i < 2; i++) {
		FILE *in = fopen(in_scratch(names[i]), "re");
		char *bytes = malloc(16 << 20);
		size_t n = in && bytes ? fread(bytes, 1, 16 << 20, in) : 0;

		found |= n && memmem(bytes, n, text, strlen(text)) != NULL;
		free(bytes);
		if (in)
			fclose(in);
	}
	return found;
}

static void
test_forget(void)
{
	static const char text[] = "quicksilver-and-vermilion";
	struct turn t = turn_of(&ada, text, NULL);
	struct context eve = ada;
	struct runner r;
	struct err e = {0};

	eve.actor.id = "12";
	runner_start(&r, &store, &t, t.id, "extractive", &e);
	ok(on_disk(text), "the text is on the disk");
	ok(forget_task(&store, r.task, &ada, &e) < 0 && e.kind == ERR_AGAIN,
	    "a running task isn't forgotten");
	runner_finish(&r, &(struct ending){.verdict = DONE_CANCELLED}, &e);
	runner_release(&r);
	ok(forget_task(&store, r.task, &eve, &e) < 0 && e.kind == ERR_INPUT,
	    "nor one of somebody else");
	ok(on_disk(text), "it is still there");
	ok(forget_task(&store, r.task, &ada, &e) == 0, "its owner forgets it");
	ok(!on_disk(text), "and no byte of it stays");
	ok(number("SELECT count(*) FROM forgotten") == 1, "but a marker");
	ok(forget_task(&store, r.task, &ada, &e) < 0 && e.kind == ERR_INPUT,
	    "then there is no such task");
	ok(forget_task(&store, r.task, &local, &e) == 0,
	    "the operator may repeat it");
}

int
main(void)
{
	struct err e = {0};

	scratch_open();
	ok(store_open(&store, "tasks", STORE_WRITE, &e) == 0, "a store");
	test_start();
	test_round();
	test_access();
	test_work();
	test_resume();
	test_forget();
	store_close(&store);
	scratch_close();
	return tap_done();
}
