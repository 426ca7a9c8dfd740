#include "history/import.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "history/head.h"
#include "history/input.h"
#include "history/import_turn.h"
#include "store/base.h"
#include "store/coverage.h"

enum { READ_BYTES = 256 << 10 };

int
import_open(struct import *im, struct store *base, struct err *e)
{
	im->base = base;
	if (db_exec(&base->db, "PRAGMA wal_autocheckpoint = 0", e) < 0)
		return -1;
	return messages_open(&im->messages, base, e);
}

void
import_close(struct import *im)
{
	messages_close(&im->messages);
	import_settle(im);
	split_release(&im->split);
	hold_release(&im->hold);
	message_release(&im->message);
	archive_release(&im->archive);
}

static void
skip(struct import *im, enum summary_skip why, size_t line, uint64_t byte,
    const struct err *e)
{
	if (!im->sum->skipped[why]++ && !im->sum->first.kind && e)
		err_set(&im->sum->first, ERR_INPUT,
		    "line %zu, byte %" PRIu64 ": %s", line, byte, e->text);
}

static int
read_held(struct import *im, const struct held *item, struct err *e)
{
	return archive_read(&im->archive, item->kind,
	    im->hold.bytes.data + item->at, item->len, &im->message, e);
}

/* Tell the language of the channel that a message held back is the first of. */
static int
learn(struct import *im, size_t i, struct err *e)
{
	struct hold *h = &im->hold;
	const char *language;

	if (hold_language(h, i, im->messages.tokens.text, &language, e) < 0)
		return -1;
	if (!*language)
		return 0;
	if (import_begin(im, e) < 0 || read_held(im, &h->items[i], e) < 0)
		return -1;
	return messages_set_language(&im->messages, &im->message, language, e);
}

/* Tell the languages of the channels held back, then put their messages. */
static int
let_go(struct import *im, struct err *e)
{
	struct hold *h = &im->hold;

	for (size_t i = 0; i < h->count; i++)
		if (hold_first(h, i) && learn(im, i, e) < 0)
			return -1;
	for (size_t i = 0; i < h->count; i++) {
		im->done = h->items[i].begin;
		if (read_held(im, &h->items[i], e) < 0 ||
		    import_put(im, &im->message, e) < 0)
			return -1;
	}
	hold_clear(h);
	return 0;
}

/* Whether the language of the message's channel is still to be told. */
static int
must_hold(struct import *im, const struct message *m, struct err *e)
{
	char language[CHANNEL_LANGUAGE];
	int known = channels_language(&im->messages.channels, &im->base->db,
	    m->channel.id, language, e);

	return known < 0 ? -1 : !known;
}

static int
take_object(struct import *im, const struct split_item *item, struct err *e)
{
	struct err why = {0};
	int hold, got;

	got = archive_read(&im->archive, item->kind, item->text, item->len,
	    &im->message, &why);
	if (got <= 0) {
		skip(im, got < 0 ? SKIP_MALFORMED : SKIP_OTHER, item->line,
		    item->byte, got < 0 ? &why : NULL);
		return 0;
	}
	hold = must_hold(im, &im->message, e);
	if (hold < 0)
		return -1;
	if (!hold) {
		if (!im->hold.count)
			im->done = item->byte;
		return import_put(im, &im->message, e);
	}
	hold_add(&im->hold, item, &im->message);
	return hold_full(&im->hold) ? let_go(im, e) : 0;
}

/* An export's head; where it comes after the messages, look for it there. */
static int
take_head(struct import *im, const struct split_item *item, struct err *e)
{
	struct err why = {0};

	if (archive_head(&im->archive, item->text, item->len, &why) == 0)
		return 0;
	return head_find(&im->archive, im->fd, e) < 0 ? -1 : 0;
}

/* What was put by an import that broke off: only its place counts. */
static void
take_again(struct import *im, const struct split_item *item)
{
	struct err why = {0};

	if (!im->first && item->kind == SPLIT_MESSAGE &&
	    archive_read(&im->archive, item->kind, item->text, item->len,
		&im->message, &why) > 0)
		import_widen(im, &im->message);
}

static int
take(struct import *im, const struct split_item *item, struct err *e)
{
	static const struct err longer = {.text = "longer than 8 MiB"};

	if (item->kind == SPLIT_HEAD)
		return let_go(im, e) < 0 ? -1 : take_head(im, item, e);
	if (item->end <= (uint64_t)im->mark.offset) {
		take_again(im, item);
		return 0;
	}
	if (item->kind != SPLIT_TOO_LONG)
		return take_object(im, item, e);
	skip(im, SKIP_LONG, item->line, item->byte, &longer);
	return 0;
}

/* Nobody may wait for us while we wait for a pipe. */
static int
before_read(struct import *im, struct err *e)
{
	struct pollfd p = {.fd = im->fd, .events = POLLIN};

	return import_over(im) || poll(&p, 1, 0) == 0 ? import_end(im, e) : 0;
}

/* Read on: 1, 0 at the end of the file, -1. */
static int
read_more(struct import *im, struct err *e)
{
	ssize_t n;

	if (before_read(im, e) < 0)
		return -1;
	do
		n = read(im->fd, split_room(&im->split, READ_BYTES),
		    READ_BYTES);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return err_sys(e, ERR_IO, "reading");
	if (n)
		split_wrote(&im->split, (size_t)n);
	im->sum->bytes += n;
	return n > 0;
}

/*
 * Take all there is. What goes wrong in the file does not keep us from putting
 * and committing what came before.
 */
static int
take_all(struct import *im, struct err *e)
{
	struct split_item item;
	int more, got = 0;

	while ((more = read_more(im, e)) > 0) {
		while ((got = split_next(&im->split, &item, e)) > 0)
			if (take(im, &item, e) < 0)
				return -1;
		if (got < 0)
			break;
	}
	if (more == 0)
		got = split_end(&im->split, e);
	if (more < 0 && e->kind != ERR_IO)
		return -1;
	return more < 0 || got < 0 ? 1 : 0;
}

/* Commit the rest; the file was read to its end if it was whole. */
static int
finish(struct import *im, bool whole, struct err *e)
{
	if (let_go(im, e) < 0 || import_begin(im, e) < 0)
		return -1;
	if (whole) {
		im->done = im->split.base + im->split.at;
		im->mark.done = true;
	}
	if (whole && im->first && im->archive.head.channel.id &&
	    coverage_add(&im->base->db, im->archive.head.channel.id, im->first,
		im->last, "import", e) < 0)
		return -1;
	if (authors_flush(&im->messages.authors, &im->base->db, e) < 0)
		return -1;
	return import_end(im, e);
}

static int
run(struct import *im, struct err *e)
{
	struct err broken = {0}, why = {0};
	int got = take_all(im, &broken);

	if (got >= 0 && finish(im, got == 0, &why) < 0) {
		*e = why;
		got = -1;
	} else if (got) {
		*e = broken;
	}
	import_drop(im);
	return got ? -1 : 0;
}

static void
reset(struct import *im)
{
	struct archive archive = {.format = im->archive.format,
	    .guild = im->archive.guild};

	archive_release(&im->archive);
	im->archive = archive;
	split_release(&im->split);
	hold_clear(&im->hold);
	im->mark = (struct mark){0};
	im->first = im->last = im->done = 0;
	im->total = 0;
	*im->generation = '\0';
}

/* Open it; 1 if it was read to its end before and that is enough. */
static int
open_file(struct import *im, const char *path, char canonical[PATH_MAX],
    struct err *e)
{
	im->fd = input_open(&im->mark, canonical, path, e);
	im->total = im->mark.size;
	if (im->fd < 0)
		return -1;
	if (!im->mark.path || !im->resume)
		return 0;
	if (mark_find(&im->base->db, &im->mark, e) < 0)
		return -1;
	return im->mark.done;
}

int
import_file(struct import *im, const char *path, struct summary *sum,
    struct err *e)
{
	const int64_t start_ms = clock_boot_ms();
	char canonical[PATH_MAX];
	int result;

	*sum = (struct summary){.file = path};
	reset(im);
	im->sum = sum;
	result = open_file(im, path, canonical, e);
	sum->before = result > 0;
	if (result == 0)
		result = run(im, e);
	if (im->fd > STDIN_FILENO)
		close(im->fd);
	im->fd = 0;
	im->mark.path = NULL;
	sum->elapsed_ms = clock_boot_ms() - start_ms;
	return result < 0 ? err_in(e, "%s", path) : 0;
}
