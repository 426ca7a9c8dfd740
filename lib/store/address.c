#include "store/address.h"

#include "core/clock.h"
#include "ext/db.h"
#include "store/base.h"

int
address_add(struct store *s, const char *turn, const struct address *a,
    struct err *e)
{
	static const char sql[] =
	    "INSERT INTO address (turn, channel, request, application, token,"
	    "  until_ms, ephemeral, at_ms)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, turn);
	stmt_text(&q, 2, a->channel);
	stmt_text(&q, 3, a->request);
	stmt_text(&q, 4, a->application);
	stmt_text(&q, 5, a->token);
	if (a->token)
		stmt_int(&q, 6, a->until_ms);
	stmt_int(&q, 7, a->ephemeral);
	stmt_int(&q, 8, clock_now_ms());
	return stmt_once(&q, e);
}
