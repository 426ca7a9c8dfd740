#include "record/purge_status.h"

#include "ext/jsonw.h"

void
purge_status_write(struct buf *b, const struct purge_status *s)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "purge");
	jsonw_int(b, "pending", s->tasks + s->spool + s->index);
	jsonw_int(b, "tasks", s->tasks);
	jsonw_int(b, "spool", s->spool);
	jsonw_int(b, "index", s->index);
	jsonw_line(b);
}
