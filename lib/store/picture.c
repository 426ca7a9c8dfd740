#include "store/picture.h"

#include "core/err.h"
#include "store/base.h"
#include "store/file.h"

static int
number(struct store *s, const char *task, int64_t call, int64_t *n,
    struct err *e)
{
	struct stmt q = {0};
	int row;

	stmt_start(&q, &s->db,
	    "SELECT ifnull(max(n), 0) + 1 FROM preview"
	    " WHERE task = ?1 AND call = ?2");
	stmt_text(&q, 1, task);
	stmt_int(&q, 2, call);
	row = stmt_next(&q, e);
	if (row > 0)
		*n = row_int(&q, 0);
	stmt_end(&q);
	return row < 0 ? -1 : 0;
}

int
picture_add(struct store *s, const char *task, int64_t call, struct picture *p,
    const void *bytes, size_t len, struct err *e)
{
	static const char
	    sql[] = "INSERT INTO preview (task, call, n, kind, name, offset_ms,"
		    " media, size, hash)"
		    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
	struct stmt q = {0};

	p->size = (int64_t)len;
	if (file_may_keep(s, task, call, e) < 0 ||
	    number(s, task, call, &p->n, e) < 0 ||
	    content_put(s, bytes, len, p->hash, e) < 0)
		return -1;
	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	stmt_int(&q, 2, call);
	stmt_int(&q, 3, p->n);
	stmt_text(&q, 4, p->frame ? "frame" : "image");
	stmt_text(&q, 5, p->name);
	if (p->frame)
		stmt_int(&q, 6, p->offset_ms);
	stmt_text(&q, 7, p->media);
	stmt_int(&q, 8, p->size);
	stmt_text(&q, 9, p->hash);
	return stmt_once(&q, e);
}

int
picture_is_own(struct store *s, const char *task, const char *hash,
    struct err *e)
{
	static const char
	    sql[] = "SELECT ifnull(max(task = ?1), 1) FROM"
		    " (SELECT task FROM file WHERE hash = ?2 UNION ALL"
		    "  SELECT task FROM artifact WHERE hash = ?2 UNION ALL"
		    "  SELECT task FROM artifact WHERE wire = ?2 UNION ALL"
		    "  SELECT task FROM preview WHERE hash = ?2)";
	struct stmt q = {0};
	int own;

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	stmt_text(&q, 2, hash);
	own = stmt_next(&q, e);
	if (own > 0)
		own = row_int(&q, 0) != 0;
	stmt_end(&q);
	return own;
}
