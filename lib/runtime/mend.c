#include "runtime/mend.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/crash.h"
#include "core/err.h"
#include "core/mem.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/call.h"
#include "runtime/kit.h"
#include "runtime/opening.h"
#include "runtime/session.h"
#include "runtime/shown.h"
#include "store/evidence.h"
#include "store/retract.h"
#include "tool/manifest.h"

static const char reader[] = "retrieve_messages";

/* ---- what is to be done ---- */

static void
add_url(struct mend *m, const char *url)
{
	for (size_t i = 0; i < m->count; i++)
		if (strcmp(m->urls[i], url) == 0)
			return;
	m->urls = mem_resize(m->urls, m->count + 1, sizeof(*m->urls));
	m->urls[m->count++] = mem_dup(url);
}

static void
drop_first(struct mend *m)
{
	free(m->urls[0]);
	memmove(m->urls, m->urls + 1, --m->count * sizeof(*m->urls));
	m->asked = m->answered = false;
	buf_clear(&m->source);
}

/* Nothing that was written from that round on may stay. */
static void
lose_from(struct mend *m, int64_t round)
{
	if (!m->gone || round < m->from)
		m->from = round;
	m->gone = true;
}

void
mend_note(struct session *s, const char *data)
{
	struct mend *m = &s->mend;
	struct json *v = NULL;
	struct err bad = {0};
	const char *url;

	m->due = true;
	if (!data || json_object(&v, data, strlen(data), &bad) < 0)
		return;
	url = json_string(v, "url");
	if (json_bool(v, "deleted", false))
		lose_from(m, json_int(v, "from", 1));
	else if (url)
		add_url(m, url);
	json_free(v);
}

void
mend_lose(struct session *s, int64_t from)
{
	s->mend.due = true;
	lose_from(&s->mend, from);
}

bool
mend_due(const struct session *s)
{
	return s->mend.due;
}

/* ---- fetching it again ---- */

static bool
on_record(void *ctx, const struct json *record)
{
	struct mend *m = ctx;
	const char *type = json_string(record, "type"), *url;
	const struct json *x;

	if (type && strcmp(type, "progress") == 0)
		return false;
	x = json_first(json_get(record, "sources"));
	for (; x; x = json_next(x)) {
		url = json_string(x, "url");
		if (url && strcmp(url, m->urls[0]) == 0 && !m->source.len)
			jsonw_value(&m->source, NULL, x);
	}
	m->answered = true;
	return true;
}

static void
on_failed(void *ctx, const struct err *why)
{
	struct mend *m = ctx;

	(void)why; /* what can't be read is not shown */
	m->answered = true;
}

/* One message alone: it, and nothing before or after it. */
static void
write_arguments(struct buf *b, uint64_t channel, uint64_t message)
{
	jsonw_object(b, NULL);
	jsonw_array(b, "channels");
	jsonw_id(b, NULL, channel);
	jsonw_end_array(b);
	jsonw_id(b, "after", message - 1);
	jsonw_id(b, "before", message + 1);
	jsonw_int(b, "limit", 1);
	jsonw_end_object(b);
}

static int
give(struct session *s, const struct manifest *tool, const char *arguments,
    struct err *e)
{
	struct mend *m = &s->mend;
	const struct crew_post *post = kit_post(s->kit, tool, e);
	const struct call call = {
	    .id = m->id,
	    .capability = reader,
	    .arguments = {.text = arguments},
	    .tier = tool->tier,
	    .context = s->batch.context,
	};
	struct buf line = {0};
	int rc;

	if (!post)
		return -1;
	m->job = (struct crew_job){
	    .id = m->id,
	    .deadline_ms = clock_boot_ms() + (int64_t)tool->time_limit_s * 1000,
	    .line = on_record,
	    .failed = on_failed,
	    .ctx = m,
	};
	call_write(&line, &call);
	rc = crew_give(&s->crew, post, line.data, line.len - 1, &m->job, e);
	buf_release(&line);
	return rc;
}

/* Ask for the first of them. */
static void
ask(struct session *s)
{
	struct mend *m = &s->mend;
	const struct manifest *tool = kit_find(s->kit, reader);
	struct buf arguments = {0};
	uint64_t channel, message;
	struct err bad = {0};

	m->asked = true;
	snprintf(m->id, sizeof(m->id), "%s.again", s->runner.task);
	if (!tool || !tombstone_ids(m->urls[0], &channel, &message)) {
		m->answered = true;
		return;
	}
	write_arguments(&arguments, channel, message);
	if (give(s, tool, buf_text(&arguments), &bad) < 0)
		on_failed(m, &bad);
	buf_release(&arguments);
}

/* ---- what is stored with the task ---- */

static int
store_new(struct session *s, struct err *e)
{
	struct mend *m = &s->mend;
	struct json *source = NULL;
	int rc = json_object(&source, buf_text(&m->source), m->source.len, e);

	if (rc == 0)
		rc = evidence_renew(&s->store, s->runner.task, source, e);
	json_free(source);
	m->changed |= rc > 0;
	return rc;
}

static int
store_gap(struct session *s, struct err *e)
{
	struct mend *m = &s->mend;
	uint64_t channel, message;
	int64_t from;
	int had;

	if (!tombstone_ids(m->urls[0], &channel, &message))
		return 0;
	had = retract_from(&s->store, s->runner.task, message, &from, e);
	if (had > 0)
		lose_from(m, from);
	return had < 0 ? -1 : 0;
}

/* The first one was asked for: keep what came. */
static int
take_answer(struct session *s, struct err *e)
{
	int rc = store_begin(&s->store, e);

	if (rc == 0)
		rc = s->mend.source.len ? store_new(s, e) : store_gap(s, e);
	CRASH_POINT("mend.keep");
	if (rc < 0)
		store_rollback(&s->store);
	else
		rc = store_commit(&s->store, e);
	CRASH_POINT("mend.keep.done");
	drop_first(&s->mend);
	return rc;
}

/* ---- what the model is shown ---- */

/* The call that a result is of: TASK.N. */
static int64_t
number_of(const char *stored)
{
	const char *dot = strrchr(stored, '.');

	return dot ? strtoll(dot + 1, NULL, 10) : 0;
}

static int
show_again(struct session *s, size_t i, const char *stored, struct err *e)
{
	struct buf record = {0}, text = {0};
	struct json *v = NULL;
	int rc = runner_output(&s->runner, number_of(stored), &record, e);

	if (rc == 0 && record.len)
		rc = json_object(&v, buf_text(&record), record.len, e);
	if (rc == 0 && v) {
		shown_write(&text, v, stored);
		dialog_replace(&s->dialog, i, buf_text(&text));
		citations_add(&s->citations, json_get(v, "sources"));
	}
	json_free(v);
	buf_release(&record);
	buf_release(&text);
	return rc;
}

static int
show_results(struct session *s, struct err *e)
{
	int rc = 0;

	for (size_t i = s->opened; i < s->dialog.count && rc == 0; i++) {
		const char *stored = dialog_stored(&s->dialog, i);

		if (stored)
			rc = show_again(s, i, stored, e);
	}
	return rc;
}

/* What stands before the request, and it: from the store, as it is now. */
static int
show_opening(struct session *s, struct err *e)
{
	struct dialog fresh = {.inputs = s->dialog.inputs};
	struct buf record = {0};
	struct any line = {0};
	struct turn turn;
	int rc = runner_turn(&s->runner, &record, e);

	if (rc == 0)
		rc = any_read(&line, buf_text(&record), record.len, e);
	if (rc == 0)
		rc = turn_read(&turn, line.root, e);
	if (rc == 0)
		rc = opening_write(&fresh, &turn, &s->runner, &s->settings, e);
	if (rc == 0) {
		size_t count = fresh.count;

		dialog_reopen(&s->dialog, s->opened, &fresh);
		s->opened = count;
	}
	dialog_release(&fresh);
	any_release(&line);
	buf_release(&record);
	return rc;
}

static void
on_gone(void *ctx, const char *url)
{
	struct session *s = ctx;

	citations_drop(&s->citations, url);
}

static bool
is_tool(void *ctx, const char *name)
{
	struct session *s = ctx;

	return kit_find(s->kit, name) != NULL;
}

static int
show(struct session *s, struct err *e)
{
	struct mend *m = &s->mend;

	if (!m->gone && !m->changed)
		return 0;
	if (m->gone &&
	    (show_opening(s, e) < 0 ||
		evidence_gone(&s->store, s->runner.task, on_gone, s, e) < 0))
		return -1;
	if (show_results(s, e) < 0)
		return -1;
	if (m->gone)
		dialog_gap(&s->dialog, s->opened, m->from, is_tool, s);
	dialog_add(&s->dialog, ROLE_USER, "note",
	    m->gone ? "A source that was shown is deleted, or may not be read "
		      "any more. It is marked gone above, and what rested on "
		      "it is left out: don't rely on it, and don't link it."
		    : "A message that was shown has been edited. It stands "
		      "above as it is now.");
	return 0;
}

int
mend_go(struct session *s, struct err *e)
{
	struct mend *m = &s->mend;

	while (m->count) {
		if (!m->asked)
			ask(s);
		if (!m->answered)
			return 0;
		if (take_answer(s, e) < 0)
			return -1;
	}
	if (show(s, e) < 0)
		return -1;
	m->due = m->gone = m->changed = false;
	s->state = SESSION_THINK;
	return 0;
}

void
mend_release(struct session *s)
{
	struct mend *m = &s->mend;

	crew_cancel(&m->job);
	while (m->count)
		free(m->urls[--m->count]);
	free(m->urls);
	buf_release(&m->source);
	*m = (struct mend){0};
}
