#include "deliver/wording.h"

#include <string.h>

#include "core/err.h"
#include "discord/buttons.h"
#include "discord/splitter.h"
#include "ext/json.h"
#include "record/answer.h"
#include "record/any.h"
#include "record/error.h"
#include "record/paused.h"
#include "store/parcel.h"

/* Discord may make \n of \r\n, and then what it has is not what was sent. */
static void
add_lines(struct buf *b, const char *text)
{
	for (; *text; text++)
		if (*text != '\r')
			buf_char(b, *text);
		else if (text[1] != '\n')
			buf_char(b, '\n');
}

static int
say_answer(struct wording *w, const struct json *root, struct err *e)
{
	struct answer x;

	if (answer_read(&x, root, e) < 0)
		return -1;
	add_lines(&w->text, x.text);
	return 0;
}

static int
say_paused(struct wording *w, const struct json *root, struct err *e)
{
	struct paused x;

	if (paused_read(&x, root, e) < 0)
		return -1;
	add_lines(&w->text, x.text);
	if (!strstr(x.text, "resume"))
		buf_str(&w->text, "\n\nNothing is lost; resume to go on.");
	w->buttons = BUTTON_RESUME | BUTTON_DETAILS;
	return 0;
}

static int
say_error(struct wording *w, const struct json *root, struct err *e)
{
	struct error x;

	if (error_read(&x, root, e) < 0)
		return -1;
	buf_str(&w->text, "I could not finish this: ");
	add_lines(&w->text, x.text);
	buf_str(&w->text, "\n\nWhat was done is kept; resume to try again.");
	w->buttons = BUTTON_RESUME | BUTTON_DETAILS;
	return 0;
}

static bool
is_blank(const struct buf *text, struct err *e)
{
	struct splitter s = {0};
	struct splitter_part part;
	int row;

	splitter_start(&s, buf_text(text), text->len, SPLITTER_MOST);
	row = splitter_next(&s, &part, e);
	splitter_release(&s);
	return row == 0;
}

void
wording_withheld(struct wording *w, const struct parcel *p)
{
	buf_clear(&w->text);
	w->buttons = BUTTON_DETAILS;
	if (strcmp(p->kind, "answer") !=
	    0) /* else there is nothing to resume */
		w->buttons |= BUTTON_RESUME;
	if (p->hidden || p->direct)
		buf_fmt(&w->text, "I must keep this back: %s.", p->withheld);
	else
		buf_str(&w->text,
		    "I must keep this back: not everyone here may read what "
		    "it rests on. Details says more, to whoever asked.");
}

int
wording_of(struct wording *w, const struct parcel *p, struct err *e)
{
	struct any a = {0};
	int rc;

	buf_clear(&w->text);
	w->buttons = 0;
	rc = any_read(&a, p->record, strlen(p->record), e);
	if (rc == 0 && strcmp(p->kind, "answer") == 0)
		rc = say_answer(w, a.root, e);
	else if (rc == 0 && strcmp(p->kind, "paused") == 0)
		rc = say_paused(w, a.root, e);
	else if (rc == 0)
		rc = say_error(w, a.root, e);
	any_release(&a);
	if (rc == 0 && is_blank(&w->text, e)) {
		buf_clear(&w->text);
		buf_str(&w->text, "There is nothing to say about this.");
	}
	return rc;
}

void
wording_release(struct wording *w)
{
	buf_release(&w->text);
	*w = (struct wording){0};
}
