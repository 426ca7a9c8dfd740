#include "cli/show.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "core/utf8.h"

enum { STATUS_WIDTH = 70 };

static void
clear(struct show *s)
{
	if (s->status)
		fputs("\r\033[K", stderr);
	s->status = false;
}

void
show_status(struct show *s, const char *text)
{
	char line[STATUS_WIDTH + 1];

	if (s->quiet || s->said.len || !isatty(STDERR_FILENO))
		return;
	clear(s);
	utf8_tame(line, sizeof(line), text);
	fprintf(stderr, "... %s", line);
	fflush(stderr);
	s->status = true;
}

void
show_piece(struct show *s, const char *text)
{
	if (!s->tty)
		return;
	clear(s);
	buf_str(&s->said, text);
	cli_print(text);
	fflush(stdout);
}

void
show_restart(struct show *s)
{
	if (s->said.len)
		putchar('\n');
	buf_clear(&s->said);
}

void
show_answer(struct show *s, const char *text)
{
	size_t len = strlen(text);

	clear(s);
	if (strcmp(buf_text(&s->said), text) != 0) {
		show_restart(s);
		cli_print(text);
	}
	if (!len || text[len - 1] != '\n')
		putchar('\n');
	buf_clear(&s->said);
}

void
show_end(struct show *s)
{
	clear(s);
	buf_release(&s->said);
}
