#include "history/ingest_rights.h"

#include <string.h>

#include "core/err.h"
#include "core/hash.h"
#include "discord/parts.h"
#include "ext/db.h"
#include "ext/json.h"
#include "history/ingest.h"

/* ?1 is the id that the event names, ?2 the guild. */
static const struct matter {
	const char *name;
	const char *outer, *id; /* where the id is */
	const char *sql;
} matters[] = {
    {"CHANNEL_UPDATE", NULL, "id",
	"SELECT target, allow, deny FROM overwrite WHERE channel ="
	" (SELECT ord FROM channel WHERE id = ?1) ORDER BY target"},
    {"GUILD_ROLE_UPDATE", "role", "id",
	"SELECT permissions, guild, 0 FROM role WHERE id = ?1"},
    {"GUILD_ROLE_DELETE", NULL, "role_id",
	"SELECT permissions, guild, 0 FROM role WHERE id = ?1"},
    {"GUILD_MEMBER_UPDATE", "user", "id",
	"SELECT role, 0, 0 FROM member_role WHERE guild = ?2 AND author ="
	" (SELECT ord FROM author WHERE id = ?1) ORDER BY role"},
    {"GUILD_MEMBER_REMOVE", "user", "id",
	"SELECT left_ms IS NULL, 0, 0 FROM member WHERE guild = ?2"
	" AND author = (SELECT ord FROM author WHERE id = ?1)"},
    {"THREAD_MEMBERS_UPDATE", NULL, "id",
	"SELECT user, 0, 0 FROM thread_member WHERE channel ="
	" (SELECT ord FROM channel WHERE id = ?1) ORDER BY user"},
    {"GUILD_DELETE", NULL, "id",
	"SELECT gone_ms IS NULL, owner, 0 FROM guild WHERE id = ?1"},
    {"GUILD_UPDATE", NULL, "id", "SELECT owner, 0, 0 FROM guild WHERE id = ?1"},
};

static const struct matter *
find(const char *name)
{
	for (size_t i = 0; i < sizeof(matters) / sizeof(*matters); i++)
		if (strcmp(matters[i].name, name) == 0)
			return &matters[i];
	return NULL;
}

static uint64_t
id_of(const struct matter *m, const struct json *v)
{
	return parts_id(m->outer ? json_get(v, m->outer) : v, m->id, NULL);
}

int
ingest_rights(struct ingest *in, const char *name, uint64_t guild,
    const struct json *v, uint64_t *print, struct err *e)
{
	const struct matter *m = find(name);
	struct stmt s = {0};
	int row;

	*print = 0;
	if (!m)
		return 0;
	*print = HASH_START;
	stmt_start(&s, in->db, m->sql);
	stmt_int(&s, 1, (int64_t)id_of(m, v));
	if (strstr(m->sql, "?2"))
		stmt_int(&s, 2, (int64_t)guild);
	while ((row = stmt_next(&s, e)) > 0)
		for (int i = 0; i < 3; i++)
			*print = hash_number(*print, (uint64_t)row_int(&s, i));
	stmt_end(&s);
	return row;
}

uint64_t
ingest_rights_of(const char *name, const struct json *v)
{
	return strncmp(name, "GUILD_MEMBER_", 13) == 0
		   ? parts_id(json_get(v, "user"), "id", NULL)
		   : 0;
}
