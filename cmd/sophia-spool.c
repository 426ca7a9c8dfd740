/*
 * sophia-spool - what Discord told us, as it waits for its readers
 * stdout: {"type":"event",...} an event, or {"type":"spool",...} a shard
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/cli.h"
#include "core/buf.h"
#include "core/err.h"
#include "core/log.h"
#include "core/poll.h"
#include "record/event.h"
#include "store/spool_feed.h"
#include "store/spool_reader.h"
#include "store/spool_state.h"

enum { SHARD_MAX = 999999, OUT_ROOM = 64 << 10 };

static void
describe(struct buf *b, const struct spool_state *s)
{
	buf_fmt(b,
	    "shard %d: events %" PRId64 " to %" PRId64 ", %" PRId64
	    " bytes, %s\n",
	    s->shard, s->first, s->last, s->bytes,
	    s->writing ? "a gateway writes" : "no gateway");
	for (int i = 0; i < s->readers; i++) {
		int64_t behind = s->last - s->reader[i].passed;

		buf_fmt(b, "  %-32s passed %" PRId64 ", %" PRId64 " to go\n",
		    s->reader[i].name, s->reader[i].passed,
		    behind > 0 ? behind : 0);
	}
}

static int
add_shard(struct cli *c, struct buf *b, int shard, struct err *e)
{
	struct spool_state s = {0};
	int rc = spool_state_read(&s, shard, e);

	if (rc == 0 && c->json)
		spool_state_write(b, &s);
	else if (rc == 0)
		describe(b, &s);
	spool_state_release(&s);
	return rc;
}

static int
status(struct cli *c, struct err *e)
{
	struct buf b = {0};
	int *shards, n, rc = 0;

	cli_plain(c, 0, 0);
	c->none = "there is no spool yet";
	n = spool_shards(&shards, e);
	for (int i = 0; i < n && rc == 0; i++)
		rc = add_shard(c, &b, shards[i], e);
	if (rc == 0 && n > 0)
		rc = cli_out(c, &b, e);
	buf_release(&b);
	free(shards);
	return rc < 0 ? -1 : n;
}

struct reading {
	struct cli *cli;
	struct spool_reader from;
	struct buf out;
	bool follow;
	int count;
};

static int
put(struct reading *r, struct err *e)
{
	if (cli_put(r->cli, &r->out, e) < 0)
		return -1;
	return spool_reader_passed(&r->from, r->from.position, e);
}

/* Print what there is; what is gone is said to the person. */
static int
print(struct reading *r, struct err *e)
{
	int got;

	while ((got = spool_reader_next(&r->from, e)) > 0) {
		if (got == SPOOL_GAP) {
			log_warn("there are no events before %" PRId64,
			    r->from.position + 1);
			continue;
		}
		r->count++;
		event_write(&r->out, &r->from.event);
		if (r->out.len > OUT_ROOM && put(r, e) < 0)
			return -1;
	}
	return got < 0 ? -1 : put(r, e);
}

static void
wake(void *ctx, short revents)
{
	(void)ctx;
	(void)revents;
}

static int
print_all(struct reading *r, struct err *e)
{
	struct poll p = {0};
	struct poll_fd watch = {.fd = r->from.wake,
	    .events = POLLIN,
	    .ready = wake};
	int rc;

	poll_add(&p, &watch);
	while ((rc = print(r, e)) == 0 && r->follow)
		if ((rc = poll_step(&p, POLL_NEVER, e)) < 0)
			break;
	poll_release(&p);
	return rc;
}

static int
read_events(struct cli *c, struct err *e)
{
	struct reading r = {.cli = c};
	int64_t after = SPOOL_NOTED;
	const char *name = NULL;
	int shard = 0, o, rc;

	c->none = "there is no such event";
	while ((o = cli_option(c)) != -1)
		switch (o) {
		case 'a': after = cli_int(c, 0, INT64_MAX); break;
		case 'f': r.follow = true; break;
		case 'n': name = c->value; break;
		case 's': shard = (int)cli_int(c, 0, SHARD_MAX); break;
		default: break;
		}
	cli_args(c, 0, 0);
	if (name && after != SPOOL_NOTED)
		cli_usage(c, "--after and --name don't go together");
	rc = spool_reader_open(&r.from, shard, name, after, e);
	if (rc == 0)
		rc = print_all(&r, e);
	spool_reader_close(&r.from);
	buf_release(&r.out);
	return rc < 0 ? -1 : r.count;
}

static int
append(struct cli *c, struct err *e)
{
	struct buf b = {0};
	int shard = 0;
	int64_t rc;

	while (cli_option(c) != -1)
		shard = (int)cli_int(c, 0, SHARD_MAX);
	cli_args(c, 0, 0);
	rc = spool_feed(STDIN_FILENO, shard, e);
	if (rc > 0 && (add_shard(c, &b, shard, e) < 0 || cli_out(c, &b, e) < 0))
		rc = -1;
	buf_release(&b);
	return rc > 0 ? 1 : (int)rc;
}

static const struct cli_option reading[] = {
    {'a', "after", "number", "only events after the one of this number"},
    {'f', "follow", NULL, "and then those that come, until interrupted"},
    {'n', "name", "reader", "go on where this reader was, and note how far"},
    {'s', "shard", "number", "of this shard, not of shard 0"},
    {0},
};

static const struct cli_option adding[] = {
    {'s', "shard", "number", "to this shard, not to shard 0"},
    {0},
};

static const struct cli_verb verbs[] = {
    {"status", NULL, "what there is, and how far its readers are", NULL,
	status},
    {"read", NULL, "print the events", reading, read_events},
    {"append", NULL, "add the event records on stdin", adding, append},
    {0},
};

static const struct cli_command command = {
    .name = "sophia-spool",
    .purpose = "look at what Discord told us, as it waits for its readers",
    .verbs = verbs,
    .notes = "Events are numbered anew when they are appended.\n",
};

int
main(int argc, char **argv)
{
	return cli_main(&command, argc, argv);
}
