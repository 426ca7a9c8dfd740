#include "retrieve/scope.h"

#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/err.h"
#include "core/hash.h"
#include "core/id.h"
#include "core/mem.h"
#include "retrieve/chain.h"
#include "retrieve/corpus.h"
#include "retrieve/wish.h"

/* A channel, and what a category holds: its channels and their threads. */
static int
add_channel(struct scope *s, uint64_t id, struct err *e)
{
	static const char sql[] =
	    "SELECT ord FROM channel WHERE id = ?1 OR (parent IN (SELECT id"
	    "  FROM channel WHERE parent = ?1 OR id = ?1) AND EXISTS (SELECT 1"
	    "  FROM channel WHERE id = ?1 AND type LIKE '%Category'))";
	struct stmt q = {0};
	int row;

	stmt_start(&q, s->corpus->db, sql);
	stmt_int(&q, 1, (int64_t)id);
	while ((row = stmt_next(&q, e)) > 0)
		ords_add(&s->channels, (uint32_t)row_int(&q, 0));
	stmt_end(&q);
	return row;
}

static int
add_channels(struct scope *s, const struct texts *t, struct err *e)
{
	for (size_t i = 0; i < t->count; i++) {
		if (targets_one(s->corpus, TARGET_CHANNEL, t->at[i],
			&s->unclear, e) < 0 ||
		    add_channel(s, s->unclear.at[0].id, e) < 0)
			return -1;
		s->all_channels = false;
		targets_release(&s->unclear);
	}
	return 0;
}

static int
add_authors(struct scope *s, const struct texts *t, struct err *e)
{
	for (size_t i = 0; i < t->count; i++) {
		if (targets_one(s->corpus, TARGET_MEMBER, t->at[i], &s->unclear,
			e) < 0)
			return -1;
		ords_add(&s->authors, s->unclear.at[0].ord);
		targets_release(&s->unclear);
	}
	ords_sort(&s->authors);
	return 0;
}

/* The id at the end of a message's link, or of bare digits; -1 if neither. */
static int
message_id(const char *text, uint64_t *id)
{
	const char *slash = strrchr(text, '/');

	if (slash && strstr(text, "/channels/"))
		text = slash + 1;
	return snowflake_read(id, text) == 0 && *id > 0 && *id <= INT64_MAX
		   ? 0
		   : -1;
}

/* A bound in time: a message id, or a time. */
static int
bound(const char *name, const char *text, bool upper, uint64_t *id,
    struct err *e)
{
	int64_t at_ms;

	if (!text)
		return 0;
	if (strlen(text) > 15 && message_id(text, id) == 0)
		return 0;
	if (clock_parse(&at_ms, text) < 0)
		return err_set(e, ERR_INPUT,
		    "%s '%.60s' is neither a time nor a message id", name,
		    text);
	*id = snowflake_first(upper ? at_ms : at_ms + 1);
	if (!upper && *id)
		(*id)--;
	return 0;
}

static int
known_message(struct scope *s, const char *name, const char *text, uint64_t *id,
    uint32_t *channel, struct err *e)
{
	struct scope_row row;
	uint32_t ord;
	int found;

	if (!text)
		return 0;
	if (message_id(text, id) < 0)
		return err_set(e, ERR_INPUT,
		    "%s '%.60s' is no message id or link", name, text);
	if (scope_ord(s->corpus, *id, &ord, e) < 0)
		return -1;
	found = ord ? scope_row(s, ord, &row, e) : 0;
	if (found < 0)
		return -1;
	if (!found)
		return err_set(e, ERR_INPUT, "%s: message %llu is not indexed",
		    name, (unsigned long long)*id);
	*channel = row.channel;
	return 0;
}

/* A bit for each of these ordinals, which are sorted. */
static void
make_bits(struct scope *s, const struct ords *o)
{
	if (o->count)
		s->channel_bit_count = o->at[o->count - 1] + 1UL;
	s->channel_bits = mem_new(s->channel_bit_count / 8 + 1);
	for (size_t i = 0; i < o->count; i++)
		s->channel_bits[o->at[i] / 8] |= (unsigned char)(1U
								 << o->at[i] %
									8);
}

/*
 * What is scored is not looked up in the view first, so it must be told which
 * channels that holds. The ones that were named are from it already.
 */
static int
bound_channels(struct scope *s, struct err *e)
{
	struct ords all = {0};
	struct stmt q = {0};
	int row = 0;

	if (!s->all_channels) {
		ords_sort(&s->channels);
		make_bits(s, &s->channels);
	} else if (s->corpus->narrow) {
		stmt_start(&q, s->corpus->db, "SELECT ord FROM channel");
		while ((row = stmt_next(&q, e)) > 0)
			ords_add(&all, (uint32_t)row_int(&q, 0));
		stmt_end(&q);
		ords_sort(&all);
		make_bits(s, &all);
		ords_release(&all);
	}
	return row;
}

static void
make_hash(struct scope *s)
{
	uint64_t h = HASH_START;

	h = hash_number(h, s->all_channels);
	for (size_t i = 0; i < s->channels.count; i++)
		h = hash_number(h, s->channels.at[i]);
	h = hash_number(h, UINT64_MAX);
	for (size_t i = 0; i < s->authors.count; i++)
		h = hash_number(h, s->authors.at[i]);
	h = hash_number(h, UINT64_MAX);
	h = hash_number(h, s->after);
	h = hash_number(h, s->before);
	h = hash_number(h, s->around);
	h = hash_number(h, s->chain);
	h = hash_number(h, s->has);
	s->hash = hash_number(h, s->lacks);
}

/* Around a message means: in its channel, unless channels were named. */
static int
take_messages(struct scope *s, const struct wish *r, struct err *e)
{
	uint32_t channel = 0;

	if (known_message(s, "around", r->around, &s->around,
		&s->around_channel, e) < 0 ||
	    known_message(s, "reply_chain", r->reply_chain, &s->chain, &channel,
		e) < 0)
		return -1;
	if (s->around && s->all_channels) {
		ords_add(&s->channels, s->around_channel);
		s->all_channels = false;
	}
	if (s->chain) {
		s->chosen = true;
		return chain_find(s->corpus, s->chain, &s->only, e);
	}
	return 0;
}

int
scope_open(struct scope *s, struct corpus *c, const struct wish *r,
    struct err *e)
{
	*s = (struct scope){.corpus = c,
	    .all_channels = true,
	    .before = UINT64_MAX,
	    .has = r->has,
	    .lacks = r->lacks};
	if (add_channels(s, &r->channels, e) < 0 ||
	    add_channels(s, &r->threads, e) < 0 ||
	    add_authors(s, &r->authors, e) < 0 ||
	    bound("after", r->after, false, &s->after, e) < 0 ||
	    bound("before", r->before, true, &s->before, e) < 0 ||
	    take_messages(s, r, e) < 0 || bound_channels(s, e) < 0)
		return -1;
	make_hash(s);
	return 0;
}

void
scope_release(struct scope *s)
{
	ords_release(&s->channels);
	ords_release(&s->authors);
	ords_release(&s->only);
	free(s->channel_bits);
	stmt_end(&s->row);
	targets_release(&s->unclear);
	*s = (struct scope){0};
}

int
scope_row(struct scope *s, uint32_t ord, struct scope_row *row, struct err *e)
{
	static const char sql[] =
	    "SELECT id, channel, author, flags FROM message WHERE ord = ?1";
	int found;

	stmt_start(&s->row, s->corpus->db, sql);
	stmt_int(&s->row, 1, ord);
	found = stmt_next(&s->row, e);
	if (found > 0)
		*row = (struct scope_row){.id = (uint64_t)row_int(&s->row, 0),
		    .channel = (uint32_t)row_int(&s->row, 1),
		    .author = (uint32_t)row_int(&s->row, 2),
		    .flags = (unsigned)row_int(&s->row, 3)};
	stmt_reset(&s->row);
	return found;
}

int
scope_ord(struct corpus *c, uint64_t id, uint32_t *ord, struct err *e)
{
	static const char sql[] = "SELECT ord FROM message WHERE id = ?1";
	struct stmt q = {0};
	int row;

	*ord = 0;
	stmt_start(&q, c->db, sql);
	stmt_int(&q, 1, (int64_t)id);
	row = stmt_next(&q, e);
	if (row > 0)
		*ord = (uint32_t)row_int(&q, 0);
	stmt_end(&q);
	return row < 0 ? -1 : 0;
}

bool
scope_holds(const struct scope *s, uint32_t ord, const struct scope_row *row)
{
	struct score_filter f = {.channels = s->channel_bits,
	    .channel_bits = s->channel_bit_count};

	return score_channel(&f, row->channel) &&
	       (!s->authors.count || ords_have(&s->authors, row->author)) &&
	       row->id > s->after && row->id < s->before &&
	       (row->flags & s->has) == s->has && !(row->flags & s->lacks) &&
	       (!s->chosen || ords_have(&s->only, ord));
}

static int
pass(void *ctx, uint32_t ord, struct err *e)
{
	struct scope *s = ctx;
	struct scope_row row;
	int found = scope_row(s, ord, &row, e);

	if (found <= 0)
		return found;
	return scope_holds(s, ord, &row);
}

void
scope_filter(struct scope *s, struct score_filter *f)
{
	bool rows = s->authors.count || s->after || s->before != UINT64_MAX ||
		    s->has || s->lacks || s->chosen;

	*f = (struct score_filter){.channels = s->channel_bits,
	    .channel_bits = s->channel_bit_count,
	    .pass = rows ? pass : NULL,
	    .ctx = s};
}
