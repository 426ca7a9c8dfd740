#include "retrieve/markup.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/err.h"
#include "core/id.h"
#include "record/message.h"

enum { MARK_MAX = 80, MINUTES = 16 }; /* of "2026-01-01 12:30" */

/* A mark: what stands between the angle brackets, apart. */
struct mark {
	char inside[MARK_MAX + 1];
	size_t len; /* brackets included */
};

/* Is there a mark at text? They are short, and hold no space and no bracket. */
static bool
find_mark(const char *text, struct mark *k)
{
	size_t n = strcspn(text + 1, "<> \n");

	if (text[n + 1] != '>' || !n || n > MARK_MAX)
		return false;
	memcpy(k->inside, text + 1, n);
	k->inside[n] = '\0';
	k->len = n + 2;
	return true;
}

/* Add the name that sql knows an id by: 1, 0 if it knows none, -1. */
static int
add_name(struct markup *k, struct stmt *q, const char *sql, const char *lead,
    const char *id, struct err *e)
{
	uint64_t number;
	int row;

	if (snowflake_read(&number, id) < 0)
		return 0;
	stmt_start(q, k->db, sql);
	stmt_int(q, 1, (int64_t)number);
	row = stmt_next(q, e);
	if (row > 0) {
		buf_str(&k->text, lead);
		buf_str(&k->text, row_text(q, 0));
	}
	stmt_reset(q);
	return row;
}

static int
add_user(struct markup *k, const char *id, struct err *e)
{
	static const char
	    sql[] = "SELECT coalesce((SELECT nickname FROM member"
		    "  WHERE author = a.ord ORDER BY seen DESC LIMIT 1),"
		    " a.display, a.name)"
		    " FROM author a WHERE a.id = ?1";

	return add_name(k, &k->user, sql, "@", id, e);
}

static int
add_channel(struct markup *k, const char *id, struct err *e)
{
	static const char sql[] = "SELECT name FROM channel WHERE id = ?1";

	return add_name(k, &k->channel, sql, "#", id, e);
}

static int
add_role(struct markup *k, const char *id, struct err *e)
{
	static const char sql[] = "SELECT name FROM role WHERE id = ?1";

	return add_name(k, &k->role, sql, "@", id, e);
}

/* ":name:ID", "a:name:ID": the name between its colons. */
static int
add_emoji(struct markup *k, const char *inside)
{
	const char *name = strchr(inside, ':');
	size_t len = strcspn(name + 1, ":");

	if (name[len + 1] != ':' || !isdigit((unsigned char)name[len + 2]))
		return 0;
	buf_add(&k->text, name, len + 2);
	return 1;
}

static int
add_time(struct markup *k, const char *seconds)
{
	char at[CLOCK_TEXT], *end;
	long long n = strtoll(seconds, &end, 10);

	if (end == seconds || (*end && *end != ':') || n < 0 ||
	    n > INT64_MAX / 1000)
		return 0;
	clock_text(at, n * 1000);
	at[strlen("2026-01-01")] = ' ';
	buf_add(&k->text, at, MINUTES);
	buf_str(&k->text, " UTC");
	return 1;
}

static int
add_command(struct markup *k, const char *inside)
{
	size_t len = strcspn(inside, ":");

	if (!inside[len])
		return 0;
	buf_add(&k->text, inside, len);
	return 1;
}

/* Add what a mark says: 1, 0 if that is not known, -1. */
static int
add_mark(struct markup *k, const char *inside, struct err *e)
{
	switch (inside[0]) {
	case '@':
		if (inside[1] == '&')
			return add_role(k, inside + 2, e);
		return add_user(k, inside + 1 + (inside[1] == '!'), e);
	case '#': return add_channel(k, inside + 1, e);
	case ':': return add_emoji(k, inside);
	case '/': return add_command(k, inside);
	case 'a': return inside[1] == ':' ? add_emoji(k, inside) : 0;
	case 't': return inside[1] == ':' ? add_time(k, inside + 2) : 0;
	default: return 0;
	}
}

int
markup_read(struct markup *k, struct message *m, struct err *e)
{
	const char *text = m->text, *open;
	struct mark mark;
	int known;

	m->plain = NULL;
	if (!strchr(text, '<'))
		return 0;
	buf_clear(&k->text);
	while ((open = strchr(text, '<')) != NULL) {
		buf_add(&k->text, text, (size_t)(open - text));
		text = open;
		known = find_mark(open, &mark) ? add_mark(k, mark.inside, e)
					       : 0;
		if (known < 0)
			return -1;
		if (!known)
			buf_char(&k->text, '<');
		text += known ? mark.len : 1;
	}
	buf_str(&k->text, text);
	m->plain = buf_text(&k->text);
	return 0;
}

void
markup_release(struct markup *k)
{
	stmt_end(&k->user);
	stmt_end(&k->channel);
	stmt_end(&k->role);
	buf_release(&k->text);
}
