#include "guild/mentions.h"

#include <inttypes.h>
#include <string.h>

#include "core/err.h"
#include "discord/compose.h"
#include "discord/permission.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "guild/change.h"
#include "guild/describe.h"
#include "tool/serve.h"

struct sorted { /* the plan's lists, and what a person reads */
	struct buf people, roles, words;
	size_t people_count, role_count;
	bool everyone;
};

static void
add_word(struct sorted *s, const char *mark, const char *name, uint64_t id)
{
	buf_str(&s->words, s->words.len ? ", " : "");
	if (id)
		change_name(&s->words, mark, name, id);
	else
		buf_str(&s->words, name);
}

static int
add_person(struct change *c, struct sorted *s, uint64_t id, struct err *e)
{
	struct json *m;
	char path[96];
	int found;

	snprintf(path, sizeof(path), "/guilds/%" PRIu64 "/members/%" PRIu64,
	    c->live->id, id);
	if ((found = live_find(c->live, path, &m, e)) < 0)
		return -1;
	if (!found)
		return err_set(e, ERR_INPUT, "no member <@%" PRIu64 ">", id);
	add_word(s, "", describe_member_name(m), id);
	json_free(m);
	jsonw_id(&s->people, NULL, id);
	s->people_count++;
	return 0;
}

/* All may mention a role that is mentionable; others need a permission. */
static int
add_role(struct change *c, const struct place *p, struct sorted *s,
    const char *text, struct err *e)
{
	const struct json *role;

	if (live_name_role(c->live, text, &role, e) < 0)
		return -1;
	if (!json_bool(role, "mentionable", false) &&
	    change_need(p, PERMIT_EVERYONE, e) < 0)
		return -1;
	add_word(s, "@", json_string(role, "name"), change_id(role, "id"));
	jsonw_id(&s->roles, NULL, change_id(role, "id"));
	s->role_count++;
	return 0;
}

static int
add_one(struct change *c, const struct place *p, struct sorted *s,
    const char *text, struct err *e)
{
	if (strcmp(text, "@everyone") == 0 || strcmp(text, "@here") == 0) {
		s->everyone = true;
		add_word(s, "", text, 0);
		return change_need(p, PERMIT_EVERYONE, e);
	}
	if (strncmp(text, "<@&", 3) == 0 && live_id(text, "<@&"))
		return add_role(c, p, s, text, e);
	if (strncmp(text, "<@", 2) == 0 && live_id(text, "<@"))
		return add_person(c, s, live_id(text, "<@"), e);
	return err_set(e, ERR_INPUT,
	    "'%.40s' is no mention: <@id>, <@&id>, @everyone or @here", text);
}

static void
propose(struct change *c, struct sorted *s)
{
	jsonw_end_array(&s->people);
	jsonw_end_array(&s->roles);
	jsonw_raw(&c->p->plan, "people", buf_text(&s->people), s->people.len);
	jsonw_raw(&c->p->plan, "roles", buf_text(&s->roles), s->roles.len);
	if (s->everyone)
		jsonw_bool(&c->p->plan, "everyone", true);
	if (s->words.len)
		buf_fmt(&c->p->text, ", notifying %s", buf_text(&s->words));
}

int
mentions_check(struct change *c, const struct place *p, const char *text,
    struct err *e)
{
	const struct json *v = json_first(json_get(c->in, "mention"));
	struct sorted s = {0};
	int result = 0;

	jsonw_array(&s.people, NULL);
	jsonw_array(&s.roles, NULL);
	for (; v && result == 0; v = json_next(v)) {
		const char *one = json_text(v) ? json_text(v) : "";

		if (!*one || !strstr(text, one))
			result = err_set(e, ERR_INPUT,
			    "the text doesn't mention '%.40s'", one);
		else if (s.people_count == MENTIONS_MOST ||
			 s.role_count == MENTIONS_MOST)
			result = err_set(e, ERR_INPUT,
			    "more than %d are mentioned", MENTIONS_MOST);
		else
			result = add_one(c, p, &s, one, e);
	}
	if (result == 0)
		propose(c, &s);
	buf_release(&s.people);
	buf_release(&s.roles);
	buf_release(&s.words);
	return result;
}

static size_t
take_ids(const char **ids, const struct json *list)
{
	const struct json *v = json_first(list);
	size_t count = 0;

	for (; v && count < MENTIONS_MOST; v = json_next(v))
		if (json_text(v))
			ids[count++] = json_text(v);
	return count;
}

void
mentions_take(struct mentions *m, const struct json *plan,
    struct compose *message)
{
	m->people_count = take_ids(m->people, json_get(plan, "people"));
	m->role_count = take_ids(m->roles, json_get(plan, "roles"));
	m->everyone = json_bool(plan, "everyone", false);
	message->people = m->people;
	message->people_count = m->people_count;
	message->roles = m->roles;
	message->role_count = m->role_count;
	message->everyone = m->everyone;
}
