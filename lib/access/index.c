#include "access/index.h"

#include "core/err.h"
#include "ext/db.h"
#include "store/base.h"

int
index_open(struct store *s, struct db **index, struct err *e)
{
	int there = store_exists("messages", e);

	*index = NULL;
	if (there <= 0)
		return there;
	if (store_open(s, "messages", STORE_READ, e) < 0 ||
	    db_begin_read(&s->db, e) < 0)
		return -1;
	*index = &s->db;
	return 0;
}
