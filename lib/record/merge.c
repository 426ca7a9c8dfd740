/* message_merge() of record/message.h. */
#include "core/err.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/message.h"

static int
parse(struct json **v, const struct buf *more, struct err *e)
{
	*v = NULL;
	return more->len ? json_object(v, more->data, more->len, e) : 0;
}

/* Each part from where it is told, in their order. */
static void
merge(struct buf *to, const struct json *now, const struct json *before,
    unsigned told)
{
	for (int i = 0; i < MESSAGE_PARTS; i++) {
		const char *key = message_part_key((enum message_part)i);
		const struct json *part = json_get(
		    told & (1U << i) ? now : before, key);

		if (!part ||
		    (json_kind(part) == JSON_ARRAY && !json_count(part)))
			continue;
		if (!to->len)
			jsonw_object(to, NULL);
		jsonw_value(to, key, part);
	}
	if (to->len)
		jsonw_end_object(to);
}

static int
merge_more(struct message *m, const struct message *old, unsigned told,
    struct err *e)
{
	struct json *now = NULL, *before = NULL;
	struct buf merged = {.limit = m->more.limit};
	int result = -1;

	if (parse(&now, &m->more, e) < 0 || parse(&before, &old->more, e) < 0)
		goto out;
	merge(&merged, now, before, told);
	result = merged.full ? err_set(e, ERR_INPUT,
				   "its parts are longer than a record may be")
			     : 0;
	buf_release(&m->more);
	m->more = merged;
	merged = (struct buf){0};
out:
	json_free(now);
	json_free(before);
	buf_release(&merged);
	return result;
}

int
message_merge(struct message *m, const struct message *old, unsigned told,
    struct err *e)
{
	if (!(told & MESSAGE_TOLD_TEXT)) {
		m->text = old->text;
		m->text_len = old->text_len;
	}
	if (!(told & MESSAGE_TOLD_EDITED))
		m->edited_ms = old->edited_ms;
	if (!(told & MESSAGE_TOLD_PINNED))
		m->pinned = old->pinned;
	if (!(told & MESSAGE_TOLD_KIND))
		m->kind = old->kind;
	if (!(told & (1U << MESSAGE_REFERENCE)))
		m->reply = old->reply;
	return merge_more(m, old, told, e);
}
