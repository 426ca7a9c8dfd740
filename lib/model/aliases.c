#include "model/aliases.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/err.h"
#include "core/mem.h"

struct alias {
	char *own;
	char wire[ALIASES_WIRE_MAX + 1];
};

static const struct alias *
find_wire(const struct aliases *n, const char *wire)
{
	for (size_t i = 0; i < n->count; i++)
		if (strcmp(n->pairs[i].wire, wire) == 0)
			return &n->pairs[i];
	return NULL;
}

static void
clean(char wire[ALIASES_WIRE_MAX + 1], const char *name)
{
	size_t len = 0;

	for (; len < ALIASES_WIRE_MAX && name[len]; len++) {
		unsigned char c = (unsigned char)name[len];

		wire[len] = isalnum(c) || c == '_' || c == '-' ? (char)c : '_';
	}
	if (!len)
		wire[len++] = '_';
	wire[len] = '\0';
}

/* Number it until no other has it. */
static void
make_unique(const struct aliases *n, char wire[ALIASES_WIRE_MAX + 1])
{
	enum { TAIL_MAX = 12 };
	char tail[TAIL_MAX];

	for (unsigned i = 2; find_wire(n, wire); i++) {
		size_t keep = strlen(wire), len;

		if (i > 2) /* over the number before */
			keep = (size_t)(strrchr(wire, '_') - wire);
		len = (size_t)snprintf(tail, sizeof(tail), "_%u", i);
		if (keep + len > ALIASES_WIRE_MAX)
			keep = ALIASES_WIRE_MAX - len;
		memcpy(wire + keep, tail, len + 1);
	}
}

const char *
aliases_wire(struct aliases *n, const char *name)
{
	struct alias *p;

	for (size_t i = 0; i < n->count; i++)
		if (strcmp(n->pairs[i].own, name) == 0)
			return n->pairs[i].wire;
	if (n->count == n->room) {
		n->room = n->room ? n->room * 2 : 16;
		n->pairs = mem_resize(n->pairs, n->room, sizeof(*n->pairs));
	}
	p = &n->pairs[n->count];
	clean(p->wire, name);
	make_unique(n, p->wire);
	p->own = mem_dup(name);
	n->count++;
	return p->wire;
}

const char *
aliases_own(const struct aliases *n, const char *wire)
{
	const struct alias *p = find_wire(n, wire);

	return p ? p->own : wire;
}

void
aliases_release(struct aliases *n)
{
	for (size_t i = 0; i < n->count; i++)
		free(n->pairs[i].own);
	free(n->pairs);
	*n = (struct aliases){0};
}
