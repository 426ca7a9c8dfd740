#include "cli/index_text.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/progress.h"
#include "core/clock.h"
#include "core/id.h"
#include "record/index_status.h"
#include "record/summary.h"

static void
print_count(const char *word, int64_t n)
{
	char text[PROGRESS_NUMBER];

	progress_number(text, n);
	printf(", %s %s", text, word);
}

void
index_text_summary(const struct summary *s)
{
	char text[PROGRESS_NUMBER];

	cli_print(s->file);
	if (s->before) {
		printf(": read before\n");
		return;
	}
	progress_number(text, s->added);
	printf(": %s new", text);
	print_count("changed", s->changed);
	print_count("unchanged", s->unchanged);
	for (int i = 0; i < SKIP_KINDS; i++)
		if (s->skipped[i])
			print_count(summary_skip_word((unsigned)i),
			    s->skipped[i]);
	printf("\n");
}

static void
number(const char *what, int64_t n)
{
	char text[PROGRESS_NUMBER];

	progress_number(text, n);
	printf("%-11s %s\n", what, text);
}

void
index_text_status(const struct index_status *s)
{
	char oldest[CLOCK_TEXT], newest[CLOCK_TEXT];

	printf("%-11s ", "index");
	cli_print(s->path);
	printf("\n");
	number("bytes", s->bytes);
	number("guilds", s->guilds);
	number("channels", s->channels);
	number("authors", s->authors);
	number("messages", s->messages);
	if (s->oldest) {
		clock_text(oldest, snowflake_ms(s->oldest));
		clock_text(newest, snowflake_ms(s->newest));
		printf("%-11s %s to %s\n", "sent", oldest, newest);
	}
	if (s->stale)
		printf("%-11s it must be rebuilt: sophia index rebuild\n",
		    "state");
}

void
index_text_channel(const struct index_channel *c)
{
	char text[PROGRESS_NUMBER];

	progress_number(text, c->messages);
	printf("%20" PRIu64 "  %12s  %-3s  ", c->id, text, c->language);
	cli_print(c->name);
	printf("\n");
}
