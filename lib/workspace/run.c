#include "workspace/run.h"

#include <string.h>

#include "core/clock.h"
#include "guest/guest.h"
#include "workspace/leftover.h"
#include "workspace/spare.h"

const struct container_limits run_limits = {
    .memory_mb = 1024,
    .files_mb = 256,
    .processes = 128,
    .cpus = 1,
};

enum { PIECE = FRAME_MOST - 16 };

char
run_language(const char *word)
{
	static const char *const words[] = {"python", "javascript", "shell"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcmp(word, words[i]) == 0)
			return *word;
	return 0;
}

char
run_language_of(const char *file)
{
	const char *end = strrchr(file, '.');

	if (end && strcmp(end, ".js") == 0)
		return 'j';
	return end && strcmp(end, ".sh") == 0 ? 's' : 'p';
}

static void
fail(struct run *r, enum err_kind kind, const char *why)
{
	if (!r->failed.kind)
		err_set(&r->failed, kind, "%s", why);
	container_stop(&r->container);
}

static void
set_deadline(struct run *r, int64_t wait_ms)
{
	poll_set_timer(r->poll, &r->deadline, clock_boot_ms() + wait_ms);
}

static void
end_late(struct run *r)
{
	r->stopped = true;
	fail(r, ERR_AGAIN,
	    r->how ? "the container kept its files too long"
		   : "the code ran too long, and was ended");
}

static void
on_deadline(void *ctx)
{
	struct run *r = ctx;

	if (!r->container.ready)
		fail(r, ERR_AGAIN, "the container did not start in time");
	else
		end_late(r);
}

static void
on_began(void *ctx)
{
	struct run *r = ctx;

	set_deadline(r, (int64_t)r->time_s * 1000 + RUN_GRACE_MS);
}

static void
take_print(struct run *r, bool error, const struct frame *x)
{
	uint64_t *sum = error ? &r->err_bytes : &r->out_bytes;
	const uint64_t most = r->print_most ? r->print_most : RUN_PRINT_MOST;
	const uint64_t room = *sum < most ? most - *sum : 0;

	*sum += x->len;
	if (room && r->printed)
		r->printed(r->ctx, error, x->data,
		    x->len < room ? x->len : (size_t)room);
	if (*sum > RUN_FLOOD)
		fail(r, ERR_REFUSED, "the code printed more than 64 MiB");
}

static void
answer(struct run *r, uint64_t connection, const struct buf *b)
{
	struct buf piece = {0};

	for (size_t at = 0; at < b->len; at += PIECE) {
		const size_t left = b->len - at;

		buf_clear(&piece);
		frame_add_number(&piece, connection, 2);
		buf_add(&piece, b->data + at, left < PIECE ? left : PIECE);
		container_send(&r->container, GUEST_ANSWER, piece.data,
		    piece.len);
	}
	buf_release(&piece);
}

static void
take_ask(struct run *r, struct frame x)
{
	struct buf b = {.limit = HANDOVER_WAITING};
	struct err why = {0};
	uint64_t connection;

	if (frame_take_number(&x, 2, &connection) < 0)
		fail(r, ERR_REFUSED, "the container asked on no connection");
	else if (handover_hear(&r->handover, connection, x.data, x.len, &b,
		     &why) < 0)
		fail(r, why.kind, why.text);
	else if (b.full || container_waiting(&r->container) > HANDOVER_WAITING)
		fail(r, ERR_REFUSED, "the code asked for more than it read");
	else
		answer(r, connection, &b);
	buf_release(&b);
}

static void
take_hang(struct run *r, struct frame x)
{
	uint64_t connection;

	if (frame_take_number(&x, 2, &connection) < 0)
		fail(r, ERR_REFUSED, "the container closed no connection");
	else
		handover_hang(&r->handover, connection);
}

static void
take_exit(struct run *r, const struct frame *x)
{
	if (x->len != 2 || !strchr("est", *x->data) || !*x->data) {
		fail(r, ERR_REFUSED, "the code ended in no known way");
		return;
	}
	r->how = *x->data == 'e'   ? RUN_EXITED
		 : *x->data == 's' ? RUN_SIGNALLED
				   : RUN_LATE;
	r->status = (unsigned char)x->data[1];
	r->container.patient = r->how == RUN_LATE;
	handover_release(&r->handover);
	set_deadline(r, RUN_EXPORT_MS);
}

static void
take_while_running(struct run *r, const struct frame *x)
{
	switch (x->kind) {
	case GUEST_OUT: take_print(r, false, x); break;
	case GUEST_ERR: take_print(r, true, x); break;
	case GUEST_ASK: take_ask(r, *x); break;
	case GUEST_HANG: take_hang(r, *x); break;
	case GUEST_EXIT: take_exit(r, x); break;
	default: fail(r, ERR_REFUSED, "the container spoke out of turn");
	}
}

static void
on_frame(void *ctx, const struct frame *x)
{
	struct run *r = ctx;
	struct err why = {0};

	if (!r->how) {
		take_while_running(r, x);
	} else if (x->kind == GUEST_DONE) {
		if (harvest_end(&r->harvest, &why) < 0)
			fail(r, why.kind, why.text);
	} else if (harvest_take(&r->harvest, x, &why) < 0) {
		fail(r, why.kind, why.text);
	}
}

/* What became of it, if the container itself was well. */
static void
judge(struct run *r)
{
	if (r->how == RUN_LATE)
		err_set(&r->failed, ERR_AGAIN,
		    "the code ran longer than %d s, and was ended", r->time_s);
	else if (r->how == RUN_SIGNALLED)
		err_set(&r->failed, ERR_REFUSED,
		    "the code was killed by signal %d%s", r->status,
		    r->status == 9 ? ", maybe for its memory" : "");
	else if (!r->how)
		err_set(&r->failed, ERR_REFUSED,
		    "the container never ran the code");
}

static void
on_ended(void *ctx, const struct err *why)
{
	struct run *r = ctx;

	poll_stop_timer(&r->deadline);
	if (!r->failed.kind && why)
		r->failed = *why;
	if (!r->failed.kind)
		judge(r);
	if (r->how == RUN_LATE || r->failed.kind == ERR_REFUSED)
		r->stopped = true;
	r->ended(r->ctx, r->failed.kind ? &r->failed : NULL);
}

static void
send_pieces(struct run *r, unsigned char kind, const char *bytes, size_t len)
{
	for (size_t at = 0; at < len; at += PIECE)
		container_send(&r->container, kind, bytes + at,
		    len - at < PIECE ? len - at : PIECE);
}

static void
send_all(struct run *r)
{
	struct buf head = {0};

	for (size_t i = 0; i < r->files->count; i++) {
		const struct bundle_file *f = &r->files->files[i];

		buf_clear(&head);
		frame_add_number(&head, f->bytes.len, 8);
		buf_str(&head, f->path);
		container_send(&r->container, GUEST_FILE, head.data, head.len);
		send_pieces(r, GUEST_DATA, f->bytes.data, f->bytes.len);
	}
	buf_clear(&head);
	frame_add_number(&head, (uint64_t)r->time_s * 1000, 4);
	frame_add_number(&head, BUNDLE_BYTES_MOST, 8);
	frame_add_number(&head, BUNDLE_FILES_MOST, 4);
	buf_char(&head, r->language);
	container_send(&r->container, GUEST_RUN, head.data, head.len);
	send_pieces(r, GUEST_CODE, r->code, r->len);
	container_send(&r->container, GUEST_START, NULL, 0);
	buf_release(&head);
}

int
run_start(struct run *r, struct poll *p, struct err *e)
{
	const struct container_limits *limits = r->limits ? r->limits
							  : &run_limits;
	char label[64];

	if (r->len > RUN_CODE_MOST)
		return err_set(e, ERR_INPUT, "code of more than 4 MiB");
	if (leftover_label(label, e) < 0 || leftover_sweep(r->engine, e) < 0)
		return -1;
	r->poll = p;
	r->harvest = (struct harvest){.before = r->files};
	r->deadline = (struct poll_timer){.fire = on_deadline, .ctx = r};
	r->container = (struct container){.poll = p,
	    .began = on_began,
	    .heard = on_frame,
	    .ended = on_ended,
	    .ctx = r};
	if (spare_take(&r->container, r->engine, r->image, limits) == 0)
		on_began(r);
	else if (container_start(&r->container, r->engine, r->image, label,
		     limits, e) == 0)
		set_deadline(r, RUN_START_MS);
	else
		return -1;
	send_all(r);
	return 0;
}

void
run_cancel(struct run *r)
{
	fail(r, ERR_AGAIN, "it was cancelled");
}

void
run_release(struct run *r)
{
	poll_stop_timer(&r->deadline);
	container_release(&r->container);
	handover_release(&r->handover);
	harvest_release(&r->harvest);
}
