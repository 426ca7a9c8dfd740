#include "history/learn.h"

#include "core/buf.h"
#include "core/err.h"
#include "ext/text.h"
#include "history/hold.h"
#include "history/ingest.h"
#include "record/message.h"
#include "store/base.h"

enum { LEARN_EVERY = 32, LEARN_MOST = 400, LEARN_BYTES = 1 << 20 };

/* How many messages the channel has, if its language isn't known; else 0. */
static int
count_unlearnt(struct ingest *in, uint64_t channel, int64_t *count,
    struct err *e)
{
	struct stmt s = {0};
	int row;

	stmt_start(&s, in->db,
	    "SELECT count(*) FROM (SELECT 1 FROM channel c JOIN message m"
	    " ON m.channel = c.ord WHERE c.id = ?1 AND c.language = ''"
	    " LIMIT ?2)");
	stmt_int(&s, 1, (int64_t)channel);
	stmt_int(&s, 2, LEARN_MOST);
	row = stmt_next(&s, e);
	*count = row > 0 ? row_int(&s, 0) : 0;
	stmt_end(&s);
	return row < 0 ? -1 : 0;
}

static int
gather(struct ingest *in, uint64_t channel, struct buf *all, struct err *e)
{
	struct stmt s = {0};
	int row;

	stmt_start(&s, in->db,
	    "SELECT text FROM message WHERE channel ="
	    " (SELECT ord FROM channel WHERE id = ?1) LIMIT ?2");
	stmt_int(&s, 1, (int64_t)channel);
	stmt_int(&s, 2, LEARN_MOST);
	while ((row = stmt_next(&s, e)) > 0) {
		buf_str(all, row_text(&s, 0));
		buf_char(all, '\n');
	}
	stmt_end(&s);
	return row;
}

int
learn_channel(struct ingest *in, const struct message *m, struct err *e)
{
	struct buf all = {.limit = LEARN_BYTES};
	const char *language = "";
	int64_t count;
	int result;

	if (count_unlearnt(in, m->channel.id, &count, e) < 0)
		return -1;
	if (!count)
		return 0;
	result = gather(in, m->channel.id, &all, e);
	if (result == 0)
		result = text_language(in->messages.tokens.text, buf_text(&all),
		    all.len, &language, e);
	buf_release(&all);
	if (result < 0)
		return -1;
	if (!*language && count >= HOLD_CLEAR)
		language = "und";
	return *language ? messages_set_language(&in->messages, m, language, e)
			 : 0;
}

int
learn_sometimes(struct ingest *in, const struct message *m, struct err *e)
{
	/* An ordinal is as good as a count of the channel's own. */
	return in->messages.next % LEARN_EVERY ? 0 : learn_channel(in, m, e);
}
