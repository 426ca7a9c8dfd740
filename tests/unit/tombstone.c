#define _GNU_SOURCE
#include "store/tombstone.h"

#include "core/err.h"
#include "store/message.h"
#include "store/rebuild.h"

#include "scratch.h"
#include "tap.h"

static struct err why;

#define LINK "https://discord.com/channels/"

static int
note(enum grave_kind kind, uint64_t id, bool again)
{
	struct graves g = {0};
	int rc;

	graves_add(&g, &(struct grave){kind, id, 1});
	rc = tombstones_note(&g, again, &why);
	graves_release(&g);
	return rc;
}

static int64_t
number(const char *store, const char *sql)
{
	struct store s = {0};
	int64_t n = -1;

	if (store_open(&s, store, STORE_READ, &why) == 0)
		db_int(&s.db, sql, -1, &n, &why);
	store_close(&s);
	return n;
}

static void
test_links(void)
{
	uint64_t channel = 0, message = 0;

	ok(tombstone_ids(LINK "1/22/333", &channel, &message) &&
		channel == 22 && message == 333,
	    "a link has the ids of a message and its channel");
	ok(tombstone_ids(LINK "@me/22/333", &channel, &message),
	    "also in direct messages");
	ok(!tombstone_ids(LINK "1/22/333/", &channel, &message) &&
		!tombstone_ids(LINK "1/22", &channel, &message) &&
		!tombstone_ids(LINK "1/22/x", &channel, &message) &&
		!tombstone_ids("http://x/1/22/333", &channel, &message),
	    "nothing else is one");
}

static void
test_look(void)
{
	struct tombstones t = {0};

	ok(tombstones_link(&t, LINK "1/2/3", &why) == 0,
	    "before any deletion nothing is deleted");
	ok(note(GRAVE_MESSAGE, 3, false) == 0 &&
		note(GRAVE_CHANNEL, 20, false) == 0,
	    "deletions are noted");
	ok(tombstones_link(&t, LINK "1/2/3", &why) == 1 &&
		tombstones_link(&t, LINK "1/20/4", &why) == 1 &&
		tombstones_link(&t, LINK "1/2/4", &why) == 0 &&
		tombstones_link(&t, LINK "1/3/20", &why) == 0,
	    "a message is deleted by itself, or with its channel");
	tombstones_close(&t);
	tombstones_close(&t);
}

#define PURGES "SELECT count(*) FROM purge"

static void
test_wish(void)
{
	struct store s = {0};

	ok(number("knowledge", PURGES) == 2, "each is to be carried through");
	ok(store_open(&s, "knowledge", STORE_WRITE, &why) == 0 &&
		store_begin(&s, &why) == 0 &&
		db_exec(&s.db, "DELETE FROM purge", &why) == 0 &&
		store_commit(&s, &why) == 0,
	    "which is done");
	store_close(&s);
	ok(note(GRAVE_MESSAGE, 3, false) == 0 &&
		number("knowledge", PURGES) == 0,
	    "told again, it is not done again");
	ok(note(GRAVE_MESSAGE, 3, true) == 0 &&
		number("knowledge", PURGES) == 1,
	    "unless that is wished");
}

/* One turn of an index, with a deletion or none. */
static int
turn(uint64_t id)
{
	struct store s = {0};
	struct messages m = {0};
	int rc = -1;

	if (store_open(&s, "messages", STORE_WRITE, &why) == 0 &&
	    messages_open(&m, &s, &why) == 0 && store_begin(&s, &why) == 0 &&
	    messages_begin(&m, &why) == 0 &&
	    (!id || messages_delete(&m, id, 1, &why) >= 0) &&
	    messages_end(&m, &why) == 0)
		rc = store_commit(&s, &why);
	messages_close(&m);
	store_close(&s);
	return rc;
}

#define STONES                                                                 \
	"SELECT (SELECT count(*) FROM tombstone) * 10 +"                       \
	" (SELECT count(*) FROM tombstone_channel)"

static void
test_index(void)
{
	struct store s = {0};

	ok(turn(0) == 0 && number("messages", STONES) == 11,
	    "a new index gets them");
	ok(turn(77) == 0 && number("messages", STONES) == 21 &&
		number("knowledge", "SELECT count(*) FROM tombstone") == 3 &&
		number("knowledge", PURGES) == 2,
	    "what it deletes is noted with its turn");
	ok(store_open(&s, "messages", STORE_WRITE, &why) == 0 &&
		store_begin(&s, &why) == 0 &&
		db_exec(&s.db,
		    "DELETE FROM meta WHERE name = 'tombstones';"
		    "INSERT INTO tombstone VALUES (88, 1)",
		    &why) == 0 &&
		store_commit(&s, &why) == 0,
	    "an older index knows another one");
	ok(turn(0) == 0 && number("knowledge", PURGES) == 3,
	    "which is carried through now");
	ok(db_exec(&s.db, "DELETE FROM tombstone", &why) == 0 &&
		rebuild_reset(&s, &why) == 0 &&
		number("messages", STONES) == 31,
	    "a reset brings all of them back");
	store_close(&s);
}

int
main(void)
{
	setenv("SOPHIA_SHARE", "share", 1);
	scratch_open();
	test_links();
	test_look();
	test_wish();
	test_index();
	if (why.kind)
		printf("# %s\n", why.text);
	scratch_close();
	return tap_done();
}
