#include "store/sound.h"

#include "core/err.h"
#include "ext/db.h"
#include "store/base.h"
#include "store/file.h"

int
sound_add(struct store *s, const char *task, int64_t call, const char *name,
    int64_t offset_ms, const void *bytes, size_t len,
    char hash[CONTENT_HASH + 1], struct err *e)
{
	struct stmt q = {0};

	if (file_may_keep(s, task, call, e) < 0 ||
	    content_put(s, bytes, len, hash, e) < 0)
		return -1;
	stmt_start(&q, &s->db,
	    "INSERT INTO preview (task, call, n, kind, name, offset_ms, media,"
	    " size, hash) SELECT ?1, ?2, ifnull(max(n), 0) + 1, 'sound', ?3,"
	    " ?4, 'audio/wav', ?5, ?6 FROM preview"
	    " WHERE task = ?1 AND call = ?2");
	stmt_text(&q, 1, task);
	stmt_int(&q, 2, call);
	stmt_text(&q, 3, name);
	stmt_int(&q, 4, offset_ms);
	stmt_int(&q, 5, (int64_t)len);
	stmt_text(&q, 6, hash);
	return stmt_once(&q, e);
}

int
sound_remove(struct store *s, const char *task, struct err *e)
{
	struct stmt q = {0};

	stmt_start(&q, &s->db,
	    "DELETE FROM preview WHERE task = ?1 AND kind = 'sound'");
	stmt_text(&q, 1, task);
	return stmt_once(&q, e);
}
