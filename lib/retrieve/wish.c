#include "retrieve/wish.h"

#include <stdint.h>
#include <string.h>

#include "core/err.h"
#include "ext/json.h"

struct word {
	const char *word;
	int value;
};

static const struct word has_words[] = {{"pin", HAS_PIN},
    {"attachment", HAS_ATTACHMENT}, {"embed", HAS_EMBED}, {"edit", HAS_EDIT},
    {NULL, 0}};
static const struct word order_words[] = {{"newest", ORDER_NEWEST},
    {"oldest", ORDER_OLDEST}, {NULL, 0}};
static const struct word lane_words[] = {{"chronological", LANE_CHRONOLOGICAL},
    {"relevance", LANE_RELEVANCE}, {NULL, 0}};
static const struct word match_words[] = {{"best", MATCH_BEST},
    {"all", MATCH_ALL}, {"any", MATCH_ANY}, {"phrase", MATCH_PHRASE},
    {NULL, 0}};

void
wish_start(struct wish *r)
{
	*r = (struct wish){.context = -1};
}

static int
look_up(const struct word *w, const char *text)
{
	for (; w->word; w++)
		if (strcmp(w->word, text) == 0)
			return w->value;
	return -1;
}

int
wish_has(const char *text)
{
	return look_up(has_words, text);
}

int
wish_order(const char *text)
{
	return look_up(order_words, text);
}

int
wish_lane(const char *text)
{
	return look_up(lane_words, text);
}

int
wish_add(struct texts *t, const char *text, struct err *e)
{
	if (t->count == WISH_TEXTS)
		return err_set(e, ERR_INPUT, "more than %d names", WISH_TEXTS);
	t->at[t->count++] = text;
	return 0;
}

/* A text, or an array of texts. */
static int
take_texts(const struct json *object, const char *key, struct texts *t,
    struct err *e)
{
	const struct json *v = json_get(object, key);

	if (json_kind(v) == JSON_NONE || json_kind(v) == JSON_NULL)
		return 0;
	*t = (struct texts){0};
	if (json_kind(v) == JSON_STRING)
		return wish_add(t, json_text(v), e);
	if (json_kind(v) != JSON_ARRAY)
		return err_set(e, ERR_INPUT, "%s is no list of names", key);
	for (v = json_first(v); v; v = json_next(v)) {
		if (!json_text(v))
			return err_set(e, ERR_INPUT, "%s holds no names", key);
		if (wish_add(t, json_text(v), e) < 0)
			return err_in(e, "%s", key);
	}
	return 0;
}

static int
take_text(const struct json *object, const char *key, const char **text,
    struct err *e)
{
	const struct json *v = json_get(object, key);

	if (json_kind(v) == JSON_NONE || json_kind(v) == JSON_NULL)
		return 0;
	*text = json_text(v);
	return *text ? 0 : err_set(e, ERR_INPUT, "%s is no text", key);
}

/* One of our words; *value stays if there is none. */
static int
take_word(const struct json *object, const char *key, const struct word *words,
    int *value, struct err *e)
{
	const char *text = NULL;
	int found;

	if (take_text(object, key, &text, e) < 0)
		return -1;
	if (!text)
		return 0;
	found = look_up(words, text);
	if (found < 0)
		return err_set(e, ERR_INPUT, "%s can't be '%.60s'", key, text);
	*value = found;
	return 0;
}

static int
take_number(const struct json *object, const char *key, int low, int high,
    int *value, struct err *e)
{
	const struct json *v = json_get(object, key);
	int64_t n;

	if (json_kind(v) == JSON_NONE || json_kind(v) == JSON_NULL)
		return 0;
	if (json_whole(v, &n) < 0 || n < low || n > high)
		return err_set(e, ERR_INPUT, "%s is no number from %d to %d",
		    key, low, high);
	*value = (int)n;
	return 0;
}

static int
take_words(struct wish *r, const struct json *object, struct err *e)
{
	int match = (int)r->match, lane = (int)r->lane, order = (int)r->order;
	struct texts has = {0};

	if (take_word(object, "match", match_words, &match, e) < 0 ||
	    take_word(object, "mode", match_words, &match, e) < 0 ||
	    take_word(object, "lane", lane_words, &lane, e) < 0 ||
	    take_word(object, "order", order_words, &order, e) < 0 ||
	    take_texts(object, "has", &has, e) < 0)
		return -1;
	r->match = (enum wish_match)match;
	r->lane = (enum wish_lane)lane;
	r->order = (enum wish_order)order;
	if (json_kind(json_get(object, "has_attachment")) == JSON_BOOL)
		*(json_bool(object, "has_attachment", true)
			? &r->has
			: &r->lacks) |= HAS_ATTACHMENT;
	for (size_t i = 0; i < has.count; i++) {
		int bit = wish_has(has.at[i]);

		if (bit < 0)
			return err_set(e, ERR_INPUT, "has can't be '%.60s'",
			    has.at[i]);
		r->has |= (unsigned)bit;
	}
	return 0;
}

int
wish_read(struct wish *r, const struct json *object, struct err *e)
{
	if (json_kind(object) != JSON_OBJECT)
		return err_set(e, ERR_INPUT, "a request is a JSON object");
	if (take_text(object, "query", &r->query, e) < 0 ||
	    take_text(object, "text", &r->query, e) < 0 ||
	    take_text(object, "after", &r->after, e) < 0 ||
	    take_text(object, "before", &r->before, e) < 0 ||
	    take_text(object, "around", &r->around, e) < 0 ||
	    take_text(object, "reply_chain", &r->reply_chain, e) < 0 ||
	    take_text(object, "cursor", &r->cursor, e) < 0 ||
	    take_texts(object, "channels", &r->channels, e) < 0 ||
	    take_texts(object, "threads", &r->threads, e) < 0 ||
	    take_texts(object, "authors", &r->authors, e) < 0 ||
	    take_number(object, "limit", 1, WISH_LIMIT, &r->limit, e) < 0 ||
	    take_number(object, "context", 0, WISH_CONTEXT, &r->context, e) < 0)
		return -1;
	return take_words(r, object, e);
}
