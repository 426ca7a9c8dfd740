/*
 * Random policies, and questions put to them: what access_decide() says is what
 * a model says that knows nothing of it.
 */
#include <stdlib.h>

#include "access/decide.h"
#include "access_model.h"
#include "core/buf.h"
#include "core/err.h"
#include "store/settings.h"
#include "tap.h"

enum { ROUNDS = 60000, NOW = 1000000 };

static const char *const names[] = {NULL, "send_message", "delete_channel",
    "note_add", "move_channel"};

static void
put(struct buf *b, const char *key, int id)
{
	if (id)
		buf_fmt(b, "\"%s\":\"%d\",", key, id);
}

static void
put_origin(struct buf *b)
{
	buf_str(b, "\"by\":\"local\",\"at\":\"1970-01-01T00:00:01Z\"},");
}

static void
end_list(struct buf *b)
{
	if (b->data[b->len - 1] == ',')
		b->data[--b->len] = '\0';
	buf_char(b, ']');
}

static void
put_grants(struct buf *b, const struct world *w)
{
	buf_str(b, "\"grants\":[");
	for (int i = 0; i < w->grant_count; i++) {
		const struct given *g = &w->grants[i];

		buf_char(b, '{');
		put(b, "user", g->user);
		put(b, "role", g->role);
		put(b, "guild", g->guild);
		buf_fmt(b, "\"tier\":\"%s\",\"mode\":\"%s\",",
		    tier_word((enum tier)g->tier),
		    g->automatic ? "auto" : "ask");
		if (g->ended)
			buf_str(b, "\"until\":\"1970-01-01T00:16:40Z\",");
		put_origin(b);
	}
	end_list(b);
}

static void
put_rules(struct buf *b, const struct world *w)
{
	static const char *const words[] = {"deny", "ask", "allow"};

	buf_str(b, ",\"rules\":[");
	for (int i = 0; i < w->rule_count; i++) {
		const struct ruled *r = &w->rules[i];

		buf_fmt(b, "{\"effect\":\"%s\",", words[r->effect]);
		if (r->name)
			buf_fmt(b, "\"capability\":\"%s\",", names[r->name]);
		else
			buf_fmt(b, "\"tier\":\"%s\",",
			    tier_word((enum tier)r->tier));
		put(b, "user", r->user);
		put(b, "role", r->role);
		put(b, "guild", r->guild);
		put(b, "channel", r->channel);
		put_origin(b);
	}
	end_list(b);
}

static void
put_named(struct buf *b, const char *key, const struct named *p, int count)
{
	buf_fmt(b, ",\"%s\":[", key);
	for (int i = 0; i < count; i++) {
		buf_char(b, '{');
		put(b, "guild", p[i].guild);
		put(b, "channel", p[i].channel);
		put(b, "role", p[i].role);
		put(b, "user", p[i].user);
		put_origin(b);
	}
	end_list(b);
}

static void
put_world(struct buf *b, const struct world *w)
{
	buf_fmt(b, "{\"version\":1,\"discord\":{\"dms\":\"%s\",\"guilds\":[",
	    w->dms ? "on" : "off");
	for (int i = 1; i < 3; i++)
		if (w->enabled[i])
			buf_fmt(b, "\"%d\",", i);
	end_list(b);
	buf_str(b, ",\"users\":[");
	for (int i = LOCAL; i < LOCAL + USERS; i++)
		if (w->listed[i])
			buf_fmt(b, "\"%d\",", i);
	if (w->star)
		buf_str(b, "\"*\",");
	end_list(b);
	buf_str(b, "},\"access\":{");
	put_grants(b, w);
	put_rules(b, w);
	put_named(b, "protected", w->guarded, w->guarded_count);
	put_named(b, "moderators", w->mods, w->mod_count);
	buf_str(b, "}}");
}

static void
set_operators(const struct world *w)
{
	struct buf b = {0};

	for (int i = LOCAL + 1; i < LOCAL + USERS; i++)
		if (w->operators[i])
			buf_fmt(&b, "%d,", i);
	setenv("SOPHIA_OPERATORS", buf_text(&b), 1);
	buf_release(&b);
}

/* Ids as texts: those below 100. */
static const char *
text_of(int id)
{
	static char texts[100][4];

	snprintf(texts[id], sizeof(texts[id]), "%d", id % 100);
	return id == NOBODY ? NULL : id == LOCAL ? "local" : texts[id];
}

struct room {
	struct access_target at[TARGETS];
	const char *above[TARGETS][4], *below[TARGETS][CHANNELS];
	const char *roles[4];
};

static void
put_target(struct room *room, int i, const struct touched *t)
{
	struct access_target *to = &room->at[i];
	const int in = t->kind == ACCESS_MESSAGE ? t->channel : t->id;
	size_t above = 0, below = 0;

	*to = (struct access_target){.kind = (enum access_kind)t->kind,
	    .id = text_of(t->id),
	    .placed = t->placed};
	if (t->kind != ACCESS_MESSAGE && t->kind != ACCESS_CHANNEL)
		return;
	if (t->kind == ACCESS_MESSAGE)
		room->above[i][above++] = text_of(in);
	for (int up = parents[in]; t->placed && up; up = parents[up])
		room->above[i][above++] = text_of(up);
	for (int k = 0; t->placed && t->kind == ACCESS_CHANNEL && k < CHANNELS;
	     k++)
		if (channels[k] != in && holds(in, channels[k]))
			room->below[i][below++] = text_of(channels[k]);
	to->above = (struct access_ids){room->above[i], above};
	to->below = (struct access_ids){room->below[i], below};
}

static struct access_question
question(const struct settings *s, const struct asked *q, struct room *room)
{
	struct access_question x = {
	    .settings = s,
	    .actor = text_of(q->actor),
	    .location = {(enum location_kind)q->place, text_of(q->here),
		text_of(q->channel)},
	    .guild = text_of(q->guild),
	    .capability = names[q->name],
	    .tier = (enum tier)q->tier,
	    .targets = room->at,
	    .target_count = (size_t)q->count,
	    .early = q->early,
	    .task_asks = q->strict,
	    .asked_always = q->corrected,
	    .now_ms = NOW,
	};
	size_t n = 0;

	for (int i = 0; i < q->count; i++)
		put_target(room, i, &q->at[i]);
	for (int i = 0; i < 4; i++)
		if (q->roles >> i & 1 && guild_of(roles[i]) == where(q))
			room->roles[n++] = text_of(roles[i]);
	x.roles = (struct access_roles){q->known, {room->roles, n}};
	return x;
}

struct tally {
	int agreed, verdicts[3], unlike, useless, silent, loose;
};

static void
complain(const struct buf *policy, const struct asked *q,
    const struct access_decision *d, int want)
{
	printf("# %s\n# actor %d place %d here %d channel %d guild %d name %s "
	       "tier %d known %d roles %u early %d strict %d\n",
	    buf_text(policy), q->actor, q->place, q->here, q->channel, q->guild,
	    names[q->name], q->tier, q->known, q->roles, q->early, q->strict);
	for (int i = 0; i < q->count; i++)
		printf("# target %d %d in %d placed %d\n", q->at[i].kind,
		    q->at[i].id, q->at[i].channel, q->at[i].placed);
	printf("# want %d, got %d: %s\n", want, (int)d->verdict,
	    buf_text(&d->reasons));
}

static void
put_question(const struct settings *s, const struct world *w,
    const struct asked *q, const struct buf *policy, struct tally *t)
{
	struct room room;
	const struct access_question x = question(s, q, &room);
	const int want = model(w, q);
	struct asked other = *q;
	struct access_decision d;

	access_decide(&d, &x);
	t->verdicts[d.verdict]++;
	if ((int)d.verdict == want &&
	    d.confirm == (want == ASK && tier_of_call(q) == TIER_DESTRUCTIVE))
		t->agreed++;
	else if (t->unlike++ < 3)
		complain(policy, q, &d, want);
	t->silent += !d.why[0] || !d.reasons.len;

	/* Where roles are said not to matter, they don't. */
	other.known = !other.known;
	other.roles = (unsigned)pick(16);
	if (!access_needs_roles(&x) && model(w, &other) != want)
		t->useless++;

	/* Not to know never gives more. */
	other = *q;
	other.known = false;
	t->loose += q->known && model(w, &other) > want;
	access_release(&d);
}

int
main(void)
{
	struct tally t = {0};
	struct world w;
	struct asked q;
	struct settings s = {0};
	struct buf policy = {0};
	struct err e = {0};
	int bad = 0;

	for (int i = 0; i < ROUNDS; i++) {
		if (i % 6 == 0) {
			settings_close(&s);
			new_world(&w);
			set_operators(&w);
			buf_clear(&policy);
			put_world(&policy, &w);
			bad += settings_read(&s, buf_text(&policy), policy.len,
				   &e) < 0;
		}
		new_question(&q);
		put_question(&s, &w, &q, &policy, &t);
	}
	settings_close(&s);
	if (bad)
		printf("# %s\n", e.text);
	ok(!bad, "every policy is valid settings");
	printf("# %d questions: %d denied, %d asked, %d allowed\n", ROUNDS,
	    t.verdicts[DENY], t.verdicts[ASK], t.verdicts[ALLOW]);
	ok(t.agreed == ROUNDS, "each decision is that of the model");
	ok(t.verdicts[ASK] > ROUNDS / 20 && t.verdicts[ALLOW] > ROUNDS / 20,
	    "many questions of each kind were among them");
	ok(!t.useless, "where roles aren't needed they change nothing");
	ok(!t.loose, "not to know somebody's roles never gives more");
	ok(!t.silent, "each decision has its reasons");
	buf_release(&policy);
	return tap_done();
}
