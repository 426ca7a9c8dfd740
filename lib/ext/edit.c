#include "ext/edit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <histedit.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/mem.h"

struct edit {
	EditLine *line;
	History *history;
	char *path;
	char *prompt;
	struct buf text;
};

static char *
prompt_of(EditLine *line)
{
	struct edit *ed;

	el_get(line, EL_CLIENTDATA, &ed);
	return ed->prompt;
}

/*
 * ^C at the prompt takes back what is typed, as in a shell. While a line is
 * edited it is a key like others; at other times it is a signal.
 */
static unsigned char
take_back(EditLine *line, int key)
{
	const LineInfo *typed = el_line(line);
	int len = (int)(typed->lastchar - typed->buffer);

	(void)key;
	el_cursor(line, len);
	el_deletestr(line, len);
	el_insertstr(line, "\n");
	fputs("^C\n", stdout);
	return CC_NEWLINE;
}

/* libedit gives the terminal back before it stops, and takes it after. */
static unsigned char
suspend(EditLine *line, int key)
{
	(void)line;
	(void)key;
	raise(SIGTSTP);
	return CC_REDISPLAY;
}

static void
bind_keys(EditLine *line)
{
	el_set(line, EL_SETTY, "-d", "-isig", NULL);
	el_set(line, EL_ADDFN, "suspend", "stop, as ^Z does", suspend);
	el_set(line, EL_BIND, "^Z", "suspend", NULL);
	el_set(line, EL_ADDFN, "take-back", "drop what is typed", take_back);
	el_set(line, EL_BIND, "^C", "take-back", NULL);
}

int
edit_open(struct edit **out, const char *program, const char *prompt,
    const char *history_path, struct err *e)
{
	struct edit *ed = mem_new(sizeof(*ed));
	HistEvent event;

	ed->line = el_init(program, stdin, stdout, stderr);
	ed->history = history_init();
	ed->prompt = mem_dup(prompt);
	ed->path = mem_dup(history_path);
	if (!ed->line || !ed->history) {
		edit_close(ed);
		return err_set(e, ERR_INTERNAL, "line editing does not start");
	}
	el_set(ed->line, EL_CLIENTDATA, ed);
	el_set(ed->line, EL_PROMPT, prompt_of);
	el_set(ed->line, EL_EDITOR, "emacs");
	el_set(ed->line, EL_SIGNAL, 1);
	bind_keys(ed->line);
	history(ed->history, &event, H_SETSIZE, EDIT_HISTORY);
	history(ed->history, &event, H_SETUNIQUE, 1);
	el_set(ed->line, EL_HIST, history, ed->history);
	if (ed->path)
		history(ed->history, &event, H_LOAD, ed->path);
	el_source(ed->line, NULL);
	*out = ed;
	return 0;
}

void
edit_close(struct edit *ed)
{
	HistEvent event;

	if (!ed)
		return;
	if (ed->path && ed->history)
		history(ed->history, &event, H_SAVE, ed->path);
	if (ed->history)
		history_end(ed->history);
	if (ed->line)
		el_end(ed->line);
	buf_release(&ed->text);
	free(ed->prompt);
	free(ed->path);
	free(ed);
}

int
edit_line(struct edit *ed, const char **line)
{
	HistEvent event;
	const char *typed;
	int len;

	el_set(ed->line, EL_PREP_TERM, 1); /* before it shows that it listens */
	typed = el_gets(ed->line, &len);
	if (!typed || len <= 0)
		return 0;
	if (strspn(typed, " \t\r\n") < (size_t)len)
		history(ed->history, &event, H_ENTER, typed);
	buf_clear(&ed->text);
	buf_add(&ed->text, typed, strcspn(typed, "\r\n"));
	*line = buf_text(&ed->text);
	return 1;
}
