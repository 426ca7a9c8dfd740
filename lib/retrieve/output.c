#include "retrieve/output.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/id.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/message.h"
#include "record/source.h"
#include "retrieve/cover.h"
#include "retrieve/fetch.h"
#include "retrieve/page.h"

typedef void output_fn(struct buf *to, const struct message *m);

/* What a search says of a message, besides the message. */
static void
dress(struct message *m, const struct page *p, const struct exchange_row *row,
    char score[32])
{
	if (p->lane == CURSOR_CHRONOLOGICAL) {
		m->lane = "chronological";
		return;
	}
	m->lane = "relevance";
	m->part = row->hit ? "hit" : "neighbour";
	m->group = row->group;
	if (row->hit) {
		snprintf(score, 32, "%.4f", row->score);
		m->score = score;
	}
}

/* For people, an empty line keeps what belongs together from the next. */
static bool
begins_exchange(const struct page *p, size_t i)
{
	return p->lane == CURSOR_RELEVANCE && i > 0 &&
	       p->rows.at[i].group != p->rows.at[i - 1].group;
}

/* Write every row; one that was deleted meanwhile can't be met: one view. */
static int
each(struct buf *to, struct corpus *c, const struct page *p, output_fn *write,
    struct err *e)
{
	struct fetch f = {.corpus = c, .plain = write != message_write};
	struct message m = {0};
	char score[32];
	int row = 0;

	for (size_t i = 0; i < p->rows.count && row >= 0; i++) {
		row = fetch_message(&f, p->rows.at[i].ord, &m, e);
		if (row <= 0)
			continue;
		dress(&m, p, &p->rows.at[i], score);
		if (write == output_person && begins_exchange(p, i))
			buf_char(to, '\n');
		write(to, &m);
	}
	fetch_release(&f);
	message_release(&m);
	if (row >= 0 && to->full)
		row = err_set(e, ERR_REFUSED,
		    "the answer is too big; ask for fewer messages");
	return row < 0 ? -1 : 0;
}

static const char *
lane_word(const struct page *p)
{
	return p->lane == CURSOR_RELEVANCE ? "relevance" : "chronological";
}

int
output_records(struct buf *to, struct corpus *c, struct page *p, struct err *e)
{
	if (each(to, c, p, message_write, e) < 0)
		return -1;
	jsonw_object(to, NULL);
	jsonw_str(to, "type", "page");
	jsonw_str(to, "lane", lane_word(p));
	jsonw_int(to, "count", (int64_t)p->hits);
	if (p->cursor.len)
		jsonw_str(to, "cursor", buf_text(&p->cursor));
	jsonw_bool(to, "more", p->more);
	jsonw_line(to);
	jsonw_object(to, NULL);
	jsonw_str(to, "type", "coverage");
	if (cover_write(to, &p->scope, p->since_ms, e) < 0)
		return -1;
	jsonw_line(to);
	return 0;
}

int
output_coverage(struct buf *to, struct page *p, struct err *e)
{
	int result;

	jsonw_object(to, NULL);
	result = cover_write(to, &p->scope, p->since_ms, e);
	jsonw_end_object(to);
	return result;
}

/* The names of attached files, since text alone does not show them. */
static void
add_files(struct buf *to, const struct message *m)
{
	struct json *more = NULL;
	struct err e = {0};
	const struct json *file;

	if (m->more.len &&
	    json_object(&more, m->more.data, m->more.len, &e) == 0) {
		file = json_first(json_get(more, "attachments"));
		for (; file; file = json_next(file))
			if (json_string(file, "name"))
				buf_fmt(to, "    [%s]\n",
				    json_string(file, "name"));
	}
	json_free(more);
}

/* Text of several lines stays under its head. */
static void
add_text(struct buf *to, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n");

		buf_str(to, "    ");
		buf_add(to, text, n);
		buf_char(to, '\n');
		text += n + (text[n] == '\n');
	}
}

void
output_person(struct buf *to, const struct message *m)
{
	const char *nickname = m->author.nickname;
	char at[CLOCK_TEXT];

	clock_text(at, snowflake_ms(m->id));
	at[10] = ' ';
	at[16] = '\0';
	buf_str(to, m->part && strcmp(m->part, "hit") == 0 ? "> " : "  ");
	buf_fmt(to, "%s #%s ", at, m->channel.name ? m->channel.name : "");
	buf_str(to, nickname && *nickname ? nickname : m->author.name);
	if (nickname && *nickname && strcmp(nickname, m->author.name) != 0)
		buf_fmt(to, " (%s)", m->author.name);
	buf_str(to, "\n");
	add_text(to, m->plain ? m->plain : m->text);
	add_files(to, m);
	buf_str(to, "    ");
	message_link(to, m);
	buf_str(to, "\n");
}

int
output_people(struct buf *to, struct corpus *c, struct page *p, struct err *e)
{
	if (each(to, c, p, output_person, e) < 0)
		return -1;
	if (p->more)
		buf_fmt(to, "\nmore: --cursor %s\n", buf_text(&p->cursor));
	return 0;
}

int
output_sources(struct buf *to, struct corpus *c, struct page *p, struct err *e)
{
	int result;

	jsonw_array(to, NULL);
	result = each(to, c, p, source_of_message, e);
	jsonw_end_array(to);
	return result;
}
