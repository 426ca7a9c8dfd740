#define _GNU_SOURCE /* statfs */
#include "store/health.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/home.h"
#include "ext/jsonw.h"
#include "ext/text.h"
#include "record/purge_status.h"
#include "store/base.h"
#include "store/purge.h"
#include "store/meta.h"
#include "store/recovery.h"
#include "store/settings.h"

enum {
	NFS = 0x6969,   /* f_type of a network file system, statfs(2) */
	ROOM_MIB = 100, /* less is a warning */
};

const char *
health_word(enum health level)
{
	static const char *const words[] = {"ok", "warn", "fail"};

	return words[level];
}

void
health_write(struct buf *b, const struct finding *f)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "finding");
	jsonw_str(b, "what", f->what);
	jsonw_str(b, "level", health_word(f->level));
	jsonw_str(b, "text", f->text);
	jsonw_opt(b, "fix", f->fix);
	jsonw_line(b);
}

void
health_find(health_fn *put, void *ctx, enum health level, const char *what,
    const char *text, const char *fix)
{
	put(ctx, &(struct finding){what, level, text, fix});
}

static void
check_mode(const char *path, const struct stat *st, health_fn *put, void *ctx)
{
	char fix[PATH_MAX + 32];

	snprintf(fix, sizeof(fix), "chmod go= '%s'", path);
	if (st->st_uid != geteuid())
		health_find(put, ctx, HEALTH_FAIL, "state folder",
		    "belongs to another user",
		    "run Sophia as its owner, or set SOPHIA_HOME");
	else if (st->st_mode & 077)
		health_find(put, ctx,
		    st->st_mode & 022 ? HEALTH_FAIL : HEALTH_WARN,
		    "state folder",
		    st->st_mode & 022 ? "others may write to it"
				      : "others may list what is in it",
		    fix);
	else if (access(path, W_OK | X_OK) < 0)
		health_find(put, ctx, HEALTH_FAIL, "state folder",
		    "can't be written", "mount it for writing, or chmod u+wx");
	else
		health_find(put, ctx, HEALTH_OK, "state folder", path, NULL);
}

static void
check_room(const char *path, health_fn *put, void *ctx)
{
	struct statfs fs;
	char text[64];
	uint64_t mib;

	if (statfs(path, &fs) < 0)
		return;
	if (fs.f_type == NFS)
		health_find(put, ctx, HEALTH_WARN, "file system",
		    "is on a network: locks and SQLite's log may not hold",
		    "set SOPHIA_HOME to a folder on a disk of this machine");
	mib = (uint64_t)fs.f_bavail * (uint64_t)fs.f_bsize >> 20;
	snprintf(text, sizeof(text), "%" PRIu64 " MiB are free", mib);
	health_find(put, ctx, mib < ROOM_MIB ? HEALTH_WARN : HEALTH_OK, "disk",
	    text, mib < ROOM_MIB ? "make room on its file system" : NULL);
}

void
health_folder(health_fn *put, void *ctx)
{
	struct err e = {0};
	const char *path = home_state(&e);
	struct stat st;

	if (!path) {
		health_find(put, ctx, HEALTH_FAIL, "state folder", e.text,
		    "set SOPHIA_HOME to a folder");
		return;
	}
	if (stat(path, &st) < 0 && errno == ENOENT) {
		health_find(put, ctx, HEALTH_OK, "state folder",
		    "not there yet; it is made when it is needed", NULL);
		return;
	}
	if (stat(path, &st) < 0 || !S_ISDIR(st.st_mode)) {
		health_find(put, ctx, HEALTH_FAIL, "state folder",
		    "is no folder that can be entered",
		    "set SOPHIA_HOME to another");
		return;
	}
	check_mode(path, &st, put, ctx);
	check_room(path, put, ctx);
}

/* 0 if SQLite finds nothing wrong with the pages. */
static int
check_pages(const char *name, struct err *e)
{
	struct store s = {0};
	struct stmt q = {0};
	int row;

	if (store_open(&s, name, STORE_READ, e) < 0)
		return -1;
	stmt_start(&q, &s.db, "PRAGMA quick_check(1)");
	row = stmt_next(&q, e);
	if (row > 0 && strcmp(row_text(&q, 0), "ok") != 0)
		row = err_set(e, ERR_CONFIG, "%s", row_text(&q, 0));
	stmt_end(&q);
	store_close(&s);
	return row < 0 ? -1 : 0;
}

static void
check_store(const char *name, bool deep, health_fn *put, void *ctx)
{
	static const char fix[] = "keep the file, and restore a backup; see "
				  "sophia-doctor(1)";
	struct err e = {0};
	char what[32], path[PATH_MAX];
	struct stat st;
	int age;

	snprintf(what, sizeof(what), "%s.sqlite", name);
	if (store_path(path, name, &e) < 0) {
		health_find(put, ctx, HEALTH_FAIL, what,
		    "it is not known where it is", "mend the settings first");
		return;
	}
	age = store_look(name, &e);
	if (age == STORE_NONE)
		health_find(put, ctx, HEALTH_OK, what,
		    strcmp(name, "messages") == 0
			? "not there yet; sophia index import makes it"
			: "not there yet",
		    NULL);
	else if (age < 0 ||
		 (deep && age == STORE_CURRENT && check_pages(name, &e) < 0))
		health_find(put, ctx, HEALTH_FAIL, what, e.text, fix);
	else if (stat(path, &st) == 0 && st.st_mode & 077)
		health_find(put, ctx, HEALTH_FAIL, what, "others may read it",
		    "chmod go= the file, and those beside it");
	else if (age == STORE_OLD)
		health_find(put, ctx, HEALTH_WARN, what,
		    "of an older version; its next use upgrades it",
		    "stop all programs of Sophia's first");
	else
		health_find(put, ctx, HEALTH_OK, what,
		    deep ? "every page is good" : "of this version", NULL);
}

void
health_stores(bool deep, health_fn *put, void *ctx)
{
	const char *name;

	for (size_t i = 0; (name = store_name(i)) != NULL; i++)
		check_store(name, deep, put, ctx);
}

/* The version of the analyzer that made the index; 0 if there is none. */
static int
index_version(int64_t *version, struct err *e)
{
	struct store s = {0};
	int rc;

	*version = 0;
	if (store_look("messages", e) != STORE_CURRENT)
		return e->kind ? -1 : 0;
	if (store_open(&s, "messages", STORE_READ, e) < 0)
		return -1;
	rc = meta_int(&s.db, "analyzer", 0, version, e);
	store_close(&s);
	return rc;
}

void
health_index(health_fn *put, void *ctx)
{
	struct err e = {0};
	int64_t version;
	char text[96];

	if (index_version(&version, &e) < 0)
		return; /* the store itself is at fault, and was named */
	snprintf(text, sizeof(text), "SQLite %s, text analysis %d",
	    db_library(), text_version());
	if (version && version != text_version())
		health_find(put, ctx, HEALTH_WARN, "libraries",
		    "ICU or Snowball are not those that the index was made with",
		    "sophia index rebuild");
	else
		health_find(put, ctx, HEALTH_OK, "libraries", text, NULL);
}

/* Whom Sophia answers in Discord: nobody, before somebody is named. */
static void
check_people(const struct settings *s, health_fn *put, void *ctx)
{
	const bool dms = strcmp(settings_text(s, "discord.dms"), "on") == 0;
	const char *id;
	struct buf text = {0};
	int guilds = 0, people = 0, named = 0;

	while (settings_id(s, "discord.guilds", guilds))
		guilds++;
	for (; (id = settings_id(s, "discord.users", people)); people++)
		named += strcmp(id, "*") != 0;
	if (named < people)
		buf_fmt(&text, "everybody in %d of discord.guilds; ", guilds);
	else
		buf_fmt(&text, "%d of discord.users, in %d of discord.guilds; ",
		    named, guilds);
	buf_fmt(&text, "direct messages are %s",
	    !dms    ? "off"
	    : named ? "on"
		    : "on, but * is nobody there: name people, too");
	health_find(put, ctx, HEALTH_OK, "answers in Discord",
	    !people || (!guilds && !dms)
		? "to nobody: set discord.guilds and discord.users"
		: buf_text(&text),
	    NULL);
	buf_release(&text);
}

void
health_settings(health_fn *put, void *ctx)
{
	struct settings s = {0};
	struct err e = {0};

	if (settings_open(&s, &e) < 0)
		health_find(put, ctx, HEALTH_FAIL, "settings", e.text,
		    "mend that field; without the file all have their "
		    "defaults");
	else
		health_find(put, ctx, HEALTH_OK, "settings",
		    s.root ? "valid" : "all have their defaults", NULL);
	if (!e.kind)
		check_people(&s, put, ctx);
	settings_close(&s);
}

void
health_tasks(health_fn *put, void *ctx)
{
	struct store s = {0};
	struct err e = {0};
	char text[96];
	int64_t n;

	if (store_look("tasks", &e) != STORE_CURRENT ||
	    store_open(&s, "tasks", STORE_READ, &e) < 0)
		return; /* there are none, or the store was named */
	n = recovery_look(&s, &e);
	store_close(&s);
	snprintf(text, sizeof(text),
	    "%" PRId64 " say they run, but nobody "
	    "runs them",
	    n);
	if (n < 0)
		health_find(put, ctx, HEALTH_FAIL, "tasks", e.text, NULL);
	else if (n)
		health_find(put, ctx, HEALTH_WARN, "tasks", text,
		    "sophia task recover");
	else
		health_find(put, ctx, HEALTH_OK, "tasks",
		    "none was left running", NULL);
}

void
health_purge(health_fn *put, void *ctx)
{
	struct purge_status p;
	struct err e = {0};
	char text[160];
	int64_t n = purge_count(&p, &e);

	if (n < 0) {
		health_find(put, ctx, HEALTH_FAIL, "deletions", e.text, NULL);
		return;
	}
	snprintf(text, sizeof(text),
	    "%" PRId64 " under way: %" PRId64 " before the tasks, %" PRId64
	    " before the spool, %" PRId64 " before the words of the index",
	    n, p.tasks, p.spool, p.index);
	if (p.tasks || p.spool)
		health_find(put, ctx, HEALTH_WARN, "deletions", text,
		    "sophia index purge, or sophia up, which does it too");
	else
		health_find(put, ctx, HEALTH_OK, "deletions",
		    n ? text : "all are carried through", NULL);
}

void
health_clock(health_fn *put, void *ctx)
{
	char text[CLOCK_TEXT];
	struct stat st;

	clock_text(text, clock_now_ms());
	if (stat("/proc/self/exe", &st) == 0 &&
	    clock_now_ms() / 1000 < (int64_t)st.st_mtim.tv_sec)
		health_find(put, ctx, HEALTH_FAIL, "clock",
		    "is before the time that this program was made",
		    "set the machine's clock");
	else
		health_find(put, ctx, HEALTH_OK, "clock", text, NULL);
}
