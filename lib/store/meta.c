#include "store/meta.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/buf.h"
#include "core/err.h"
#include "ext/db.h"

int
meta_text(struct db *db, const char *name, struct buf *to, struct err *e)
{
	struct stmt s = {0};
	int row;

	stmt_start(&s, db, "SELECT value FROM meta WHERE name = ?1");
	stmt_text(&s, 1, name);
	row = stmt_next(&s, e);
	if (row > 0)
		buf_str(to, row_text(&s, 0));
	stmt_end(&s);
	return row;
}

int
meta_int(struct db *db, const char *name, int64_t other, int64_t *n,
    struct err *e)
{
	struct buf text = {0};
	int row = meta_text(db, name, &text, e);

	*n = row > 0 ? strtoll(buf_text(&text), NULL, 10) : other;
	buf_release(&text);
	return row < 0 ? -1 : 0;
}

int
meta_set_text(struct db *db, const char *name, const char *text, struct err *e)
{
	struct stmt s = {0};

	stmt_start(&s, db,
	    "INSERT INTO meta(name, value) VALUES (?1, ?2)"
	    " ON CONFLICT(name) DO UPDATE SET value = excluded.value");
	stmt_text(&s, 1, name);
	stmt_text(&s, 2, text);
	return stmt_once(&s, e);
}

int
meta_set_int(struct db *db, const char *name, int64_t n, struct err *e)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, n);
	return meta_set_text(db, name, text, e);
}

int
meta_unset(struct db *db, const char *name, struct err *e)
{
	struct stmt s = {0};

	stmt_start(&s, db, "DELETE FROM meta WHERE name = ?1");
	stmt_text(&s, 1, name);
	return stmt_once(&s, e);
}

int
meta_raise(struct db *db, const char *name, int64_t at_ms, struct err *e)
{
	int64_t before;

	if (meta_int(db, name, 0, &before, e) < 0)
		return -1;
	return meta_set_int(db, name, at_ms > before ? at_ms : before + 1, e);
}
