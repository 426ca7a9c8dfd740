/*
 * sophia-gateway - a session with Discord: what happens there, as it happens
 * stdout: event records; or, with --spool, gateway records, for the events go
 * to the spool
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/show.h"
#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/log.h"
#include "core/start.h"
#include "discord/intents.h"
#include "gateway/recorder.h"
#include "gateway/station.h"

enum { TERMINAL_MS = 1000, SHARDS_MAX = 1 << 16 };

struct job {
	struct cli *c;
	struct station station;
	struct show show;
	const char *replay;
	char state[16]; /* the last one that was logged */
	char told[16];  /* the last one of all */
};

/* "5 s", "3 min", "2 h" */
static void
add_span(struct buf *b, int64_t ms)
{
	const int64_t s = ms / 1000;

	if (s < 120)
		buf_fmt(b, "%d s", (int)s);
	else if (s < 7200)
		buf_fmt(b, "%d min", (int)(s / 60));
	else
		buf_fmt(b, "%d h", (int)(s / 3600));
}

/* "up 3 min as Sophia, 5 guilds, 812 events, 41 ms" */
static void
describe(struct buf *b, const struct gateway_status *now)
{
	buf_str(b, now->state);
	if (strcmp(now->state, "up") == 0) {
		buf_char(b, ' ');
		add_span(b, now->at_ms - now->since_ms);
		if (now->user)
			buf_fmt(b, " as %s", now->user);
		buf_fmt(b, ", %d guild%s, %lld event%s", (int)now->guilds,
		    now->guilds == 1 ? "" : "s", (long long)now->events,
		    now->events == 1 ? "" : "s");
		if (now->latency_ms >= 0)
			buf_fmt(b, ", %d ms", (int)now->latency_ms);
	}
	if (now->until_ms > now->at_ms) {
		buf_char(b, ' ');
		add_span(b, now->until_ms - now->at_ms + 500);
	}
	if (now->reason)
		buf_fmt(b, ": %s", now->reason);
}

/* A line for each state that a person would ask about. */
static void
log_state(struct job *j, const struct gateway_status *now, const char *text)
{
	static const char *const worth[] = {"up", "waiting", "held"};
	bool worthy = false;

	for (size_t i = 0; i < sizeof(worth) / sizeof(worth[0]); i++)
		worthy |= strcmp(now->state, worth[i]) == 0;
	if (!worthy || strcmp(now->state, j->state) == 0)
		return;
	snprintf(j->state, sizeof(j->state), "%s", now->state);
	log_warn("%s", text);
}

static void
on_told(void *ctx, const struct gateway_status *now)
{
	struct job *j = ctx;
	struct buf text = {0}, line = {0};
	struct err e = {0};

	describe(&text, now);
	if (isatty(STDERR_FILENO))
		show_status(&j->show, buf_text(&text));
	else
		log_state(j, now, buf_text(&text));
	if (j->station.outlet.spooled && j->c->json &&
	    strcmp(now->state, j->told) != 0) {
		gateway_status_write(&line, now);
		if (cli_put(j->c, &line, &e) < 0)
			log_complain(&e);
	}
	snprintf(j->told, sizeof(j->told), "%s", now->state);
	buf_release(&text);
	buf_release(&line);
}

/* "N/M": shard N, from 0, of M. */
static void
read_shard(struct cli *c, struct gateway *g)
{
	char *end;
	const long shard = strtol(c->value, &end, 10);
	const long shards = *end == '/' ? strtol(end + 1, &end, 10) : 0;

	if (*end || shards < 1 || shards > SHARDS_MAX || shard < 0 ||
	    shard >= shards)
		cli_usage(c, "--shard takes N/M, N from 0 to M-1");
	g->shard = (int)shard;
	g->shards = (int)shards;
}

static void
read_intents(struct cli *c, struct gateway *g)
{
	struct err e = {0};

	if (intents_read(&g->intents, c->value, &e) < 0)
		cli_usage(c, "--intents: %s", e.text);
}

static void
read_options(struct cli *c, struct job *j)
{
	struct gateway *g = &j->station.gateway;
	int o;

	while ((o = cli_option(c)) != -1)
		switch (o) {
		case 's': j->station.outlet.spooled = true; break;
		case 'n': read_shard(c, g); break;
		case 'i': read_intents(c, g); break;
		case 'z': g->plain = true; break;
		case 'w': j->station.record = c->value; break;
		case 'r': j->replay = c->value; break;
		}
	cli_args(c, 0, 0);
	if (j->replay && j->station.record)
		cli_usage(c, "what is replayed need not be recorded again");
}

static int64_t
replay(struct job *j, struct err *e)
{
	struct outlet *to = &j->station.outlet;
	struct poll poll = {0};
	int64_t count = -1;

	to->shard = j->station.gateway.shard;
	if (outlet_open(to, &poll, e) == 0)
		count = recorder_replay(j->replay, to, e);
	if (outlet_close(to, e) < 0)
		count = -1;
	poll_release(&poll);
	return count;
}

static int
run(struct cli *c, struct err *e)
{
	static struct job j;
	int64_t count;

	j.c = c;
	read_options(c, &j);
	j.station.told = on_told;
	j.station.ctx = &j;
	if (isatty(STDERR_FILENO))
		j.station.report_ms = TERMINAL_MS;
	start_without_sigpipe();
	count = j.replay ? replay(&j, e) : station_run(&j.station, e);
	show_end(&j.show);
	return count < 0 ? -1 : 1;
}

static const struct cli_option options[] = {
    {'s', "spool", NULL, "put the events into the spool, not on stdout"},
    {'n', "shard", "N/M", "be shard N of M"},
    {'i', "intents", "intents", "names between commas, or a number"},
    {'r', "replay", "file", "take the events from a recording"},
    {'w', "record", "file", "write what is received there, too"},
    {'z', "no-zlib", NULL, "without transport compression"},
    {0},
};

static const struct cli_command command = {
    .name = "sophia-gateway",
    .purpose = "stay connected to Discord and hand out its events",
    .options = options,
    .run = run,
    .notes =
	"The token is the secret DISCORD_TOKEN, see sophia(7).\n"
	"SIGTERM with --spool leaves a session that the next one resumes.\n",
};

int
main(int argc, char **argv)
{
	return cli_main(&command, argc, argv);
}
