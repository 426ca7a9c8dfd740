#include "store/tally.h"

#include "core/err.h"

int
tally_flush(struct tally *t, struct db *db, struct err *e)
{
	for (size_t i = 0; i < t->count; i++) {
		if (!t->at[i].change)
			continue;
		stmt_start(&t->add, db,
		    "UPDATE channel SET messages = messages + ?2"
		    " WHERE ord = ?1");
		stmt_int(&t->add, 1, t->at[i].channel);
		stmt_int(&t->add, 2, t->at[i].change);
		if (stmt_run(&t->add, e) < 0)
			return -1;
	}
	t->count = 0;
	return 0;
}

int
tally_add(struct tally *t, struct db *db, uint32_t channel, int change,
    struct err *e)
{
	size_t i = 0;

	if (!channel)
		return 0;
	while (i < t->count && t->at[i].channel != channel)
		i++;
	if (i == TALLY_SLOTS) {
		if (tally_flush(t, db, e) < 0)
			return -1;
		i = 0;
	}
	if (i == t->count) {
		t->at[i].channel = channel;
		t->at[i].change = 0;
		t->count++;
	}
	t->at[i].change += change;
	return 0;
}

void
tally_forget(struct tally *t)
{
	t->count = 0;
}

void
tally_release(struct tally *t)
{
	stmt_end(&t->add);
	t->count = 0;
}
