#include "runtime/deeds.h"

#include <inttypes.h>
#include <string.h>

#include "core/buf.h"
#include "core/utf8.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "runtime/dialog.h"
#include "store/receipt.h"

enum { DEEDS_MAX = 16 << 10, TEXT_MAX = 1000 };

static void
put_some(struct buf *b, const char *key, const char *text)
{
	if (text && *text)
		jsonw_strn(b, key, text,
		    utf8_cut(text, strlen(text), TEXT_MAX));
}

/* What its tool said: a summary, or why not. */
static void
put_outcome(struct buf *b, const char *outcome)
{
	struct json *root = NULL;
	struct err none = {0};
	const char *text;

	if (!outcome || json_object(&root, outcome, strlen(outcome), &none) < 0)
		return;
	text = json_string(root, "summary");
	put_some(b, "outcome", text ? text : json_string(root, "text"));
	json_free(root);
}

static void
put_deed(struct buf *b, const struct receipt *r)
{
	struct buf id = {0};

	buf_fmt(&id, "%s.%" PRId64, r->task, r->call);
	jsonw_object(b, NULL);
	jsonw_str(b, "call", buf_text(&id));
	jsonw_str(b, "capability", r->capability);
	put_some(b, "change", r->text);
	jsonw_str(b, "state", receipt_word(r->state));
	put_outcome(b, r->outcome);
	if (r->settled != SETTLED_NOT) {
		jsonw_str(b, "settled",
		    r->happened ? "it happened" : "it did not happen");
		put_some(b, "finding", r->finding);
	}
	jsonw_line(b);
	buf_release(&id);
}

int
deeds_tell(struct dialog *d, struct store *s, const char *task, struct err *e)
{
	struct buf lines = {0}, text = {0};
	struct receipt_scan scan = {0};
	struct receipt r;
	int row;

	receipt_list(&scan, s, task, false);
	while ((row = receipt_next(&scan, &r, e)) > 0)
		put_deed(&lines, &r);
	receipt_stop(&scan);
	if (lines.len > DEEDS_MAX) {
		const char *cut = strchr(lines.data + (lines.len - DEEDS_MAX),
		    '\n');

		buf_drop(&lines, (size_t)(cut + 1 - lines.data));
	}
	if (row == 0 && lines.len) {
		buf_fmt(&text, "[source: changes of earlier turns]\n%s",
		    lines.data);
		dialog_add(d, ROLE_USER, "source", buf_text(&text));
	}
	buf_release(&lines);
	buf_release(&text);
	return row;
}
