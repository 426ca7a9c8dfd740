#include "cli/index_text.h"

#include <inttypes.h>

#include "cli/progress.h"
#include "core/buf.h"
#include "core/clock.h"
#include "core/id.h"
#include "record/index_status.h"
#include "record/purge_status.h"
#include "record/summary.h"

static void
put_count(struct buf *b, const char *word, int64_t n)
{
	char text[PROGRESS_NUMBER];

	progress_number(text, n);
	buf_fmt(b, ", %s %s", text, word);
}

void
index_text_summary(struct buf *b, const struct summary *s)
{
	char text[PROGRESS_NUMBER];

	if (s->before) {
		buf_fmt(b, "%s: read before\n", s->file);
		return;
	}
	progress_number(text, s->added);
	buf_fmt(b, "%s: %s new", s->file, text);
	put_count(b, "changed", s->changed);
	put_count(b, "unchanged", s->unchanged);
	for (int i = 0; i < SKIP_KINDS; i++)
		if (s->skipped[i])
			put_count(b, summary_skip_word((unsigned)i),
			    s->skipped[i]);
	buf_char(b, '\n');
}

static void
number(struct buf *b, const char *what, int64_t n)
{
	char text[PROGRESS_NUMBER];

	progress_number(text, n);
	buf_fmt(b, "%-11s %s\n", what, text);
}

void
index_text_status(struct buf *b, const struct index_status *s)
{
	char oldest[CLOCK_TEXT], newest[CLOCK_TEXT];

	buf_fmt(b, "%-11s %s\n", "index", s->path);
	number(b, "bytes", s->bytes);
	number(b, "guilds", s->guilds);
	number(b, "channels", s->channels);
	number(b, "authors", s->authors);
	number(b, "messages", s->messages);
	if (s->oldest) {
		clock_text(oldest, snowflake_ms(s->oldest));
		clock_text(newest, snowflake_ms(s->newest));
		buf_fmt(b, "%-11s %s to %s\n", "sent", oldest, newest);
	}
	if (s->stale)
		buf_fmt(b, "%-11s it must be rebuilt: sophia index rebuild\n",
		    "state");
}

void
index_text_channel(struct buf *b, const struct index_channel *c)
{
	char text[PROGRESS_NUMBER];

	progress_number(text, c->messages);
	buf_fmt(b, "%20" PRIu64 "  %12s  %-3s  %s", c->id, text, c->language,
	    c->name);
	if (c->gaps)
		buf_fmt(b, ", %" PRId64 " gaps", c->gaps);
	if (c->forbidden)
		buf_fmt(b, ": %s", c->forbidden);
	buf_char(b, '\n');
}

static void
waits(struct buf *to, int64_t count, const char *what)
{
	if (count)
		buf_fmt(to, "%" PRId64 " wait until %s\n", count, what);
}

void
index_text_purge(struct buf *to, const struct purge_status *s)
{
	if (!(s->tasks || s->spool || s->index))
		buf_str(to, "All deletions are carried through.\n");
	waits(to, s->tasks, "the tasks let go of them");
	waits(to, s->spool, "they are out of the events of the gateway");
	waits(to, s->index, "the words of the index are written anew");
}
