#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "core/err.h"
#include "core/id.h"
#include "record/call.h"
#include "record/turn.h"
#include "store/base.h"
#include "store/recovery.h"
#include "store/runner.h"
#include "store/runner_change.h"
#include "store/task.h"

#include "scratch.h"
#include "tap.h"

enum { KILLS = 50, RIVALS = 4 };

static const struct actor ada = {"11", "ada"};
static const struct location place = {LOCATION_GUILD, "1", "2"};

static struct turn
turn_of(const char *id, const char *task)
{
	return (struct turn){.id = id,
	    .actor = ada,
	    .location = place,
	    .text = "what was said?",
	    .task = task};
}

static int64_t
number(const char *sql)
{
	struct store s;
	struct err e = {0};
	int64_t n = -1;

	if (store_open(&s, "tasks", STORE_READ, &e) < 0 ||
	    db_int(&s.db, sql, -1, &n, &e) < 0)
		printf("# %s\n", e.text);
	store_close(&s);
	return n;
}

/* Whole turns, one after the other, until we are killed. */
static void
work_forever(int told)
{
	static const struct call call = {.capability = "read"};
	static const struct outcome outcome = {.n = 1,
	    .state = CALL_OK,
	    .output = "{}"};
	static const struct ending end = {.verdict = DONE_ANSWERED,
	    .text = "this",
	    .record = "{}"};
	struct store s;
	struct err e = {0};

	if (store_open(&s, "tasks", STORE_WRITE, &e) < 0)
		_exit(1);
	if (write(told, "x", 1) != 1)
		_exit(1);
	for (;;) {
		struct runner r;
		char id[ID_LEN + 1];
		struct turn t;

		id_new(id);
		t = turn_of(id, NULL);
		if (runner_start(&r, &s, &t, id, "extractive", &e) != 1 ||
		    runner_calls(&r, "{}", &call, 1, &e) != 1 ||
		    runner_results(&r, &outcome, 1, &e) < 0 ||
		    runner_finish(&r, &end, &e) < 0)
			_exit(1);
		runner_release(&r);
	}
}

/* Start a worker and kill it after some time that differs: 1 if it was busy. */
static int
kill_one(int i)
{
	int pipes[2], status;
	pid_t child;
	char c;

	fflush(stdout);
	if (pipe2(pipes, O_CLOEXEC) < 0 || (child = fork()) < 0)
		return 0;
	if (child == 0)
		work_forever(pipes[1]);
	close(pipes[1]);
	status = read(pipes[0], &c, 1) == 1;
	close(pipes[0]);
	nanosleep(&(struct timespec){.tv_nsec = 400000L * i}, NULL);
	kill(child, SIGKILL);
	waitpid(child, &i, 0);
	return status && WIFSIGNALED(i);
}

static void
test_kills(void)
{
	struct recovered found;
	struct store s;
	struct err e = {0};
	int killed = 0;

	for (int i = 0; i < KILLS; i++)
		killed += kill_one(i);
	ok(killed == KILLS, "writers are killed in the middle of their work");
	ok(number("SELECT count(*) FROM pragma_integrity_check"
		  " WHERE integrity_check = 'ok'") == 1,
	    "the store is whole");
	printf("# %d tasks, %d of them cut short\n",
	    (int)number("SELECT count(*) FROM task"),
	    (int)number("SELECT count(*) FROM task WHERE state = 'running'"));
	ok(number("SELECT count(*) FROM task t WHERE"
		  " (SELECT count(*) FROM turn n JOIN claim c ON c.turn = n.id"
		  "   WHERE n.task = t.id) <> 1"
		  " OR (SELECT count(*) FROM event v WHERE v.task = t.id"
		  "   AND v.kind = 'created') <> 1") == 0,
	    "no task is without its turn, claim and first event");
	ok(number("SELECT count(*) FROM claim c WHERE NOT EXISTS"
		  " (SELECT 1 FROM turn n WHERE n.id = c.turn)") == 0,
	    "no claim without its turn");
	ok(number("SELECT count(*) FROM task t WHERE (t.state = 'completed')"
		  " <> ((SELECT count(*) FROM outbox o WHERE o.task = t.id) +"
		  " (SELECT count(*) FROM event v WHERE v.task = t.id"
		  "   AND v.kind = 'answered') = 2)") == 0,
	    "an outcome, its delivery and its event are there together");
	ok(store_open(&s, "tasks", STORE_WRITE, &e) == 0 &&
		recovery_run(&s, &found, &e) == 0,
	    "recovery runs");
	store_close(&s);
	ok(number("SELECT count(*) FROM task WHERE state NOT IN"
		  " ('completed', 'paused')") == 0 &&
		number("SELECT count(*) FROM turn WHERE state = 'running'") ==
		    0 &&
		number("SELECT count(*) FROM call WHERE state = 'open'") == 0,
	    "then nothing says that it runs");
	ok(found.tasks == number("SELECT count(*) FROM task"
				 " WHERE reason = 'interrupted'"),
	    "what was cut short is paused, interrupted");
}

/* Many processes start a turn at once: how many got 1, others got rival. */
static int
race(const char *claim, const char *task, int *other)
{
	int gate[2], status, won = 0;
	char id[ID_LEN + 1], c;

	*other = 0;
	fflush(stdout);
	if (pipe2(gate, O_CLOEXEC) < 0)
		return -1;
	for (int i = 0; i < RIVALS; i++) {
		struct store s;
		struct runner r;
		struct turn t;
		struct err e = {0};
		int rc;

		if (fork() != 0)
			continue;
		close(gate[1]);
		id_new(id);
		t = turn_of(id, task);
		if (store_open(&s, "tasks", STORE_WRITE, &e) < 0)
			_exit(9);
		if (read(gate[0], &c, 1) < 0) /* until all are there */
			_exit(9);
		rc = runner_start(&r, &s, &t, claim ? claim : id, "extractive",
		    &e);
		if (rc == 1)
			runner_finish(&r,
			    &(struct ending){.verdict = DONE_ANSWERED}, &e);
		_exit(rc == 1 ? 1 : rc == 0 ? 2 : (int)e.kind);
	}
	close(gate[0]);
	close(gate[1]);
	while (wait(&status) > 0) {
		won += WEXITSTATUS(status) == 1;
		*other += WEXITSTATUS(status) == 2 ||
			  WEXITSTATUS(status) == ERR_AGAIN;
	}
	return won;
}

static void
test_race(void)
{
	int other;

	ok(race("message:77", NULL, &other) == 1, "of many claims one wins");
	ok(other == RIVALS - 1, "and the others are told");
	ok(number("SELECT count(*) FROM claim WHERE key = 'message:77'") == 1,
	    "there is one claim");
}

/* A runner that dies with a change under way; its task's id to out. */
static void
die_at_work(char out[ID_LEN + 1])
{
	int pipes[2];

	fflush(stdout);
	if (pipe2(pipes, O_CLOEXEC) < 0)
		return;
	if (fork() == 0) {
		static const struct call call = {.capability = "send",
		    .tier = TIER_WRITE};
		struct store s;
		struct runner r;
		struct err e = {0};
		char id[ID_LEN + 1];
		struct turn t;

		id_new(id);
		t = turn_of(id, NULL);
		if (store_open(&s, "tasks", STORE_WRITE, &e) < 0 ||
		    runner_start(&r, &s, &t, id, "extractive", &e) != 1 ||
		    runner_calls(&r, "{}", &call, 1, &e) != 1 ||
		    runner_intend(&r,
			&(struct receipt){.task = r.task,
			    .call = 1,
			    .capability = "send",
			    .arguments = "{}",
			    .nonce = "n",
			    .text = "it"},
			&e) != 1)
			_exit(1);
		if (write(pipes[1], r.task, ID_LEN) != ID_LEN)
			_exit(1);
		raise(SIGKILL);
	}
	out[read(pipes[0], out, ID_LEN) == ID_LEN ? ID_LEN : 0] = '\0';
	close(pipes[0]);
	close(pipes[1]);
	wait(NULL);
}

static void
test_recovery(void)
{
	char task[ID_LEN + 1], id[ID_LEN + 1];
	struct recovered found;
	struct runner r;
	struct turn t;
	struct store s;
	struct err e = {0};

	die_at_work(task);
	ok(id_valid(task), "a runner dies in the middle of a change");
	store_open(&s, "tasks", STORE_WRITE, &e);
	ok(recovery_look(&s, &e) == 1, "it is seen to be gone");
	ok(recovery_run(&s, &found, &e) == 0 && found.tasks == 1 &&
		found.unknown == 1,
	    "its task is recovered");
	ok(number("SELECT count(*) FROM task WHERE state = 'paused'"
		  " AND reason = 'unknown'") == 1 &&
		number("SELECT count(*) FROM call WHERE state = 'unknown'") ==
		    1,
	    "whether the change happened is not known");
	ok(number("SELECT count(*) FROM outbox WHERE kind = 'paused'"
		  " AND record LIKE '%\"unknown\"%'") == 1,
	    "the requester will be told");
	ok(recovery_run(&s, &found, &e) == 0 && found.tasks == 0, "once");
	id_new(id);
	t = turn_of(id, task);
	ok(runner_start(&r, &s, &t, id, "extractive", &e) < 0 &&
		e.kind == ERR_REFUSED,
	    "it isn't resumed until somebody has looked");
	store_begin(&s, &e);
	db_exec(&s.db,
	    "INSERT INTO settlement SELECT task, call, 'attested', 0, '11',"
	    " 'looked', 1 FROM receipt",
	    &e);
	store_commit(&s, &e);
	e = (struct err){0};
	ok(runner_start(&r, &s, &t, id, "extractive", &e) == 1, "then it is");
	runner_release(&r);
	store_close(&s);
}

int
main(void)
{
	scratch_open();
	test_kills();
	test_race();
	test_recovery();
	scratch_close();
	return tap_done();
}
