#ifndef CLI_TYPED_H
#define CLI_TYPED_H
/*
 * typed - lines that a person types at a terminal, with editing and history.
 *
 * History is STATE/history-NAME, mode 0600: questions are private. Without a
 * state folder none is kept.
 *
 * Memory   A line is borrowed until the next one.
 */

struct err;
struct typed;

int typed_open(struct typed **t, const char *name, const char *prompt,
    struct err *e);
void typed_close(struct typed *t); /* NULL is allowed */

/* 1 and a line; 0 at the end of input (^D). */
int typed_line(struct typed *t, const char **line);

#endif
