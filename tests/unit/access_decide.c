/* The policy, row by row: who may do what, as the manual says it. */
#include "access/decide.h"

#include <stdlib.h>

#include "core/buf.h"
#include "core/err.h"
#include "store/settings.h"
#include "tap.h"

#define BY "\"by\":\"local\",\"at\":\"2026-01-01\"}"

enum { NOW = 1000 };

static struct settings settings;

/* Guild 1 is enabled and so are direct messages; 11 is listed, 77 operator. */
static void
use(const char *access)
{
	struct buf b = {0};
	struct err e = {0};

	settings_close(&settings);
	buf_fmt(&b,
	    "{\"version\":1,\"discord\":{\"guilds\":[\"1\",\"2\"],"
	    "\"users\":[\"11\"],\"dms\":\"on\"},\"access\":{%s}}",
	    access);
	if (settings_read(&settings, buf_text(&b), b.len, &e) < 0)
		printf("# %s\n", e.text);
	buf_release(&b);
}

static struct access_question
by(const char *actor, enum tier tier)
{
	return (struct access_question){
	    .settings = &settings,
	    .actor = actor,
	    .location = {LOCATION_GUILD, "1", "50"},
	    .capability = "a_tool",
	    .tier = tier,
	    .early = true,
	    .now_ms = NOW,
	};
}

/* "deny", "ask", "twice" or "allow". */
static const char *
answer(struct access_question q)
{
	struct access_decision d;
	const char *word;

	access_decide(&d, &q);
	word = d.confirm ? "twice" : access_word(d.verdict);
	access_release(&d);
	return word;
}

static bool
row(const char *actor, const char *read, const char *write,
    const char *destructive)
{
	const char *want[] = {read, write, destructive};
	const enum tier tiers[] = {TIER_READ, TIER_WRITE, TIER_DESTRUCTIVE};
	bool good = strcmp(answer(by(actor, TIER_SCRATCH)), read) == 0;

	for (int i = 0; i < 3; i++)
		good &= strcmp(answer(by(actor, tiers[i])), want[i]) == 0;
	return good;
}

static void
test_tiers(void)
{
	use("\"grants\":["
	    "{\"user\":\"21\",\"tier\":\"read\",\"mode\":\"ask\"," BY ","
	    "{\"user\":\"22\",\"tier\":\"read\",\"mode\":\"auto\"," BY ","
	    "{\"user\":\"23\",\"tier\":\"write\",\"mode\":\"ask\"," BY ","
	    "{\"user\":\"24\",\"tier\":\"write\",\"mode\":\"auto\"," BY ","
	    "{\"user\":\"25\",\"tier\":\"destructive\",\"mode\":\"ask\"," BY ","
	    "{\"user\":\"26\",\"tier\":\"destructive\",\"mode\":\"auto\"," BY
	    "],\"moderators\":[{\"user\":\"12\",\"guild\":\"1\"," BY "]");
	ok(row("99", "deny", "deny", "deny"), "nobody may do nothing");
	ok(row("11", "allow", "deny", "deny"), "who is let in may read");
	ok(row("12", "allow", "deny", "deny"), "so may a moderator");
	ok(row("21", "allow", "deny", "deny"), "a grant of read, ask");
	ok(row("22", "allow", "deny", "deny"), "a grant of read, auto");
	ok(row("23", "allow", "ask", "deny"), "a grant of write, ask");
	ok(row("24", "allow", "allow", "deny"), "a grant of write, auto");
	ok(row("25", "allow", "ask", "twice"), "of destructive, ask");
	ok(row("26", "allow", "allow", "allow"), "of destructive, auto");
	ok(row("77", "allow", "ask", "twice"), "an operator is asked");
	ok(row(NULL, "deny", "deny", "deny") && row("", "deny", "deny", "deny"),
	    "nobody without an id");
}

static struct access_question
at(const char *actor, enum location_kind kind, const char *guild,
    const char *change)
{
	struct access_question q = by(actor, TIER_WRITE);

	q.location = (struct location){kind, guild, "50"};
	q.guild = change;
	return q;
}

static void
test_places(void)
{
	use("\"grants\":["
	    "{\"user\":\"21\",\"tier\":\"write\",\"mode\":\"auto\"," BY ","
	    "{\"user\":\"22\",\"guild\":\"1\",\"tier\":\"write\","
	    "\"mode\":\"auto\"," BY "]");
	same(answer(at("21", LOCATION_GUILD, "3", NULL)), "deny",
	    "a grant doesn't enable a guild");
	same(answer(at("21", LOCATION_GUILD, "1", "3")), "deny",
	    "nor one that is changed from elsewhere");
	same(answer(at("77", LOCATION_GUILD, "3", NULL)), "deny",
	    "nor does an operator");
	same(answer(at("local", LOCATION_LOCAL, NULL, "3")), "deny",
	    "not even from the machine");
	same(answer(at("local", LOCATION_LOCAL, NULL, "2")), "ask",
	    "where a guild that is enabled may be changed");
	same(answer(at("21", LOCATION_LOCAL, NULL, NULL)), "deny",
	    "nobody else is there");
	same(answer(at("21", LOCATION_GUILD, NULL, NULL)), "deny",
	    "a guild without an id is none");
	same(answer(at("22", LOCATION_GUILD, "1", NULL)), "allow",
	    "a grant for a guild counts there");
	same(answer(at("22", LOCATION_GUILD, "2", NULL)), "deny",
	    "and not in another");
	same(answer(at("22", LOCATION_GUILD, "2", "1")), "allow",
	    "what is changed counts, not where that is asked for");
	same(answer(at("22", LOCATION_GUILD, "1", "2")), "deny", "either way");
	same(answer(at("21", LOCATION_DM, NULL, NULL)), "allow",
	    "in direct messages a grant everywhere counts");
	same(answer(at("22", LOCATION_DM, NULL, NULL)), "deny",
	    "one for a guild doesn't");
}

static void
test_time(void)
{
	struct access_question q = by("21", TIER_WRITE);

	use("\"grants\":[{\"user\":\"21\",\"tier\":\"write\",\"mode\":\"auto\","
	    "\"until\":\"1970-01-01T00:00:01Z\"," BY "]");
	q.now_ms = 999;
	same(answer(q), "allow", "a grant counts until its end");
	q.now_ms = 1000;
	same(answer(q), "deny", "and no more from then on");
	q.tier = TIER_READ;
	same(answer(q), "deny", "nor does it let anybody in");
	use("");
	q.now_ms = 999;
	same(answer(q), "deny", "a grant that is revoked stops the next call");
}

static struct access_question
with_roles(enum tier tier, const char *const *roles, size_t n)
{
	struct access_question q = by("11", tier);

	q.roles = (struct access_roles){roles != NULL, {roles, n}};
	return q;
}

static void
test_roles(void)
{
	static const char *const helper[] = {"31", "39"}, *const none[] = {""};

	use("\"grants\":[{\"role\":\"31\",\"guild\":\"1\",\"tier\":\"write\","
	    "\"mode\":\"auto\"," BY "],\"rules\":[{\"effect\":\"deny\","
	    "\"capability\":\"b_tool\",\"role\":\"32\",\"guild\":\"1\"," BY
	    "]");
	same(answer(with_roles(TIER_WRITE, helper, 2)), "allow",
	    "a role gives what it was granted");
	same(answer(with_roles(TIER_WRITE, none, 0)), "deny",
	    "to those who have it");
	same(answer(with_roles(TIER_WRITE, NULL, 0)), "deny",
	    "and to nobody whose roles aren't known");
	same(access_needs_roles(&(struct access_question){.settings = &settings,
		 .actor = "11",
		 .location = {LOCATION_GUILD, "1", NULL},
		 .tier = TIER_READ}),
	    NULL, "who is let in reads without a look at them");
}

static void
test_role_rules(void)
{
	static const char *const barred[] = {"32"}, *const free[] = {"39"};
	struct access_question q = by("77", TIER_WRITE);

	q.capability = "b_tool";
	same(answer(q), "deny", "who may be denied by a role is");
	same(access_needs_roles(&q), "1", "so the roles should be looked up");
	q.roles = (struct access_roles){true, {barred, 1}};
	same(answer(q), "deny", "an operator is denied by a role, too");
	q.roles = (struct access_roles){true, {free, 1}};
	same(answer(q), "ask", "and isn't without it");
	q.location = (struct location){LOCATION_GUILD, "2", NULL};
	q.roles = (struct access_roles){true, {barred, 1}};
	same(answer(q), "ask", "a role of another guild is another one");
	q = by("local", TIER_WRITE);
	q.capability = "b_tool";
	same(answer(q), "ask", "the person at the machine has none");
}

/* With these rules for 24 (write, auto), 23 (write, ask) and write calls. */
static bool
ruled(const char *rules, const char *automatic, const char *asked)
{
	struct buf b = {0};
	bool good;

	buf_fmt(&b,
	    "\"grants\":[{\"user\":\"23\",\"tier\":\"write\","
	    "\"mode\":\"ask\"," BY
	    ",{\"user\":\"24\",\"tier\":\"write\",\"mode\":\"auto\"," BY
	    "],\"rules\":[%s]",
	    rules);
	use(buf_text(&b));
	buf_release(&b);
	good = strcmp(answer(by("24", TIER_WRITE)), automatic) == 0 &&
	       strcmp(answer(by("23", TIER_WRITE)), asked) == 0;
	if (!good)
		printf("# auto: %s, ask: %s\n", answer(by("24", TIER_WRITE)),
		    answer(by("23", TIER_WRITE)));
	return good;
}

#define RULE(effect, what) "{\"effect\":\"" effect "\"," what "," BY
#define TOOL "\"capability\":\"a_tool\""
#define WRITES "\"tier\":\"write\""

static void
test_rules(void)
{
	ok(ruled("", "allow", "ask"), "without rules grants decide");
	ok(ruled(RULE("deny", TOOL), "deny", "deny"), "deny a tool");
	ok(ruled(RULE("ask", TOOL), "ask", "ask"), "ask about it");
	ok(ruled(RULE("allow", TOOL), "allow", "allow"), "allow it");
	ok(ruled(RULE("deny", WRITES), "deny", "deny"), "deny a tier");
	ok(ruled(RULE("ask", WRITES), "ask", "ask"), "ask about it");
	ok(ruled(RULE("allow", TOOL) "," RULE("deny", WRITES), "deny", "deny"),
	    "deny beats allow");
	ok(ruled(RULE("deny", WRITES) "," RULE("allow", TOOL), "deny", "deny"),
	    "in whichever order, and of whichever kind");
	ok(ruled(RULE("allow", TOOL) "," RULE("ask", WRITES), "ask", "ask"),
	    "ask beats allow");
	ok(ruled(RULE("ask", TOOL) "," RULE("deny", TOOL), "deny", "deny"),
	    "deny beats ask");
	ok(ruled(RULE("deny", "\"capability\":\"a_too\""), "allow", "ask"),
	    "a name is whole");
	ok(ruled(RULE("deny", TOOL ",\"user\":\"24\""), "deny", "ask"),
	    "one for a person is about that person");
	ok(ruled(RULE("deny", TOOL ",\"guild\":\"2\""), "allow", "ask"),
	    "one for another guild isn't about this one");
	ok(ruled(RULE("deny", TOOL ",\"guild\":\"1\",\"channel\":\"50\""),
	       "deny", "deny"),
	    "one for a channel is about what is asked for there");
	ok(ruled(RULE("deny", TOOL ",\"guild\":\"1\",\"channel\":\"51\""),
	       "allow", "ask"),
	    "and not elsewhere");
	ok(ruled(RULE("deny", "\"tier\":\"destructive\""), "allow", "ask"),
	    "what is denied of the highest tier isn't of the others");
}

static void
test_ceiling(void)
{
	ok(ruled(RULE("allow", "\"tier\":\"destructive\""), "allow", "ask"),
	    "a rule is read");
	same(answer(by("24", TIER_DESTRUCTIVE)), "deny",
	    "no rule lifts a grant");
	same(answer(by("11", TIER_WRITE)), "deny", "nor makes one");
	same(answer(by("99", TIER_READ)), "deny", "nor lets in");
	ok(ruled(RULE("deny", WRITES), "deny", "deny"), "a rule is read");
	same(answer(by("77", TIER_DESTRUCTIVE)), "deny",
	    "who may not write may not delete");
	ok(ruled(RULE("deny", "\"tier\":\"read\",\"user\":\"24\""), "allow",
	       "ask"),
	    "a rule is read");
	same(answer(by("24", TIER_READ)), "deny", "reads can be denied, too");
	same(answer(by("24", TIER_SCRATCH)), "allow", "by themselves");
}

static void
test_strictness(void)
{
	struct access_question q = by("26", TIER_WRITE);

	use("\"grants\":[{\"user\":\"26\",\"tier\":\"destructive\","
	    "\"mode\":\"auto\"," BY "],\"rules\":[" RULE("allow", TOOL) "]");
	same(answer(q), "allow", "an auto grant, and a rule that allows");
	q.task_asks = true;
	same(answer(q), "ask", "the task can be stricter");
	q.task_asks = false;
	q.asked_always = true;
	same(answer(q), "ask", "after a collaborator it must");
	q.tier = TIER_DESTRUCTIVE;
	same(answer(q), "twice", "and twice, for what is destructive");
	q.tier = TIER_READ;
	same(answer(q), "allow", "reads go on");
	q = by("11", TIER_WRITE);
	same(answer(q), "deny", "to be stricter never gives anything");
	q.task_asks = true;
	same(answer(q), "deny", "nor does it turn a no into a question");
}

/* A category 40 with channel 50, that has thread 60; channel 51 in it, too. */
static struct access_target
target(enum access_kind kind, const char *id)
{
	static const char *const thread[] = {"50", "40"}, *const in[] = {"40"},
				 *const message[] = {"60", "50", "40"},
				 *const holds[] = {"50", "51", "60"},
				 *const has[] = {"60"};
	struct access_target t = {.kind = kind, .id = id, .placed = true};

	if (kind == ACCESS_MESSAGE)
		t.above = (struct access_ids){message, 3};
	else if (strcmp(id, "60") == 0)
		t.above = (struct access_ids){thread, 2};
	else if (strcmp(id, "40") == 0)
		t.below = (struct access_ids){holds, 3};
	else if (id[0] == '5')
		t.above = (struct access_ids){in, 1};
	if (strcmp(id, "50") == 0)
		t.below = (struct access_ids){has, 1};
	return t;
}

static const char *
done_to(const char *actor, enum tier tier, struct access_target t)
{
	struct access_question q = by(actor, tier);

	q.early = false;
	q.targets = &t;
	q.target_count = 1;
	return answer(q);
}

/* Protect one; then ask about the six things that there are. */
static bool
guards(const char *what, const char *want)
{
	const struct access_target all[] = {target(ACCESS_CHANNEL, "40"),
	    target(ACCESS_CHANNEL, "50"), target(ACCESS_CHANNEL, "51"),
	    target(ACCESS_CHANNEL, "60"), target(ACCESS_MESSAGE, "70"),
	    target(ACCESS_ROLE, "31")};
	struct buf b = {0};
	char got[7] = "";

	buf_fmt(&b, "\"protected\":[{%s,\"guild\":\"1\"," BY "]", what);
	use(buf_text(&b));
	buf_release(&b);
	for (int i = 0; i < 6; i++)
		got[i] = *done_to("77", TIER_DESTRUCTIVE, all[i]);
	if (strcmp(got, want) != 0)
		printf("# got %s\n", got);
	return strcmp(got, want) == 0;
}

static void
test_protection(void)
{
	ok(guards("\"channel\":\"50\"", "ddtddt"),
	    "a channel, its thread, its messages, and its category");
	ok(guards("\"channel\":\"60\"", "ddtddt"),
	    "a thread, its messages, and what it is in");
	ok(guards("\"channel\":\"40\"", "dddddt"),
	    "a category and all that is in it");
	ok(guards("\"channel\":\"51\"", "dtdttt"), "a channel alone");
	ok(guards("\"role\":\"31\"", "tttttd"), "a role");
	same(done_to("77", TIER_WRITE, target(ACCESS_ROLE, "31")), "ask",
	    "of which other changes can be made");
	same(done_to("local", TIER_DESTRUCTIVE, target(ACCESS_ROLE, "31")),
	    "deny", "nobody is above that");
	same(done_to("77", TIER_DESTRUCTIVE, target(ACCESS_ROLE, "031")),
	    "deny", "however the id is written");
}

static void
test_unplaced(void)
{
	struct access_target t = {.kind = ACCESS_CHANNEL, .id = "51"};
	struct access_question q = by("77", TIER_DESTRUCTIVE);

	use("\"protected\":[{\"channel\":\"40\",\"guild\":\"1\"," BY "]");
	same(done_to("77", TIER_DESTRUCTIVE, t), "deny",
	    "what may lie in something protected is protected");
	q.early = false;
	same(answer(q), "deny", "so is what isn't named");
	q.early = true;
	same(answer(q), "twice", "until it was looked for");
	q = by("77", TIER_DESTRUCTIVE);
	q.targets = &t;
	q.target_count = 1;
	q.guild = "2";
	same(answer(q), "twice", "in another guild it doesn't lie there");
	use("\"grants\":[{\"user\":\"26\",\"tier\":\"destructive\","
	    "\"mode\":\"auto\"," BY
	    "],\"protected\":[{\"channel\":\"51\",\"guild\":\"1\"," BY
	    "],\"rules\":[" RULE("allow", "\"tier\":\"destructive\"") "]");
	same(done_to("26", TIER_DESTRUCTIVE, t), "deny",
	    "neither auto nor a rule gets round it");
}

static void
test_channel_rules(void)
{
	use("\"rules\":[" RULE("allow",
	    "\"tier\":\"write\",\"guild\":\"1\",\"channel\":\"50\"") "]");
	same(done_to("77", TIER_WRITE, target(ACCESS_CHANNEL, "50")), "allow",
	    "what is allowed in a channel is so there");
	same(done_to("77", TIER_WRITE, target(ACCESS_CHANNEL, "60")), "allow",
	    "and in it");
	same(done_to("77", TIER_WRITE, target(ACCESS_CHANNEL, "40")), "ask",
	    "not around it");
	same(done_to("77", TIER_WRITE, target(ACCESS_CHANNEL, "51")), "ask",
	    "not beside it, though it was asked for there");
	same(done_to("77", TIER_WRITE, target(ACCESS_ROLE, "31")), "ask",
	    "nor to what isn't in any channel");
	use("\"rules\":[" RULE("deny",
	    "\"tier\":\"write\",\"guild\":\"1\",\"channel\":\"51\"") "]");
	same(done_to("77", TIER_WRITE, target(ACCESS_CHANNEL, "40")), "deny",
	    "what is denied in a channel is so around it");
	same(done_to("77", TIER_WRITE, target(ACCESS_CHANNEL, "50")), "ask",
	    "and not beside it");
}

static void
test_tier_of_tools(void)
{
	static const char *const names[] = {"manage_member_roles",
	    "move_channel", "move_category"};
	struct access_question q = by("77", TIER_READ);

	use("");
	for (int i = 0; i < 3; i++) {
		q.capability = names[i];
		same(answer(q), "twice",
		    "what changes who sees what is destructive");
	}
	q.capability = "move_channels";
	same(answer(q), "allow", "and nothing else is");
}

static void
test_reasons(void)
{
	struct access_question q = by("24", TIER_WRITE);
	struct access_decision d;

	ok(ruled(RULE("deny", TOOL ",\"user\":\"24\""), "deny", "ask"),
	    "a rule is read");
	access_decide(&d, &q);
	same(d.why, "a rule denies a_tool here", "what settled it is told");
	same(buf_text(&d.reasons),
	    "24 is let in by a grant, or as a moderator\n"
	    "grant to user 24 everywhere (up to write, auto) by local: it "
	    "counts\n"
	    "allow: a grant covers write calls\n"
	    "rule: deny a_tool of user 24 by local\n"
	    "deny: a rule denies a_tool here\n",
	    "and all that counted");
	access_release(&d);
	access_release(&d);
}

int
main(void)
{
	setenv("SOPHIA_OPERATORS", "77", 1);
	test_tiers();
	test_places();
	test_time();
	test_roles();
	test_role_rules();
	test_rules();
	test_ceiling();
	test_strictness();
	test_protection();
	test_unplaced();
	test_channel_rules();
	test_tier_of_tools();
	test_reasons();
	settings_close(&settings);
	return tap_done();
}
