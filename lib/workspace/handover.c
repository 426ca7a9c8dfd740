#include "workspace/handover.h"

#include <string.h>

#include "core/err.h"
#include "ext/json.h"
#include "ext/jsonw.h"

/* After bytes of any kind jsonw would not know where it is. */
static void
add(struct buf *b, struct buf *answer)
{
	buf_add(b, answer->data, answer->len);
	b->full |= answer->full;
	buf_release(answer);
}

void
handover_refuse(struct buf *b, const char *why)
{
	struct buf line = {0};

	jsonw_object(&line, NULL);
	jsonw_str(&line, "error", why);
	jsonw_line(&line);
	add(b, &line);
}

static size_t
waiting(const struct handover *h)
{
	size_t sum = 0;

	for (size_t i = 0; i < HANDOVER_CONNECTIONS; i++)
		sum += h->at[i].waiting.len;
	return sum;
}

static void
mute(struct handover_line *l, const char *why, struct buf *b)
{
	handover_refuse(b, why);
	l->mute = true;
	buf_release(&l->waiting);
}

/* How long the question is that begins here: 0 while nobody knows. */
static size_t
measure(const struct handover_line *l, struct json **head, size_t *line,
    const char **why)
{
	const char *text = buf_text(&l->waiting), *end;
	struct err none = {0};
	int64_t size;

	end = memchr(text, '\n', l->waiting.len);
	*line = end ? (size_t)(end - text) + 1 : l->waiting.len;
	if (*line > HANDOVER_LINE_MOST)
		*why = "the question is too long";
	if (*why || !end)
		return 0;
	if (json_object(head, text, *line - 1, &none) < 0) {
		*why = "the question is not a JSON object";
		return 0;
	}
	size = json_int(*head, "size", -1);
	if (size < 0 || size > HANDOVER_BYTES_MOST)
		*why = "more than 20 MiB at once";
	return *why ? 0 : *line + (size_t)size;
}

static void
put(struct handover *h, const struct handover_line *l, const struct json *head,
    size_t line, size_t whole, struct buf *b)
{
	const struct handover_question q = {.what = json_string(head, "do"),
	    .name = json_string(head, "name"),
	    .which = json_string(head, "which"),
	    .version = json_int(head, "version", 0),
	    .bytes = buf_text(&l->waiting) + line,
	    .len = whole - line};

	struct buf said = {.limit = b->limit};

	if (q.what && !h->answer)
		handover_refuse(&said, "nothing is handed over here");
	else if (q.what)
		h->answer(h->ctx, &q, &said);
	else
		handover_refuse(&said, "a question must say what to do");
	add(b, &said);
}

/* One whole question, if there is one. */
static bool
serve(struct handover *h, struct handover_line *l, struct buf *b)
{
	struct json *head = NULL;
	const char *why = NULL;
	size_t line, whole = measure(l, &head, &line, &why);
	const bool is_whole = whole && whole <= l->waiting.len;

	if (why)
		mute(l, why, b);
	else if (is_whole)
		put(h, l, head, line, whole, b);
	if (is_whole)
		buf_drop(&l->waiting, whole);
	json_free(head);
	return is_whole && l->waiting.len;
}

int
handover_hear(struct handover *h, uint64_t connection, const char *bytes,
    size_t len, struct buf *b, struct err *e)
{
	struct handover_line *l = &h->at[connection % HANDOVER_CONNECTIONS];

	if (l->open == !len || (l->open && l->number != connection))
		return err_set(e, ERR_REFUSED,
		    "the container asked on a connection that can't be");
	l->open = true;
	l->number = connection;
	if (!len || l->mute)
		return 0;
	if (waiting(h) + len > HANDOVER_WAITING) {
		mute(l, "too much is handed over at one time", b);
		return 0;
	}
	buf_add(&l->waiting, bytes, len);
	while (serve(h, l, b))
		;
	return 0;
}

static void
hang(struct handover_line *l)
{
	buf_release(&l->waiting);
	*l = (struct handover_line){0};
}

void
handover_hang(struct handover *h, uint64_t connection)
{
	struct handover_line *l = &h->at[connection % HANDOVER_CONNECTIONS];

	if (l->number == connection)
		hang(l);
}

void
handover_release(struct handover *h)
{
	for (size_t i = 0; i < HANDOVER_CONNECTIONS; i++)
		hang(&h->at[i]);
}
