#include "store/nth.h"

#include "ext/db.h"
#include "store/base.h"

static int
count(struct store *index, uint64_t channel, int64_t *total, struct err *e)
{
	static const char sql[] = "SELECT count(*) FROM message WHERE channel ="
				  " (SELECT ord FROM channel WHERE id = ?1)";
	struct stmt q = {0};
	int row;

	stmt_start(&q, &index->db, sql);
	stmt_int(&q, 1, (int64_t)channel);
	row = stmt_next(&q, e);
	*total = row > 0 ? row_int(&q, 0) : 0;
	stmt_end(&q);
	return row < 0 ? -1 : 0;
}

int
nth_message(struct store *index, uint64_t channel, int64_t n, uint64_t *id,
    int64_t *total, struct err *e)
{
	static const char sql[] = "SELECT id FROM message WHERE channel ="
				  " (SELECT ord FROM channel WHERE id = ?1)"
				  " ORDER BY id LIMIT 1 OFFSET ?2";
	struct stmt q = {0};
	int row;

	if (count(index, channel, total, e) < 0)
		return -1;
	if (!n || n > *total || n < -*total)
		return 0;
	stmt_start(&q, &index->db, sql);
	stmt_int(&q, 1, (int64_t)channel);
	stmt_int(&q, 2, n > 0 ? n - 1 : *total + n);
	row = stmt_next(&q, e);
	if (row > 0)
		*id = (uint64_t)row_int(&q, 0);
	stmt_end(&q);
	return row;
}
