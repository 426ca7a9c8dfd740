#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "converse/hail.h"
#include "core/buf.h"
#include "core/err.h"
#include "core/id.h"
#include "discord/ballot.h"
#include "discord/interaction.h"
#include "ext/json.h"
#include "record/turn.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

#define US "1200000000000000100"

/* Whatever is made of a message is a turn that the loop reads. */
static void
as_message(const struct json *v)
{
	struct hail h = {0};
	struct turn turn, again;
	struct buf line = {0};
	struct json *record = NULL;
	struct err e = {0};

	if (hail_read(&h, v, US, NULL, &e) == 0) {
		hail_turn(&h, US, &turn);
		turn.id = "0123456789abcdefghjk";
		turn_write(&line, &turn);
		if (json_object(&record, line.data, line.len, &e) < 0 ||
		    turn_read(&again, record, &e) < 0 ||
		    strcmp(again.text, turn.text) != 0)
			abort();
	}
	json_free(record);
	buf_release(&line);
	hail_release(&h);
}

/* A control that was used is one that we make. */
static void
as_press(const char *custom_id)
{
	char id[ID_LEN + 1] = "", text[BALLOT_ID];
	size_t page, again;
	enum ballot_verb verb = ballot_read(custom_id, id, &page);

	if (verb == BALLOT_NONE)
		return;
	if (!id_valid(id) || page > 9999)
		abort();
	ballot_id(text, verb, page, id);
	if (ballot_read(text, id, &again) != verb || again != page)
		abort();
}

static void
as_interaction(const struct json *v)
{
	struct interaction x;
	const char *name = NULL;
	struct err e = {0};

	if (interaction_read(&x, v, &e) < 0) {
		if (e.kind != ERR_INPUT)
			abort();
		return;
	}
	if (strpbrk(x.token, "/?#% ") || strpbrk(x.id, "/?#% "))
		abort(); /* they become an address */
	if (x.kind != INTERACTION_OTHER && (!x.user || !x.channel || !x.name))
		abort();
	(void)interaction_option(&x, "message");
	(void)interaction_flag(&x, "ephemeral", true);
	(void)interaction_file(&x, "attachment");
	(void)interaction_field(&x, "text");
	if (interaction_typed(&x, &name) && !name)
		abort();
	for (size_t i = 0; interaction_value(&x, i); i++)
		;
	if (x.kind != INTERACTION_OTHER)
		as_press(x.name);
}

/* The events of strangers, as sophia-converse reads them. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct json *v = NULL;
	struct err e = {0};

	if (json_object(&v, (const char *)data, len, &e) == 0) {
		as_message(v);
		as_interaction(v);
	}
	json_free(v);
	return 0;
}
