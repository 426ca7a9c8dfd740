#include "workspace/tool_import.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/index.h"
#include "core/buf.h"
#include "core/crash.h"
#include "core/err.h"
#include "core/path.h"
#include "discord/rest.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/call.h"
#include "record/source.h"
#include "store/base.h"
#include "store/content.h"
#include "store/file.h"
#include "store/filelock.h"
#include "store/task.h"
#include "tool/serve.h"
#include "workspace/attached.h"
#include "core/media.h"
#include "workspace/original.h"

enum { LOCK_MS = 30000, ID = 24 };

struct import {
	const struct call *call;
	const char *path;
	struct store tasks;
	struct attached at;
	struct original original;
	const char *media; /* by its bytes */
	struct buf link;
	char revision[MESSAGE_REVISION], channel[ID], id[ID];
};

static int64_t
number_of(const struct call *call)
{
	const char *dot = strrchr(call->id, '.');

	return dot ? strtoll(dot + 1, NULL, 10) : 0;
}

/* In one view of the index, which is let go before anything is fetched. */
static int
find(struct import *x, struct err *e)
{
	const struct json *in = x->call->arguments.tree;
	struct store messages = {0};
	struct db *index;
	int result = index_open(&messages, &index, e);

	if (result == 0)
		result = attached_find(&x->at, &x->tasks, index,
		    &x->call->context, json_string(in, "attachment_id"),
		    json_string(in, "message_url"), e);
	store_close(&messages);
	return result;
}

/* What the message is, as a source and for the file's own row. */
static void
name_source(struct import *x)
{
	struct message *m = &x->original.message;

	snprintf(x->id, sizeof(x->id), "%" PRIu64, x->at.id);
	if (!x->at.message) { /* the address without its signature */
		buf_add(&x->link, x->at.url, strcspn(x->at.url, "?"));
		return;
	}
	m->guild.id = x->at.guild;
	m->channel.id = x->at.channel;
	m->channel.name = x->at.place ? x->at.place : "";
	message_link(&x->link, m);
	message_revision(x->revision, m);
	snprintf(x->channel, sizeof(x->channel), "%" PRIu64, x->at.channel);
}

static int
fetch(struct import *x, struct serve_talk *t, struct err *e)
{
	const struct buf *bytes = &x->original.file.bytes;

	if (rest_open(&x->original.rest, t->poll, e) < 0)
		return -1;
	x->original.stop = &t->given_up;
	if (original_message(&x->original, &x->at, e) < 0 ||
	    original_file(&x->original, e) < 0)
		return -1;
	x->media = media_type(buf_text(bytes), bytes->len, x->path);
	name_source(x);
	return 0;
}

/* Within a turn. */
static int
put(struct import *x, struct err *e)
{
	const struct buf *bytes = &x->original.file.bytes;
	const bool said = x->at.message != 0;
	const struct file_origin from = {
	    .kind = FILE_IMPORT,
	    .call = number_of(x->call),
	    .url = buf_text(&x->link),
	    .revision = said ? x->revision : NULL,
	    .channel = said ? x->channel : NULL,
	    .attachment = x->id,
	};

	if (task_may_keep(&x->tasks, &x->call->context, e) < 0)
		return -1;
	return file_put(&x->tasks, x->call->context.task, x->path, x->media,
	    buf_text(bytes), bytes->len, &from, e);
}

static int
commit(struct import *x, struct err *e)
{
	if (store_begin(&x->tasks, e) < 0)
		return -1;
	if (put(x, e) < 0) {
		store_rollback(&x->tasks);
		return -1;
	}
	CRASH_POINT("import.write");
	if (store_commit(&x->tasks, e) < 0)
		return -1;
	CRASH_POINT("import.write.done");
	return 0;
}

static int
keep(struct import *x, struct err *e)
{
	const struct buf *bytes = &x->original.file.bytes;
	struct content_stage stage = {0};
	struct lock lock = {0};
	int got = filelock_try(&lock, x->call->context.task, LOCK_MS, e);

	if (got == 0)
		return err_set(e, ERR_AGAIN,
		    "another call changes the files of this task");
	if (got > 0)
		got = content_stage(&stage, buf_text(bytes), bytes->len, e);
	if (got == 0)
		got = commit(x, e);
	content_unstage(&stage);
	if (got == 0)
		content_tidy(&x->tasks); /* of what it took the place of */
	lock_drop(&lock);
	return got;
}

static void
tell(const struct import *x, struct answer_parts *a)
{
	const size_t len = x->original.file.bytes.len;
	struct buf *d = &a->data;

	jsonw_array(&a->sources, NULL);
	if (x->at.message)
		source_of_message(&a->sources, &x->original.message);
	jsonw_end_array(&a->sources);
	jsonw_object(d, NULL);
	jsonw_str(d, "path", x->path);
	jsonw_int(d, "size", (int64_t)len);
	jsonw_str(d, "media", x->media);
	jsonw_str(d, "attachment", x->id);
	jsonw_str(d, "filename", x->original.name);
	if (x->at.message)
		jsonw_str(d, "message", buf_text(&x->link));
	jsonw_end_object(d);
	buf_fmt(&a->summary, "%s is there: %s, %zu bytes", x->path, x->media,
	    len);
}

static int
run(struct import *x, struct serve_talk *t, struct answer_parts *a,
    struct err *e)
{
	if (store_open(&x->tasks, "tasks", STORE_WRITE, e) < 0 ||
	    task_at_work(&x->tasks, &x->call->context, e) < 0 ||
	    find(x, e) < 0 || fetch(x, t, e) < 0 || keep(x, e) < 0)
		return -1;
	tell(x, a);
	return 0;
}

int
tool_import(void *ctx, struct serve_talk *t, struct answer_parts *a,
    struct err *e)
{
	struct import x = {
	    .call = t->call,
	    .path = json_string(t->call->arguments.tree, "path"),
	};
	int result;

	(void)ctx;
	if (!x.path)
		return err_set(e, ERR_INPUT, "path is missing");
	if (path_check(x.path, strlen(x.path), e) < 0)
		return -1;
	result = run(&x, t, a, e);
	original_release(&x.original);
	rest_close(x.original.rest);
	attached_release(&x.at);
	buf_release(&x.link);
	store_close(&x.tasks);
	return result;
}
