/*
 * No text reaches anybody who could not read its source: random guilds change
 * at random, as the gateway tells of it or fails to, while tasks read with the
 * real index and ask where they may say what they have read. Whatever is
 * allowed is judged by leak_model, which knows the guilds as they are.
 *
 * $SOPHIA_LEAK_CASES  how many askings there are; 20000 if unset, and fewer
 *                     under a sanitizer, which slows them down by ten
 * $SOPHIA_LEAK_SEED   the first seed
 *
 * A leak is reduced to what it takes, and printed with its seed.
 */
#define _GNU_SOURCE
#include "access/outcome.h"

#include <time.h>

#include "access/publication.h"
#include "core/err.h"
#include "ext/db.h"
#include "record/context.h"
#include "record/message.h"
#include "retrieve/corpus.h"
#include "retrieve/fetch.h"
#include "retrieve/page.h"
#include "retrieve/wish.h"
#include "store/base.h"

#include "leak_change.h"
#include "tap.h"

#ifdef __SANITIZE_ADDRESS__
enum { CASES = 2000 };
#else
enum { CASES = 20000 };
#endif

enum { REDUCE_S = 20 };

enum mode { IN_DM, IN_PRIVATE, IN_PUBLIC };

struct task {
	bool used;
	enum mode mode;
	int user, guild, place;
	bool got[GUILDS][PLACES];  /* what is said there */
	bool told[GUILDS][PLACES]; /* that it is there */
};

static struct task tasks_read[STEPS];
static char leak[400]; /* what leaked first; "" for nothing */

static struct store tasks, view;
static struct corpus corpus;

static struct {
	int cases, reads, texts, asked, allowed, elsewhere, refused, cautious;
	int histories;
} sum;

/* ---- who asks ---- */

static struct context
context_of(const struct task *t)
{
	static char actor[16], guild[16], channel[16];

	snprintf(actor, sizeof(actor), "%d", user_id(t->user));
	snprintf(guild, sizeof(guild), "%d", guild_id(t->guild));
	snprintf(channel, sizeof(channel), "%d",
	    t->mode == IN_DM ? 77 : place_id(t->guild, t->place));
	return (struct context){
	    .actor = {.id = actor, .name = "n"},
	    .location = {.kind = t->mode == IN_DM ? LOCATION_DM
						  : LOCATION_GUILD,
		.guild = t->mode == IN_DM ? NULL : guild,
		.channel = channel},
	    .visibility = t->mode == IN_PUBLIC ? VISIBILITY_PUBLIC
					       : VISIBILITY_PRIVATE,
	};
}

/* May text of that place be said at `to` of a guild; or, if -1, privately? */
static bool
may_say(const struct task *t, int of, int p, int guild, int to)
{
	if (to < 0)
		return model_tells(&guilds[of], p, t->user);
	return of == guild && model_says(&guilds[of], p, to, t->user);
}

/* May it be said at `to` that there is that place? */
static bool
may_name(int of, int p, int guild, int to)
{
	if (to < 0 || !guilds[of].place[p].there)
		return true; /* to whoever was told it; or it is gone */
	for (int m = 0; m < USERS; m++)
		if (model_sees(&guilds[guild], to, m) &&
		    (of != guild || !model_sees(&guilds[of], p, m)))
			return false;
	return true;
}

static void
leaked(const struct task *t, const char *what, int of, int p, int to)
{
	if (*leak)
		return;
	for (int m = 0; tracing && m < USERS; m++)
		note("   user %d: sees %d, reads %d%s%s", m,
		    to >= 0 && model_sees(&guilds[t->guild], to, m),
		    model_reads(&guilds[of], p, m),
		    m == guilds[of].owner ? ", owns it" : "",
		    guilds[of].mute[m] ? ", is timed out" : "");
	snprintf(leak, sizeof(leak),
	    "seed %" PRIu64 ", step %d: user %d, who asks %s guild %d place "
	    "%d, gets %s of g%dp%d said to %d",
	    script->seed, step_now, t->user,
	    t->mode == IN_DM        ? "in a DM, not"
	    : t->mode == IN_PRIVATE ? "privately in"
				    : "publicly in",
	    t->guild, t->place, what, of, p, to);
}

static void
do_sql(const char *sql)
{
	struct err e = {0};

	if (store_begin(&tasks, &e) < 0 || db_exec(&tasks.db, sql, &e) < 0 ||
	    store_commit(&tasks, &e) < 0)
		bail("tasks", &e);
}

/* A list of places that a tool gave, or offered for a name that fits several. */
static void
keep_told(struct buf *b, const struct task *t, bool failed)
{
	bool any = false;

	buf_fmt(b,
	    "INSERT INTO call (task, n, round, capability, arguments, tier,"
	    " state, output, started_ms, ended_ms) VALUES ('T%d', %d, 1, 'x',"
	    " '{}', 'read', '%s', '{\"%s\":[",
	    step_now, 1 + failed, failed ? "error" : "ok",
	    failed ? "candidates" : "data");
	for (int of = 0; of < GUILDS; of++)
		for (int p = 0; p < PLACES; p++)
			if (t->told[of][p] && failed == (p % 2 == 1)) {
				buf_fmt(b, "%s{\"id\":\"%d\",\"name\":\"n\"}",
				    any ? "," : "", place_id(of, p));
				any = true;
			}
	buf_str(b, "]}', 0, 0);");
}

static void
keep_task(const struct task *t)
{
	struct context c = context_of(t);
	struct buf b = {0};

	buf_fmt(&b,
	    "INSERT INTO task (id, owner, owner_name, location, visibility,"
	    " objective, approval, profile, state, created_ms, changed_ms)"
	    " VALUES ('T%d', '%s', '', '%s%s%s:%s', '%s', '', 'ask', 'p',"
	    " 'completed', 0, 0);",
	    step_now, c.actor.id, t->mode == IN_DM ? "dm" : "guild:",
	    t->mode == IN_DM ? "" : c.location.guild, "", c.location.channel,
	    t->mode == IN_PUBLIC ? "public" : "private");
	for (int of = 0; of < GUILDS; of++)
		for (int p = 0; p < PLACES; p++)
			if (t->got[of][p])
				buf_fmt(&b,
				    "INSERT INTO source (task, kind, url,"
				    " revision, channel, channel_name, text)"
				    " VALUES ('T%d', 'message', 'u%d%02d', '',"
				    " '%d', 'g%dp%d', 'x');",
				    step_now, of, p, place_id(of, p), of, p);
	buf_fmt(&b,
	    "INSERT INTO turn (id, task, n, actor, actor_name, text, record,"
	    " state, started_ms) VALUES ('N%d', 'T%d', 1, '%s', '', '', '{}',"
	    " 'running', 0);"
	    "INSERT INTO round (task, n, turn, message, at_ms)"
	    " VALUES ('T%d', 1, 'N%d', '{}', 0);",
	    step_now, step_now, c.actor.id, step_now, step_now);
	keep_told(&b, t, false);
	keep_told(&b, t, true);
	do_sql(buf_text(&b));
	buf_release(&b);
}

/* They are told of some places that they see. */
static void
look_around(struct task *t)
{
	for (int of = 0; of < GUILDS; of++)
		for (int p = 1; p < PLACES; p++)
			t->told[of][p] = guilds[of].enabled &&
					 guilds[of].place[p].there &&
					 model_sees(&guilds[of], p, t->user) &&
					 dice(4) == 0;
}

/* A message was found: whose is it, and may it be told? */
static void
found(struct task *t, const struct message *m)
{
	int of, p;

	if (sscanf(m->text, "hoard g%dp%d", &of, &p) != 2)
		return;
	sum.texts++;
	t->got[of][p] = true;
	if (!may_say(t, of, p, t->guild, t->mode == IN_PUBLIC ? t->place : -1))
		leaked(t, "text", of, p, t->mode == IN_PUBLIC ? t->place : -1);
}

static void
search(struct task *t, struct err *e)
{
	struct fetch f = {.corpus = &corpus, .plain = true};
	struct page page = {0};
	struct message m = {0};
	struct wish wish;

	wish_start(&wish);
	wish.query = "hoard";
	wish.match = MATCH_ALL;
	wish.limit = 100;
	if (page_find(&page, &corpus, &wish, e) == 0)
		for (size_t i = 0; i < page.rows.count; i++)
			if (fetch_message(&f, page.rows.at[i].ord, &m, e) > 0)
				found(t, &m);
	fetch_release(&f);
	message_release(&m);
	page_release(&page);
}

static void
read_some(void)
{
	struct task *t = &tasks_read[step_now];
	struct context c;
	struct err e = {0}, denied = {0};

	*t = (struct task){.used = true, .user = pick(MEMBERS)};
	t->mode = dice(2) ? IN_PUBLIC : dice(2) ? IN_PRIVATE : IN_DM;
	t->guild = dice(5) == 0;
	t->place = 1 + pick(PLACES - 1);
	note("user %d reads, mode %d, at g%dp%d", t->user, (int)t->mode,
	    t->guild, t->place);
	sum.cases++;
	sum.reads++;
	c = context_of(t);
	if (corpus_begin_for(&corpus, &c, &denied) == 0) {
		search(t, &e);
		corpus_end(&corpus);
	} else if (denied.kind != ERR_DENIED) {
		bail("reading", &denied);
	}
	if (e.kind)
		bail("search", &e);
	if (dice(3) == 0)
		look_around(t);
	keep_task(t);
}

/* ---- where it may be said ---- */

static bool
has_sources(const struct task *t)
{
	for (int of = 0; of < GUILDS; of++)
		for (int p = 0; p < PLACES; p++)
			if (t->got[of][p] || t->told[of][p])
				return true;
	return false;
}

/* An earlier task that has read something; or NULL. */
static const struct task *
earlier(int *at)
{
	for (*at = pick(step_now + 1); *at >= 0; (*at)--)
		if (tasks_read[*at].used && has_sources(&tasks_read[*at]))
			return &tasks_read[*at];
	return NULL;
}

static void
judge(const struct task *t, bool allowed, int guild, int to)
{
	bool far = false, could = true;

	for (int of = 0; of < GUILDS; of++)
		for (int p = 0; p < PLACES; p++) {
			bool may = may_say(t, of, p, guild, to);

			if (t->told[of][p] && !may_name(of, p, guild, to)) {
				could = false;
				if (allowed)
					leaked(t, "the place", of, p, to);
			}
			if (!t->got[of][p])
				continue;
			could = could && may;
			far = far || of != guild || p != to;
			if (allowed && !may)
				leaked(t, "what it read", of, p, to);
		}
	sum.allowed += allowed;
	sum.elsewhere += allowed && to >= 0 && far;
	sum.refused += !allowed;
	sum.cautious += !allowed && could;
}

/* A reason names nothing that whoever gets it doesn't see. */
static void
judge_names(const struct task *t, const char *text)
{
	int of, p;

	for (; (text = strstr(text, "#g")) != NULL; text++) {
		bool sees, all = true;

		if (sscanf(text, "#g%dp%d", &of, &p) != 2)
			continue;
		sees = model_sees(&guilds[of], p, t->user);
		for (int m = 0; t->mode == IN_PUBLIC && m < USERS; m++)
			all = all &&
			      (!model_sees(&guilds[t->guild], t->place, m) ||
				  (of == t->guild &&
				      model_sees(&guilds[of], p, m)));
		if (!sees || !all || !guilds[of].enabled)
			leaked(t, "the name", of, p, -2);
	}
}

static void
publish(void)
{
	int at, guild, to;
	const struct task *t = earlier(&at);
	char task[16], place[16];
	struct context c;
	struct err e = {0};
	int rc;

	if (!t)
		return;
	c = context_of(t);
	guild = dice(12) == 0 ? !t->guild : t->guild;
	to = dice(6) == 0 ? -1 : dice(6) == 0 ? t->place : pick(PLACES);
	snprintf(task, sizeof(task), "T%d", at);
	snprintf(place, sizeof(place), "%d", place_id(guild, to));
	note("%s would be said at g%dp%d", task, guild, to);
	sum.cases++;
	sum.asked++;
	if (dice(16) == 0) {
		rc = outcome_check(&tasks, task, to < 0 ? NULL : place, &e);
	} else {
		struct err busy = {0};

		if (db_begin_read(&view.db, &busy) < 0)
			bail("index", &busy);
		rc = publication_check(&tasks, &view.db, &c, task,
		    to < 0 ? NULL : place, &e);
		db_rollback(&view.db);
	}
	if (rc < 0 && e.kind != ERR_DENIED && e.kind != ERR_AGAIN)
		bail("publication", &e);
	note("   %s", rc == 0 ? "allowed" : e.text);
	judge(t, rc == 0, guild, to);
	judge_names(t, e.text);
}

/* ---- histories ---- */

static void
say_messages(void)
{
	char text[200];

	for (int of = 0; of < GUILDS; of++)
		for (int p = 1; p < PLACES; p++) {
			snprintf(text, sizeof(text),
			    "{\"id\":\"%d\",\"guild_id\":\"%d\",\"channel_id\":"
			    "\"%d\",\"author\":{\"id\":\"70\",\"username\":"
			    "\"a\"},\"content\":\"hoard g%dp%d\"}",
			    guild_id(of) + MESSAGE_ID + p, guild_id(of),
			    place_id(of, p), of, p);
			tell_text("MESSAGE_CREATE", text);
		}
}

/* As it begins: what is archived then was told of before. */
static void
begin(void)
{
	set_chance(script->seed, 999);
	for (int of = 0; of < GUILDS; of++)
		make_guild(of);
	set_enabled();
	say_ready();
	for (int of = 0; of < GUILDS; of++)
		for (int p = CHANNELS; p < PLACES; p++) {
			say_place(of, p, "THREAD_CREATE");
			for (int m = 0; m < USERS; m++)
				if (guilds[of].in[m] &&
				    guilds[of].place[p].joined[m])
					say_joined(of, p, m);
				else
					guilds[of].place[p].joined[m] = false;
		}
	say_messages();
}

static void
open_stores(void)
{
	struct err e = {0};

	mkdir(in_scratch("home"), 0700);
	number = sequence = last_ms = 0;
	put_clock(ahead_ms = 0);
	if (store_open(&store, "messages", STORE_WRITE, &e) < 0 ||
	    store_open(&tasks, "tasks", STORE_WRITE, &e) < 0 ||
	    store_open(&view, "messages", STORE_READ, &e) < 0 ||
	    ingest_open(&in, &store, &e) < 0 || corpus_open(&corpus, &e) < 0 ||
	    db_exec(&tasks.db, "PRAGMA synchronous = OFF", &e) < 0)
		bail("stores", &e);
}

static void
close_stores(void)
{
	corpus_close(&corpus);
	ingest_close(&in);
	store_close(&view);
	store_close(&tasks);
	store_close(&store);
	nftw(in_scratch("home"), scratch_remove, 16, FTW_DEPTH | FTW_PHYS);
}

/* Play it until something leaks: the step, or -1. */
static int
play(const struct script *s)
{
	script = s;
	step_now = -1;
	*leak = '\0';
	memset(tasks_read, 0, sizeof(tasks_read));
	open_stores();
	begin();
	for (step_now = 0; step_now < s->steps && !*leak; step_now++) {
		if (s->skip[step_now])
			continue;
		set_chance(s->seed, (uint64_t)step_now);
		switch (dice(6)) {
		case 0: change(); break;
		case 1: read_some(); break;
		default: publish();
		}
	}
	close_stores();
	return *leak ? step_now - 1 : -1;
}

/* Leave out whatever it leaks without; then play what is left, aloud. */
static void
reduce(struct script *s, int at)
{
	bool *flags[2] = {s->skip, s->cut};
	int counts[2] = {at, CUTS};
	time_t end = time(NULL) + REDUCE_S;

	printf("# %s; it is being reduced\n", leak);
	fflush(stdout);
	s->steps = at + 1;
	for (int size = 64; size > 0; size /= 2)
		for (int k = 0; k < 2; k++)
			for (int i = 0; i < counts[k] && time(NULL) < end;
			     i += size) {
				struct script before = *s;

				for (int n = i; n < i + size && n < counts[k];
				     n++)
					flags[k][n] = true;
				if (play(s) != at)
					*s = before;
			}
	tracing = true;
	(void)play(s);
	tracing = false;
	printf("# %s\n", leak);
}

static long
from_environment(const char *name, long other)
{
	const char *text = getenv(name);

	return text ? strtol(text, NULL, 10) : other;
}

int
main(void)
{
	long cases = from_environment("SOPHIA_LEAK_CASES", CASES);
	uint64_t seed = (uint64_t)from_environment("SOPHIA_LEAK_SEED", 1);
	int64_t from_ms = clock_boot_ms(), ms;
	int at = -1;

	if (access("/dev/shm", W_OK) == 0)
		setenv("TMPDIR", "/dev/shm", 0);
	scratch_open();
	put_clock(0);
	for (; sum.cases < cases && at < 0; seed++, sum.histories++) {
		struct script s = {.seed = seed, .steps = STEPS};

		at = play(&s);
		if (at >= 0)
			reduce(&s, at);
	}
	put_clock(0);
	ms = clock_boot_ms() - from_ms;
	printf("# %d cases in %d histories, %" PRId64 " ms: %d readings gave "
	       "%d texts; of %d publications %d were allowed, %d of them with "
	       "text from elsewhere, and %d refused, %d of these only since "
	       "somebody might come who can't read it\n",
	    sum.cases, sum.histories, ms, sum.reads, sum.texts, sum.asked,
	    sum.allowed, sum.elsewhere, sum.refused, sum.cautious);
	ok(at < 0, "no text reaches anybody who could not read its source");
	ok(sum.texts > sum.reads / 4, "and much is read");
	ok(sum.allowed > sum.asked / 20 && sum.refused > sum.asked / 20,
	    "publications are allowed, and refused");
	ok(sum.elsewhere > sum.asked / 200, "also with text from elsewhere");
	scratch_close();
	return tap_done();
}
