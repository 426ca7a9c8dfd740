#include "model/pairs.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "record/request.h"

struct plan {
	const struct request *request;
	struct pairs_step *steps;
	size_t count, room;
	bool *used; /* messages that are in the plan, or before the group */
};

static void
add(struct plan *p, enum pairs_kind kind, size_t index, size_t call)
{
	if (p->count == p->room) {
		p->room = p->room ? p->room * 2 : 32;
		p->steps = mem_resize(p->steps, p->room, sizeof(*p->steps));
	}
	p->steps[p->count++] = (struct pairs_step){kind, index, call};
}

static bool
says_nothing(const struct request_message *m)
{
	return (!m->text || !*m->text) && !m->call_count && !m->media_count;
}

/* Where the group that begins at this assistant message ends. */
static size_t
group_end(const struct request *r, size_t at)
{
	size_t end = at + 1;

	while (
	    end < r->message_count && r->messages[end].role != ROLE_ASSISTANT)
		end++;
	return end;
}

static void
add_result(struct plan *p, size_t at, size_t end, size_t call)
{
	const char *id = p->request->messages[at].calls[call].id;

	for (size_t i = at + 1; i < end; i++) {
		const struct request_message *m = &p->request->messages[i];

		if (m->role == ROLE_TOOL && !p->used[i] &&
		    strcmp(m->call, id) == 0) {
			p->used[i] = true;
			add(p, PAIRS_RESULT, i, call);
			return;
		}
	}
	add(p, PAIRS_MISSING, at, call);
}

struct pairs_step *
pairs_plan(const struct request *r, size_t *count)
{
	struct plan p = {.request = r};

	p.used = mem_array(r->message_count + 1, sizeof(*p.used));
	for (size_t at = 0; at < r->message_count; at++) {
		const struct request_message *m = &r->messages[at];

		if (m->role == ROLE_SYSTEM || m->role == ROLE_TOOL ||
		    says_nothing(m))
			continue; /* results are placed by their calls */
		add(&p, PAIRS_MESSAGE, at, 0);
		for (size_t i = 0; i < m->call_count; i++)
			add_result(&p, at, group_end(r, at), i);
	}
	free(p.used);
	*count = p.count;
	return p.steps;
}
