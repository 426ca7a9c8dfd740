#include "core/filter.h"

#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/log.h"

/* 1, 0 at the end of input, -1 if it was longer than the limit of b. */
static int
filter_line(FILE *in, struct buf *b)
{
	int c;

	buf_clear(b);
	while ((c = getc_unlocked(in)) != EOF && c != '\n')
		buf_char(b, (char)c);
	if (b->full)
		return -1;
	return c == '\n' || b->len ? 1 : 0;
}

/* Handle the line in b. Returns its answers, or -1 with *e. */
static int
handle(struct buf *b, int got, filter_fn *each, void *ctx, struct err *e)
{
	if (got < 0)
		return err_set(e, ERR_INPUT, "longer than %zu bytes", b->limit);
	if (b->len && memchr(b->data, '\0', b->len))
		return err_set(e, ERR_INPUT, "holds a NUL byte");
	return each(ctx, buf_text(b), b->len, e);
}

int
filter_run(FILE *in, size_t line_max, filter_fn *each, void *ctx, struct err *e)
{
	struct buf line = {.limit = line_max};
	size_t number = 0, bad = 0;
	int found = 0, got;

	while ((got = filter_line(in, &line)) != 0) {
		int n = handle(&line, got, each, ctx, e);

		number++;
		if (n < 0) {
			err_in(e, "line %zu", number);
			if (e->kind != ERR_INPUT)
				break;
			log_complain(e);
			*e = (struct err){0};
			bad++;
			continue;
		}
		found += n;
		if (fflush(stdout) != 0) {
			err_sys(e, ERR_IO, "writing stdout");
			break;
		}
	}
	if (!e->kind && ferror(in))
		err_sys(e, ERR_IO, "reading stdin");
	if (!e->kind && bad)
		err_set(e, ERR_INPUT, "%zu bad records", bad);
	buf_release(&line);
	return e->kind ? -1 : found;
}
