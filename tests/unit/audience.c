/*
 * Nobody gets text whose source they cannot read: random guilds, told by events
 * as the gateway tells them, asked by everybody everywhere, and compared with a
 * plain reading of Discord's rules that shares no code with ours.
 */
#define _GNU_SOURCE
#include "access/audience.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/buf.h"
#include "core/err.h"
#include "ext/db.h"
#include "history/ingest.h"
#include "record/context.h"
#include "record/event.h"
#include "record/message.h"
#include "retrieve/corpus.h"
#include "retrieve/fetch.h"
#include "retrieve/page.h"
#include "retrieve/structure.h"
#include "retrieve/targets.h"
#include "retrieve/wish.h"
#include "store/base.h"
#include "store/settings.h"

#include "scratch.h"
#include "tap.h"

enum {
	GUILD = 1,
	BOT = 9,
	OWNER = 10, /* the first of the members */
	MEMBERS = 10,
	ROLE = 100,
	ROLES = 5,
	CHANNEL = 200,
	CHANNELS = 8, /* the first is a category */
	THREADS = 5,
	PLACES = CHANNELS + THREADS,
	WORLDS = 6,
};

enum { VIEW = 1, HISTORY = 2, CONNECT = 4, MANAGE = 8, ADMIN = 16, BITS = 5 };

static const unsigned shift[BITS] = {10, 16, 20, 34, 3};

struct rule {
	unsigned allow, deny;
};

static struct world {
	uint64_t random;
	unsigned everyone, role[ROLES];
	bool has[MEMBERS + 1][ROLES]; /* the last one is the bot */
	bool told[MEMBERS + 1];       /* its roles are */
	int kind[PLACES], parent[PLACES];
	struct rule for_all[PLACES], for_role[PLACES][ROLES];
	struct rule for_member[PLACES][MEMBERS + 1];
	bool joined[PLACES][MEMBERS + 1];
} w;

static struct store store;
static struct ingest in;
static struct corpus corpus;
static int64_t number, sequence, now_ms = 1700000000000;
static int leaks, losses, asked, shown, shared, refused;

static unsigned
dice(unsigned sides)
{
	w.random = w.random * 6364136223846793005U + 1442695040888963407U;
	return (unsigned)(w.random >> 33) % sides;
}

/* Each bit in one of `rarity` cases. */
static unsigned
some(unsigned rarity)
{
	unsigned bits = 0;

	for (unsigned i = 0; i < 4; i++)
		bits |= dice(rarity) == 0 ? 1U << i : 0;
	return bits;
}

static struct rule
some_rule(unsigned rarity)
{
	struct rule r = {.allow = some(rarity), .deny = some(rarity)};

	r.deny &= ~r.allow;
	return r;
}

static void
make_channel(int c, unsigned rarity)
{
	static const int kinds[] = {0, 0, 0, 5, 2, 15};

	w.kind[c] = c ? kinds[dice(6)] : 4;
	w.parent[c] = dice(2) && c ? 0 : -1;
	w.for_all[c] = some_rule(3);
	for (int r = 0; r < ROLES; r++)
		w.for_role[c][r] = some_rule(rarity);
	for (int m = 0; m <= MEMBERS; m++)
		w.for_member[c][m] = some_rule(3 * rarity);
}

static void
make_thread(int t)
{
	w.kind[t] = dice(2) ? 11 : 12;
	do
		w.parent[t] = 1 + (int)dice(CHANNELS - 1);
	while (w.kind[w.parent[t]] == 2);
	for (int m = 0; m <= MEMBERS; m++)
		w.joined[t][m] = dice(3) == 0;
}

static void
make_world(uint64_t seed)
{
	unsigned rarity = 3 + (unsigned)(seed % 8);

	w = (struct world){.random = seed * 7919};
	w.everyone = dice(4) ? VIEW | HISTORY : some(2);
	for (int r = 0; r < ROLES; r++)
		w.role[r] = some(3) | (dice(12) == 0 ? ADMIN : 0);
	for (int m = 0; m <= MEMBERS; m++) {
		w.told[m] = m == MEMBERS || dice(4);
		for (int r = 0; r < ROLES; r++)
			w.has[m][r] = dice(3) == 0;
	}
	for (int c = 0; c < CHANNELS; c++)
		make_channel(c, rarity);
	for (int t = CHANNELS; t < PLACES; t++)
		make_thread(t);
}

/* ---- the rules, one permission after the other ---- */

static bool
base(int m, unsigned bit)
{
	bool may = w.everyone & bit;

	for (int r = 0; r < ROLES; r++)
		may = may || (w.has[m][r] && (w.role[r] & bit));
	return may;
}

static bool
may(int m, int place, unsigned bit)
{
	int c = place >= CHANNELS ? w.parent[place] : place;
	bool now = base(m, bit), denied = false, allowed = false;

	if (m == 0 || base(m, ADMIN))
		return true;
	if (w.for_all[c].deny & bit)
		now = false;
	if (w.for_all[c].allow & bit)
		now = true;
	for (int r = 0; r < ROLES; r++) {
		denied = denied || (w.has[m][r] && w.for_role[c][r].deny & bit);
		allowed = allowed ||
			  (w.has[m][r] && w.for_role[c][r].allow & bit);
	}
	if (denied)
		now = false;
	if (allowed)
		now = true;
	if (w.for_member[c][m].deny & bit)
		now = false;
	if (w.for_member[c][m].allow & bit)
		now = true;
	return now;
}

static bool
sees(int m, int place)
{
	return may(m, place, VIEW) &&
	       (w.kind[place] != 12 || w.joined[place][m] ||
		   may(m, place, MANAGE));
}

static bool
reads(int m, int place)
{
	return sees(m, place) && may(m, place, HISTORY) &&
	       (w.kind[place] != 2 || may(m, place, CONNECT));
}

/* ---- the same, as the gateway tells it ---- */

static uint64_t
discord_bits(unsigned bits)
{
	uint64_t all = 0;

	for (int i = 0; i < BITS; i++)
		all |= bits & (1U << i) ? UINT64_C(1) << shift[i] : 0;
	return all;
}

static int
id_of(int m)
{
	return m == MEMBERS ? BOT : OWNER + m;
}

static void
tell(const char *name, const char *data)
{
	struct event x = {.number = ++number,
	    .sequence = ++sequence,
	    .at_ms = ++now_ms,
	    .data = data,
	    .data_len = strlen(data)};
	struct err e = {0};

	snprintf(x.name, sizeof(x.name), "%s", name);
	if (store_begin(&store, &e) < 0 || ingest_begin(&in, &e) < 0 ||
	    ingest_shard(&in, 0, &e) < 0 || ingest_event(&in, &x, &e) < 0 ||
	    ingest_end(&in, &e) < 0 || store_commit(&store, &e) < 0)
		printf("Bail out! %s: %s\n", name, e.text);
}

static void
add_rule(struct buf *b, int id, bool member, struct rule r)
{
	if (r.allow || r.deny)
		buf_fmt(b,
		    "%s{\"id\":\"%d\",\"type\":%d,\"allow\":\"%" PRIu64
		    "\",\"deny\":\"%" PRIu64 "\"}",
		    b->data[b->len - 1] == '[' ? "" : ",", id, member,
		    discord_bits(r.allow), discord_bits(r.deny));
}

static void
add_place(struct buf *b, int p)
{
	buf_fmt(b, "{\"id\":\"%d\",\"type\":%d,\"name\":\"place%d\"",
	    CHANNEL + p, w.kind[p], p);
	if (w.parent[p] >= 0)
		buf_fmt(b, ",\"parent_id\":\"%d\"", CHANNEL + w.parent[p]);
	if (p >= CHANNELS) {
		buf_str(b, ",\"thread_metadata\":{\"archived\":false,"
			   "\"locked\":false}}");
		return;
	}
	buf_str(b, ",\"permission_overwrites\":[");
	add_rule(b, GUILD, false, w.for_all[p]);
	for (int r = 0; r < ROLES; r++)
		add_rule(b, ROLE + r, false, w.for_role[p][r]);
	for (int m = 0; m <= MEMBERS; m++)
		add_rule(b, id_of(m), true, w.for_member[p][m]);
	buf_str(b, "]}");
}

static void
add_member(struct buf *b, int m)
{
	buf_fmt(b, "{\"user\":{\"id\":\"%d\",\"username\":\"u%d\"},\"roles\":[",
	    id_of(m), m);
	for (int r = 0; r < ROLES; r++)
		if (w.has[m][r])
			buf_fmt(b, "%s\"%d\"",
			    b->data[b->len - 1] == '[' ? "" : ",", ROLE + r);
	buf_str(b, "]}");
}

static void
tell_guild(void)
{
	struct buf b = {0};

	buf_fmt(&b,
	    "{\"id\":\"1\",\"name\":\"G\",\"owner_id\":\"%d\",\"roles\":["
	    "{\"id\":\"1\",\"name\":\"@everyone\",\"permissions\":\"%" PRIu64
	    "\"}",
	    OWNER, discord_bits(w.everyone));
	for (int r = 0; r < ROLES; r++)
		buf_fmt(&b,
		    ",{\"id\":\"%d\",\"name\":\"r%d\",\"permissions\":\"%" PRIu64
		    "\"}",
		    ROLE + r, r, discord_bits(w.role[r]));
	buf_str(&b, "],\"members\":[");
	add_member(&b, MEMBERS);
	for (int m = 0; m < MEMBERS; m++)
		if (w.told[m]) {
			buf_char(&b, ',');
			add_member(&b, m);
		}
	for (int p = 0; p < PLACES; p++) {
		buf_str(&b, p == 0 ? "],\"channels\":["
				   : (p == CHANNELS ? "],\"threads\":[" : ","));
		add_place(&b, p);
	}
	buf_str(&b, "]}");
	tell("GUILD_CREATE", b.data);
	buf_release(&b);
}

static void
tell_places(void)
{
	char text[400];

	for (int p = CHANNELS; p < PLACES; p++)
		for (int m = 0; m <= MEMBERS; m++) {
			if (!w.joined[p][m])
				continue;
			snprintf(text, sizeof(text),
			    "{\"id\":\"%d\",\"guild_id\":\"1\","
			    "\"added_members\":[{\"id\":\"%d\","
			    "\"user_id\":\"%d\"}]}",
			    CHANNEL + p, CHANNEL + p, id_of(m));
			tell("THREAD_MEMBERS_UPDATE", text);
		}
	for (int p = 1; p < PLACES; p++) {
		snprintf(text, sizeof(text),
		    "{\"id\":\"%d\",\"guild_id\":\"1\",\"channel_id\":\"%d\","
		    "\"author\":{\"id\":\"%d\",\"username\":\"u0\"},"
		    "\"content\":\"hoard of <#%d>\"}",
		    1000 + p, CHANNEL + p, OWNER,
		    CHANNEL + 1 + (p * 5) % (PLACES - 1));
		tell("MESSAGE_CREATE", text);
	}
}

/* ---- everybody asks, everywhere ---- */

/* Who asks; d is where it will be read by all, or -1. */
struct asking {
	int m, d;
};

/* May text of place p be shown? */
static bool
may_show(const struct asking *a, int p)
{
	if (a->d == p)
		return sees(a->m, p) && sees(MEMBERS, p);
	if (!reads(a->m, p) || !reads(MEMBERS, p))
		return false;
	for (int m = 0; a->d >= 0 && m < MEMBERS; m++)
		if (sees(m, a->d) && !reads(m, p))
			return false;
	return true;
}

static void
check_names(const struct asking *a, struct err *e)
{
	struct structure s = {0};
	struct targets t = {0};
	char name[32];

	(void)structure_read(&s, &corpus, e);
	for (size_t i = 0; i < s.count; i++) {
		int p = (int)s.at[i].id - CHANNEL;

		leaks += p > 0 && !may_show(a, p);
	}
	structure_release(&s);
	for (int p = 1 + asked % 3; p < PLACES; p += 3) {
		snprintf(name, sizeof(name), "%d", CHANNEL + p);
		(void)targets_find(&corpus, TARGET_CHANNEL, name, &t, e);
		leaks += t.count && !may_show(a, p);
		snprintf(name, sizeof(name), "place%d", p);
		(void)targets_find(&corpus, TARGET_CHANNEL, name, &t, e);
		for (size_t i = 0; i < t.count; i++)
			leaks += (int)t.at[i].id > CHANNEL &&
				 !may_show(a, (int)t.at[i].id - CHANNEL);
		targets_release(&t);
	}
}

/* No name of another channel, in place of its mark, either. */
static void
check_text(const struct asking *a, uint32_t ord, bool seen[PLACES],
    struct err *e)
{
	struct fetch f = {.corpus = &corpus, .plain = true};
	struct message m = {0};
	const char *mark;
	int p;

	if (fetch_message(&f, ord, &m, e) > 0) {
		p = (int)m.id - 1000;
		seen[p] = true;
		leaks += !may_show(a, p);
		mark = m.plain ? strstr(m.plain, "#place") : NULL;
		leaks += mark && !may_show(a, (int)strtol(mark + 6, NULL, 10));
	}
	fetch_release(&f);
	message_release(&m);
}

static void
search(const struct asking *a, const char *query, const char *around,
    bool seen[PLACES], struct err *e)
{
	struct page page = {0};
	struct err none = {0};
	struct wish wish;

	wish_start(&wish);
	wish.query = query;
	wish.around = around;
	wish.limit = 100;
	wish.context = 3;
	if (page_find(&page, &corpus, &wish, around ? &none : e) == 0)
		for (size_t i = 0; i < page.rows.count; i++)
			check_text(a, page.rows.at[i].ord, seen, e);
	page_release(&page);
}

/* Nothing that may be shown is kept back, where all is known. */
static void
check_complete(const struct asking *a, const bool seen[PLACES])
{
	for (int p = 1; p < PLACES; p++) {
		shown += seen[p];
		losses += a->d < 0 && may_show(a, p) && !seen[p];
		losses += a->d == p && may_show(a, p) && !seen[p];
		shared += a->d >= 0 && a->d != p && seen[p];
		refused += a->d >= 0 && a->d != p && may_show(a, p) && !seen[p];
	}
}

static void
ask(struct asking a)
{
	char actor[16], channel[16], message[16];
	struct context c = {
	    .actor = {.id = actor, .name = "n"},
	    .location = {.kind = LOCATION_GUILD,
		.guild = "1",
		.channel = channel},
	    .visibility = a.d >= 0 ? VISIBILITY_PUBLIC : VISIBILITY_PRIVATE,
	};
	bool seen[PLACES] = {false};
	struct err e = {0}, denied = {0};

	asked++;
	snprintf(actor, sizeof(actor), "%d", id_of(a.m));
	snprintf(channel, sizeof(channel), "%d", CHANNEL + (a.d < 0 ? 1 : a.d));
	if (corpus_begin_for(&corpus, &c, &denied) < 0) {
		losses += w.told[a.m] && (a.d < 0 || sees(a.m, a.d));
		return;
	}
	search(&a, "hoard", NULL, seen, &e);
	search(&a, NULL, NULL, seen, &e);
	if (w.told[a.m])
		check_complete(&a, seen);
	for (int p = 1 + asked % 4; p < PLACES; p += 4) {
		snprintf(message, sizeof(message), "%d", 1000 + p);
		search(&a, NULL, message, seen, &e);
	}
	check_names(&a, &e);
	if (e.kind)
		printf("Bail out! %s\n", e.text);
	corpus_end(&corpus);
}

static void
play(uint64_t seed)
{
	static const char
	    ready[] = "{\"user\":{\"id\":\"9\"},\"session_id\":\"s\","
		      "\"application\":{\"id\":\"9\",\"flags\":16384}}";
	struct err e = {0};

	mkdir(in_scratch("home"), 0700);
	settings_set("discord.guilds", "1", &e);
	number = 0;
	if (store_open(&store, "messages", STORE_WRITE, &e) < 0 ||
	    ingest_open(&in, &store, &e) < 0)
		printf("Bail out! %s\n", e.text);
	make_world(seed);
	sequence = 0;
	tell("READY", ready);
	tell_guild();
	tell_places();
	ingest_close(&in);
	store_close(&store);
	if (corpus_open(&corpus, &e) < 0)
		printf("Bail out! %s\n", e.text);
	for (int m = 0; m < MEMBERS; m++)
		for (int d = -1; d < PLACES; d++)
			if (d != 0)
				ask((struct asking){m, d});
	corpus_close(&corpus);
	nftw(in_scratch("home"), scratch_remove, 16, FTW_DEPTH | FTW_PHYS);
}

int
main(void)
{
	scratch_open();
	for (uint64_t seed = 1; seed <= WORLDS; seed++)
		play(seed);
	printf("# %d askings in %d guilds: %d messages shown, %d of another "
	       "channel in public, %d kept back for who might come\n",
	    asked, WORLDS, shown, shared, refused);
	ok(leaks == 0, "nobody gets text, or a name, that they can't read");
	ok(losses == 0, "and who reads in private gets all that they can read");
	ok(shared > 100, "public answers draw on other channels");
	scratch_close();
	return tap_done();
}
