#include "discord/ballot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ext/jsonw.h"

/* Types of components, and styles. */
enum { ROW = 1, BUTTON = 2, SELECT = 3, INPUT = 4, LABEL = 18 };
enum { PRIMARY = 1, SECONDARY = 2, SUCCESS = 3, DANGER = 4, LONG = 2 };

static const char prefix[] = "ask.";

static const struct verb {
	const char *word, *label;
	int style;
	bool paged;
} verbs[] = {
    [BALLOT_APPROVE] = {"approve", "Approve", SUCCESS, false},
    [BALLOT_DENY] = {"deny", "Deny", SECONDARY, false},
    [BALLOT_CORRECT] = {"correct", "Correct\xe2\x80\xa6", PRIMARY, false},
    [BALLOT_STOP] = {"stop", "Stop", DANGER, false},
    [BALLOT_SURE] = {"sure", "Yes, do it for good", DANGER, false},
    [BALLOT_BACK] = {"back", "Back", SECONDARY, false},
    [BALLOT_PAGE] = {"page", NULL, SECONDARY, true},
    [BALLOT_ITEMS] = {"items", NULL, 0, true},
    [BALLOT_KINDS] = {"kinds", NULL, 0, true},
};

enum { VERBS = sizeof(verbs) / sizeof(verbs[0]) };

void
ballot_id(char to[BALLOT_ID], enum ballot_verb verb, size_t page,
    const char *id)
{
	if (verbs[verb].paged)
		snprintf(to, BALLOT_ID, "%s%s%zu:%s", prefix, verbs[verb].word,
		    page % 10000, id);
	else
		snprintf(to, BALLOT_ID, "%s%s:%s", prefix, verbs[verb].word,
		    id);
}

/* The page that the digits at `at` say, up to the colon; or -1. */
static long
page_of(const char *at)
{
	const size_t digits = strspn(at, "0123456789");

	if (!digits || digits > 4 || at[digits] != ':')
		return -1;
	return strtol(at, NULL, 10);
}

enum ballot_verb
ballot_read(const char *custom_id, char id[ID_LEN + 1], size_t *page)
{
	const char *colon = strchr(custom_id, ':');

	*page = 0;
	if (!colon || !id_valid(colon + 1) ||
	    strncmp(custom_id, prefix, sizeof(prefix) - 1) != 0)
		return BALLOT_NONE;
	custom_id += sizeof(prefix) - 1;
	snprintf(id, ID_LEN + 1, "%s", colon + 1);
	for (int i = BALLOT_APPROVE; i < VERBS; i++) {
		const size_t len = strlen(verbs[i].word);
		long n = 0;

		if (strncmp(custom_id, verbs[i].word, len) != 0)
			continue;
		if (verbs[i].paged)
			n = page_of(custom_id + len);
		if (n < 0 || (!verbs[i].paged && custom_id + len != colon))
			return BALLOT_NONE;
		*page = (size_t)n;
		return (enum ballot_verb)i;
	}
	return BALLOT_NONE;
}

static void
begin_row(struct buf *b)
{
	jsonw_object(b, NULL);
	jsonw_int(b, "type", ROW);
	jsonw_array(b, "components");
}

static void
end_row(struct buf *b)
{
	jsonw_end_array(b);
	jsonw_end_object(b);
}

static void
button(struct buf *b, const struct ballot *x, enum ballot_verb verb,
    size_t page, const char *label)
{
	char id[BALLOT_ID];

	ballot_id(id, verb, page, x->id);
	jsonw_object(b, NULL);
	jsonw_int(b, "type", BUTTON);
	jsonw_int(b, "style", verbs[verb].style);
	jsonw_str(b, "label", label ? label : verbs[verb].label);
	jsonw_str(b, "custom_id", id);
	jsonw_end_object(b);
}

static void
menu(struct buf *b, const struct ballot *x, enum ballot_verb verb,
    const char *label, const struct ballot_option *options, size_t count)
{
	char id[BALLOT_ID];

	ballot_id(id, verb, x->page, x->id);
	begin_row(b);
	jsonw_object(b, NULL);
	jsonw_int(b, "type", SELECT);
	jsonw_str(b, "custom_id", id);
	jsonw_str(b, "placeholder", label);
	jsonw_int(b, "min_values", verb == BALLOT_KINDS);
	jsonw_int(b, "max_values", (int64_t)count);
	jsonw_array(b, "options");
	for (size_t i = 0; i < count; i++) {
		jsonw_object(b, NULL);
		jsonw_str(b, "label", options[i].label);
		jsonw_str(b, "value", options[i].value);
		jsonw_bool(b, "default", options[i].chosen);
		jsonw_end_object(b);
	}
	jsonw_end_array(b);
	jsonw_end_object(b);
	end_row(b);
}

static void
pages(struct buf *b, const struct ballot *x)
{
	begin_row(b);
	if (x->page > 0)
		button(b, x, BALLOT_PAGE, x->page - 1, "Items before");
	if (x->page + 1 < x->pages)
		button(b, x, BALLOT_PAGE, x->page + 1, "Items after");
	end_row(b);
}

static void
buttons(struct buf *b, const struct ballot *x)
{
	begin_row(b);
	for (int i = BALLOT_APPROVE; i <= BALLOT_STOP && !x->sure; i++)
		button(b, x, (enum ballot_verb)i, 0, NULL);
	for (int i = BALLOT_SURE; i <= BALLOT_BACK && x->sure; i++)
		button(b, x, (enum ballot_verb)i, 0, NULL);
	end_row(b);
}

void
ballot_write(struct buf *b, const struct ballot *x)
{
	jsonw_array(b, NULL);
	if (!x->sure && x->item_count + x->page > 1)
		menu(b, x, BALLOT_ITEMS, "Only these items", x->items,
		    x->item_count);
	if (!x->sure && x->kind_count > 1)
		menu(b, x, BALLOT_KINDS, "Only these kinds", x->kinds,
		    x->kind_count);
	if (!x->sure && x->pages > 1)
		pages(b, x);
	buttons(b, x);
	jsonw_end_array(b);
}

void
ballot_form(struct buf *b, const char *id, size_t most)
{
	char custom_id[BALLOT_ID];

	ballot_id(custom_id, BALLOT_CORRECT, 0, id);
	jsonw_object(b, NULL);
	jsonw_str(b, "custom_id", custom_id);
	jsonw_str(b, "title", "Not this");
	jsonw_array(b, "components");
	jsonw_object(b, NULL);
	jsonw_int(b, "type", LABEL);
	jsonw_str(b, "label", "What is to be done instead?");
	jsonw_object(b, "component");
	jsonw_int(b, "type", INPUT);
	jsonw_str(b, "custom_id", "text");
	jsonw_int(b, "style", LONG);
	jsonw_int(b, "min_length", 1);
	jsonw_int(b, "max_length", (int64_t)most);
	jsonw_end_object(b);
	jsonw_end_object(b);
	jsonw_end_array(b);
	jsonw_end_object(b);
}
