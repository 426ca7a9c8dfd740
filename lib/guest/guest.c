#define _GNU_SOURCE
#include "guest/guest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/file.h"
#include "core/frame.h"
#include "core/mem.h"
#include "core/poll.h"
#include "guest/doors.h"
#include "guest/fence.h"
#include "guest/say.h"
#include "guest/tree.h"
#include "guest/work.h"

#define MINE "/tmp/.sophia"
#define FONTS "/usr/lib/sophia/matplotlib"

enum { PATH_ROOM = 4096, CODE_MOST = 4 << 20 };

struct guest {
	struct poll poll;
	struct poll_fd host;
	struct frames frames;
	struct tree tree;
	struct doors doors;
	struct work work;
	bool told, running, alone; /* alone: the host is gone */
	uint64_t limit_ms, bytes, files, language;
	struct buf code;
	struct err failed;
};

static int
take_file(struct guest *g, struct frame x, struct err *e)
{
	char path[PATH_ROOM];
	uint64_t size;

	if (frame_take_number(&x, 8, &size) < 0 || x.len >= sizeof(path) ||
	    memchr(x.data, '\0', x.len))
		return err_set(e, ERR_INPUT, "a file without a path");
	memcpy(path, x.data, x.len);
	path[x.len] = '\0';
	return tree_begin(&g->tree, path, size, e);
}

static int
take_run(struct guest *g, struct frame x, struct err *e)
{
	if (frame_take_number(&x, 4, &g->limit_ms) < 0 ||
	    frame_take_number(&x, 8, &g->bytes) < 0 ||
	    frame_take_number(&x, 4, &g->files) < 0 ||
	    frame_take_number(&x, 1, &g->language) < 0)
		return err_set(e, ERR_INPUT, "a run that says too little");
	g->told = true;
	g->code.limit = CODE_MOST;
	return 0;
}

static int
take_start(struct guest *g, struct err *e)
{
	if (!g->told || g->code.full)
		return err_set(e, ERR_INPUT, "there is no code, or too much");
	if (tree_ready(&g->tree, e) < 0 ||
	    work_start(&g->work, &g->poll, (enum work_language)g->language,
		buf_text(&g->code), g->code.len, g->limit_ms, e) < 0)
		return -1;
	g->running = true;
	return 0;
}

static int
take_answer(struct guest *g, struct frame x, struct err *e)
{
	uint64_t number;

	if (frame_take_number(&x, 2, &number) < 0)
		return err_set(e, ERR_INPUT, "an answer to nobody");
	doors_answer(&g->doors, number, x.data, x.len);
	return 0;
}

static int
take(struct guest *g, const struct frame *x, struct err *e)
{
	if (g->running && x->kind != GUEST_ANSWER)
		return err_set(e, ERR_INPUT, "a frame out of its order");
	switch (x->kind) {
	case GUEST_FILE: return take_file(g, *x, e);
	case GUEST_DATA: return tree_write(&g->tree, x->data, x->len, e);
	case GUEST_RUN: return take_run(g, *x, e);
	case GUEST_CODE: buf_add(&g->code, x->data, x->len); return 0;
	case GUEST_START: return take_start(g, e);
	case GUEST_ANSWER: return take_answer(g, *x, e);
	default: return err_set(e, ERR_INPUT, "a frame of no kind");
	}
}

static void
on_host(void *ctx, short revents)
{
	struct guest *g = ctx;
	char piece[FRAME_MOST];
	struct frame x;
	ssize_t n = read(g->host.fd, piece, sizeof(piece));

	(void)revents;
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		g->alone = true;
		return;
	}
	frames_feed(&g->frames, piece, (size_t)n);
	while (!g->failed.kind && frames_next(&g->frames, &x, &g->failed) > 0)
		take(g, &x, &g->failed);
}

/*
 * Matplotlib wants to write where its list of fonts is, or it makes a new one:
 * let it find the image's list in a folder of its own.
 */
static void
show_fonts(void)
{
	char name[256], from[512], to[512];
	ssize_t n = readlink(FONTS "/current", name, sizeof(name) - 1);

	if (n <= 0)
		return;
	name[n] = '\0';
	snprintf(from, sizeof(from), FONTS "/%s", name);
	snprintf(to, sizeof(to), MINE "/matplotlib/%s", name);
	if (symlink(from, to) == 0)
		setenv("MPLCONFIGDIR", MINE "/matplotlib", 1);
}

static int
prepare(struct guest *g, struct err *e)
{
	if (fence_raise(e) < 0 || file_mkdirs(MINE "/matplotlib", e) < 0 ||
	    tree_open(&g->tree, GUEST_WORKSPACE, e) < 0 ||
	    doors_open(&g->doors, &g->poll, GUEST_SOCKET, e) < 0)
		return -1;
	show_fonts();
	return 0;
}

static int
serve(struct guest *g, struct err *e)
{
	const char version = GUEST_VERSION;

	if (prepare(g, e) < 0)
		return -1;
	g->host = (struct poll_fd){.fd = STDIN_FILENO,
	    .events = POLLIN,
	    .ready = on_host,
	    .ctx = g};
	poll_add(&g->poll, &g->host);
	say(GUEST_READY, NULL, &version, 1);
	while (!g->work.over) {
		if (poll_step(&g->poll, POLL_NEVER, e) < 0)
			return -1;
		if (g->failed.kind) {
			*e = g->failed;
			return -1;
		}
		if (g->alone)
			return err_set(e, ERR_IO, "the host is gone");
	}
	doors_close(&g->doors);
	if (tree_tell(&g->tree, g->bytes, g->files, e) < 0)
		return -1;
	say(GUEST_DONE, NULL, NULL, 0);
	return 0;
}

int
guest_run(void)
{
	struct guest *g = mem_new(sizeof(*g));
	struct err e = {0};
	int result;

	prctl(PR_SET_DUMPABLE, 0);
	result = serve(g, &e);
	if (result < 0)
		fprintf(stderr, "sophia-runner: %s\n", e.text);
	work_stop(&g->work);
	doors_close(&g->doors);
	tree_release(&g->tree);
	frames_release(&g->frames);
	buf_release(&g->code);
	poll_release(&g->poll);
	free(g);
	return result < 0 ? (int)e.kind : 0;
}
