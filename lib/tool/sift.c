#include "tool/sift.h"

#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/child.h"
#include "core/clock.h"
#include "core/confine.h"
#include "core/err.h"
#include "core/file.h"
#include "core/home.h"
#include "core/poll.h"
#include "ext/jq.h"
#include "ext/json.h"
#include "ext/jsonw.h"

enum {
	CPU_S = 5,
	WAIT_MS = 10000,
	MEMORY = 1 << 29,
	LINE_MAX_SIFT = 4 << 20, /* a saved result, and its escapes */
};

struct sift {
	struct child child;
	struct buf *out;
	struct err *e;
	struct buf said; /* the last result that is a text */
	int count;
	bool ended;
};

static void
on_line(void *ctx, const char *text, size_t len, const struct err *bad)
{
	struct sift *s = ctx;
	struct json *root = NULL;

	if (s->e->kind)
		return;
	if (bad) {
		*s->e = *bad;
		return;
	}
	if (json_read(&root, text, len, s->e) == 0) {
		buf_clear(&s->said);
		buf_str(&s->said, json_text(root));
		jsonw_value(s->out, NULL, root);
		s->count++;
	}
	json_free(root);
}

static void
on_end(void *ctx)
{
	struct sift *s = ctx;

	s->ended = true;
}

static int
too_much(struct err *e)
{
	return err_set(e, ERR_REFUSED, "the filter takes too long: %d s",
	    CPU_S);
}

static int
too_long(struct err *e)
{
	return err_set(e, ERR_REFUSED, "the input is too long for a filter");
}

static int
verdict(struct sift *s, struct err *e)
{
	if (s->child.state == CHILD_KILLED &&
	    (s->child.code == SIGXCPU || s->child.code == SIGKILL))
		return too_much(e);
	if (s->child.state == CHILD_KILLED && s->child.code == SIGABRT)
		return err_set(e, ERR_REFUSED,
		    "the filter takes too much memory");
	if (s->child.state == CHILD_EXITED && s->child.code == 1)
		return err_set(e, ERR_INTERNAL, "the filter's process failed");
	if (child_verdict(&s->child, e) < 0)
		return s->said.len
			   ? err_set(e, e->kind, "%s", buf_text(&s->said))
			   : -1;
	return e->kind ? -1 : s->count;
}

static int
run(struct sift *s, struct poll *p, const struct buf *job, struct err *e)
{
	int done;

	if (child_start(&s->child, p, e) < 0 ||
	    child_send(&s->child, buf_text(job), job->len, e) < 0)
		return -1;
	child_end(&s->child);
	done = poll_run(p, &s->ended, clock_boot_ms() + WAIT_MS, e);
	if (done < 0)
		return -1;
	return done ? verdict(s, e) : too_much(e);
}

static void
write_job(struct buf *job, const char *filter, const struct json *input)
{
	jsonw_object(job, NULL);
	jsonw_str(job, "filter", filter);
	jsonw_value(job, "input", input);
	jsonw_end_object(job);
}

int
sift(struct buf *out, const char *filter, const struct json *input,
    struct err *e)
{
	char program[PATH_MAX];
	const char *const argv[] = {program, "--sift", NULL};
	const char *const envp[] = {NULL};
	struct buf job = {.limit = LINE_MAX_SIFT};
	struct poll p = {0};
	struct sift s = {
	    .child = {.what = {.argv = argv,
			  .envp = envp,
			  .cwd = "/",
			  .capture_error = true},
		.queue_limit = LINE_MAX_SIFT + 1,
		.line = on_line,
		.ended = on_end,
		.ctx = &s},
	    .out = out,
	    .e = e,
	};
	int result;

	snprintf(program, sizeof(program), "%s/sophia-tool", home_bin());
	write_job(&job, filter, input);
	if (job.full)
		result = too_long(e);
	else
		result = run(&s, &p, &job, e);
	child_release(&s.child);
	poll_release(&p);
	buf_release(&s.said);
	buf_release(&job);
	return result;
}

static int
read_job(struct buf *b, struct err *e)
{
	int rest = file_read_fd(b, STDIN_FILENO, "reading stdin", ERR_INTERNAL,
	    e);

	return rest > 0 ? too_long(e) : rest;
}

static int
apply(struct buf *out, const struct json *job, struct err *e)
{
	const char *filter = json_string(job, "filter");
	struct buf input = {0};
	struct jq *jq = NULL;
	int result = jq_open(&jq, filter ? filter : "", e);

	jsonw_value(&input, NULL, json_get(job, "input"));
	if (result == 0)
		result = jq_run(jq, buf_text(&input), input.len, out, e);
	jq_close(jq);
	buf_release(&input);
	return result;
}

/*
 * The leak checker of a test build would open files on leaving, and can't: so
 * this leaves at once. The process ends anyway.
 */
void
sift_child(void)
{
	struct buf line = {.limit = LINE_MAX_SIFT + 1};
	struct buf out = {.limit = SIFT_OUTPUT_MAX};
	struct json *job = NULL;
	struct err e = {0};

	if (read_job(&line, &e) == 0 && confine(CPU_S, MEMORY, &e) == 0 &&
	    json_object(&job, buf_text(&line), line.len, &e) == 0)
		apply(&out, job, &e);
	if (e.kind) {
		buf_clear(&out);
		jsonw_str(&out, NULL, e.text);
		buf_char(&out, '\n');
	}
	fwrite(buf_text(&out), 1, out.len, stdout);
	fflush(stdout);
	_exit((int)e.kind);
}
