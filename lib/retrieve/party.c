#include "retrieve/party.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/err.h"
#include "core/mem.h"

enum { SHORTEST = 3 }; /* letters of a name that is looked for in a text */

static int
load(struct party *p, uint32_t author, struct person *to, struct err *e)
{
	static const char
	    sql[] = "SELECT a.id, a.name, (SELECT max(nickname) FROM member"
		    "  WHERE author = ?1) FROM author a WHERE a.ord = ?1";
	int row;

	stmt_start(&p->find, p->db, sql);
	stmt_int(&p->find, 1, author);
	row = stmt_next(&p->find, e);
	if (row >= 0) {
		to->author = author;
		to->id = row ? (uint64_t)row_int(&p->find, 0) : 0;
		to->name = mem_dup(row ? row_text(&p->find, 1) : "");
		to->nickname = mem_dup(row ? row_text(&p->find, 2) : "");
	}
	stmt_reset(&p->find);
	return row;
}

const struct person *
party_get(struct party *p, uint32_t author, struct err *e)
{
	uint32_t *slot = &p->slots[author % PARTY_SLOTS];

	if (*slot && p->at[*slot - 1].author == author)
		return &p->at[*slot - 1];
	for (size_t i = 0; i < p->count; i++)
		if (p->at[i].author == author) {
			*slot = (uint32_t)i + 1;
			return &p->at[i];
		}
	if (p->count == p->room) {
		p->room = p->room ? 2 * p->room : 32;
		p->at = mem_resize(p->at, p->room, sizeof(*p->at));
	}
	p->at[p->count] = (struct person){0};
	if (load(p, author, &p->at[p->count], e) < 0)
		return NULL;
	return &p->at[p->count++];
}

static bool
is_letter(char c)
{
	return isalnum((unsigned char)c) || c == '_' ||
	       (unsigned char)c >= 0x80;
}

/* The name as a whole word; only ASCII letters may differ in case. */
static bool
holds(const char *text, const char *name)
{
	size_t len = strlen(name);
	char first[3] = "";

	if (len < SHORTEST)
		return false;
	first[0] = (char)tolower((unsigned char)*name);
	first[1] = (char)toupper((unsigned char)*name);
	for (const char *p = text; (p = strpbrk(p, first)); p++)
		if ((p == text || !is_letter(p[-1])) &&
		    strncasecmp(p, name, len) == 0 && !is_letter(p[len]))
			return true;
	return false;
}

bool
party_names(const struct person *who, const char *text)
{
	char id[24];

	snprintf(id, sizeof(id), "%llu>", (unsigned long long)who->id);
	return (strchr(text, '>') && strstr(text, id)) ||
	       holds(text, who->name) || holds(text, who->nickname);
}

void
party_release(struct party *p)
{
	for (size_t i = 0; i < p->count; i++) {
		free(p->at[i].name);
		free(p->at[i].nickname);
	}
	free(p->at);
	stmt_end(&p->find);
	*p = (struct party){0};
}
