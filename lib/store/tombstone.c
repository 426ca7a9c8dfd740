#include "store/tombstone.h"

#include <stdlib.h>
#include <string.h>

#include "core/crash.h"
#include "core/err.h"
#include "core/mem.h"

enum { FIRST_STEP = 0 };

static const char *const words[] = {"message", "channel"};

static const char link_start[] = "https://discord.com/channels/";

const char *
grave_word(enum grave_kind kind)
{
	return words[kind];
}

enum grave_kind
grave_kind_of(const char *word)
{
	return strcmp(word, words[GRAVE_CHANNEL]) == 0 ? GRAVE_CHANNEL
						       : GRAVE_MESSAGE;
}

void
graves_add(struct graves *g, const struct grave *one)
{
	if (g->count == g->room) {
		g->room = g->room ? g->room * 2 : 16;
		g->at = mem_resize(g->at, g->room, sizeof(*g->at));
	}
	g->at[g->count++] = *one;
}

static int
by_id(const void *a, const void *b)
{
	const struct grave *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

void
graves_sort(struct graves *g)
{
	if (g->count)
		qsort(g->at, g->count, sizeof(*g->at), by_id);
}

bool
graves_hold(const struct graves *g, enum grave_kind kind, uint64_t id)
{
	const struct grave one = {.kind = kind, .id = id};

	return g->count &&
	       bsearch(&one, g->at, g->count, sizeof(*g->at), by_id) != NULL;
}

void
graves_clear(struct graves *g)
{
	g->count = 0;
}

void
graves_release(struct graves *g)
{
	free(g->at);
	*g = (struct graves){0};
}

static int
put(struct stmt *s, struct db *db, const char *sql, const struct grave *one,
    struct err *e)
{
	stmt_start(s, db, sql);
	stmt_text(s, 1, words[one->kind]);
	stmt_int(s, 2, (int64_t)one->id);
	stmt_int(s, 3, one->at_ms);
	if (strstr(sql, "?4"))
		stmt_int(s, 4, FIRST_STEP);
	return stmt_run(s, e);
}

static int
put_all(struct db *db, const struct graves *g, bool again, struct err *e)
{
	static const char stone[] = "INSERT OR IGNORE INTO tombstone"
				    "(kind, id, at_ms) VALUES (?1, ?2, ?3)";
	static const char
	    purge[] = "INSERT INTO purge(kind, target, at_ms, step)"
		      " VALUES (?1, ?2, ?3, ?4)"
		      " ON CONFLICT (kind, target) DO UPDATE SET step = ?4";
	struct stmt stones = {0}, purges = {0};
	int rc = 0;

	for (size_t i = 0; i < g->count && rc == 0; i++) {
		rc = put(&stones, db, stone, &g->at[i], e);
		if (rc == 0 && (again || db_changes(db) > 0))
			rc = put(&purges, db, purge, &g->at[i], e);
	}
	stmt_end(&stones);
	stmt_end(&purges);
	return rc;
}

int
tombstones_note(const struct graves *g, bool again, struct err *e)
{
	struct store s = {0};
	int rc = -1;

	if (!g->count)
		return 0;
	if (store_open(&s, "knowledge", STORE_WRITE, e) < 0 ||
	    store_begin(&s, e) < 0)
		goto out;
	if (put_all(&s.db, g, again, e) < 0)
		goto out;
	CRASH_POINT("tombstone.note");
	rc = store_commit(&s, e);
	CRASH_POINT("tombstone.note.done");
out:
	store_close(&s);
	return rc < 0 ? err_in(e, "noting a deletion") : 0;
}

static int
entomb(struct db *messages, struct stmt *from, struct err *e)
{
	static const char one[] = "INSERT OR IGNORE INTO tombstone(id, at_ms)"
				  " VALUES (?1, ?2)";
	static const char whole[] = "INSERT OR IGNORE INTO tombstone_channel"
				    "(id, at_ms) VALUES (?1, ?2)";
	struct stmt to[GRAVE_KINDS] = {{0}};
	int row = 0, rc = 0;

	while (rc == 0 && (row = stmt_next(from, e)) > 0) {
		enum grave_kind kind = grave_kind_of(row_text(from, 0));
		struct stmt *s = &to[kind];

		stmt_start(s, messages, kind == GRAVE_CHANNEL ? whole : one);
		stmt_int(s, 1, row_int(from, 1));
		stmt_int(s, 2, row_int(from, 2));
		rc = stmt_run(s, e);
	}
	stmt_end(&to[GRAVE_MESSAGE]);
	stmt_end(&to[GRAVE_CHANNEL]);
	return rc < 0 || row < 0 ? -1 : 0;
}

int
tombstones_seed(struct db *messages, struct err *e)
{
	struct store s = {0};
	struct stmt all = {0};
	int rc = store_exists("knowledge", e);

	if (rc <= 0)
		return rc;
	rc = store_open(&s, "knowledge", STORE_READ, e);
	if (rc == 0) {
		stmt_start(&all, &s.db,
		    "SELECT kind, id, at_ms FROM tombstone");
		rc = entomb(messages, &all, e);
		stmt_end(&all);
	}
	store_close(&s);
	return rc;
}

int
tombstones_exchange(struct db *messages, struct err *e)
{
	struct graves known = {0};
	struct stmt s = {0};
	int row, rc = -1;

	stmt_start(&s, messages,
	    "SELECT 0, id, at_ms FROM tombstone"
	    " UNION ALL SELECT 1, id, at_ms FROM tombstone_channel");
	while ((row = stmt_next(&s, e)) > 0)
		graves_add(&known, &(struct grave){
				       .kind = (enum grave_kind)row_int(&s, 0),
				       .id = (uint64_t)row_int(&s, 1),
				       .at_ms = row_int(&s, 2),
				   });
	stmt_end(&s);
	if (row == 0 && tombstones_note(&known, false, e) == 0)
		rc = tombstones_seed(messages, e);
	graves_release(&known);
	return rc;
}

void
tombstones_close(struct tombstones *t)
{
	stmt_end(&t->find);
	store_close(&t->store);
}

static bool
take_id(const char **at, char end, uint64_t *id)
{
	char text[24];
	size_t n = strspn(*at, "0123456789");

	if (!n || n >= sizeof(text) || (*at)[n] != end)
		return false;
	*id = strtoull(*at, NULL, 10);
	*at += n + (end != '\0');
	return true;
}

bool
tombstone_ids(const char *url, uint64_t *channel, uint64_t *message)
{
	const char *at = url;
	uint64_t guild;

	if (strncmp(at, link_start, strlen(link_start)) != 0)
		return false;
	at += strlen(link_start);
	if (strncmp(at, "@me/", 4) == 0)
		at += 4;
	else if (!take_id(&at, '/', &guild))
		return false;
	return take_id(&at, '/', channel) && take_id(&at, '\0', message);
}

int
tombstones_link(struct tombstones *t, const char *url, struct err *e)
{
	static const char sql[] = "SELECT EXISTS (SELECT 1 FROM tombstone"
				  "  WHERE kind = 'message' AND id = ?1)"
				  " OR EXISTS (SELECT 1 FROM tombstone"
				  "  WHERE kind = 'channel' AND id = ?2)";
	uint64_t channel, message;
	int there = 1, dead;

	if (!tombstone_ids(url, &channel, &message))
		return 0;
	if (!t->store.db.raw)
		there = store_exists("knowledge", e);
	if (there <= 0)
		return there;
	if (!t->store.db.raw &&
	    store_open(&t->store, "knowledge", STORE_READ, e) < 0)
		return -1;
	stmt_start(&t->find, &t->store.db, sql);
	stmt_int(&t->find, 1, (int64_t)message);
	stmt_int(&t->find, 2, (int64_t)channel);
	there = stmt_next(&t->find, e);
	dead = there > 0 && row_int(&t->find, 0);
	stmt_reset(&t->find);
	return there < 0 ? -1 : dead;
}
