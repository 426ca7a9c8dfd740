#include "history/hold.h"

#include <stdlib.h>

#include "core/err.h"
#include "core/mem.h"
#include "ext/text.h"
#include "record/message.h"

void
hold_add(struct hold *h, const struct split_item *item, const struct message *m)
{
	if (!h->items)
		h->items = mem_array(HOLD_MOST, sizeof(*h->items));
	h->items[h->count++] = (struct held){
	    .kind = item->kind,
	    .channel = m->channel.id,
	    .begin = item->byte,
	    .at = h->bytes.len,
	    .len = item->len,
	    .text = h->texts.len,
	    .text_len = m->text_len,
	};
	buf_add(&h->bytes, item->text, item->len);
	buf_add(&h->texts, m->text, m->text_len);
}

bool
hold_full(const struct hold *h)
{
	return h->count == HOLD_MOST || h->bytes.len >= HOLD_BYTES;
}

int
hold_language(const struct hold *h, size_t i, struct text *t,
    const char **language, struct err *e)
{
	struct buf all = {0};
	uint64_t channel = h->items[i].channel;
	int count = 0, result;

	for (; i < h->count; i++) {
		const struct held *item = &h->items[i];

		if (item->channel != channel)
			continue;
		count++;
		buf_add(&all, h->texts.data + item->text, item->text_len);
		buf_char(&all, '\n');
	}
	result = text_language(t, buf_text(&all), all.len, language, e);
	if (result >= 0 && !**language && count >= HOLD_CLEAR)
		*language = "und";
	buf_release(&all);
	return result < 0 ? -1 : 0;
}

bool
hold_first(const struct hold *h, size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (h->items[j].channel == h->items[i].channel)
			return false;
	return true;
}

void
hold_clear(struct hold *h)
{
	buf_clear(&h->bytes);
	buf_clear(&h->texts);
	h->count = 0;
}

void
hold_release(struct hold *h)
{
	buf_release(&h->bytes);
	buf_release(&h->texts);
	free(h->items);
	h->items = NULL;
	h->count = 0;
}
