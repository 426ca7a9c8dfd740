#include "retrieve/targets.h"

#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/id.h"
#include "core/mem.h"
#include "ext/db.h"
#include "ext/jsonw.h"
#include "ext/text.h"
#include "retrieve/corpus.h"

/* Columns of every look-up: id, ord, name, matched, kind. */
static const char member_by_id
    [] = "SELECT id, ord, name, name, 'id' FROM author WHERE id = ?1";
static const char
    member_by_name[] = "SELECT a.id, a.ord, a.name, n.name, n.kind"
		       "  FROM author_name n JOIN author a ON a.ord = n.author"
		       " WHERE n.folded = ?1 ORDER BY n.seen DESC";
static const char member_like
    [] = "SELECT a.id, a.ord, a.name, n.name, n.kind"
	 "  FROM author_name n JOIN author a ON a.ord = n.author"
	 " WHERE instr(n.folded, ?1) ORDER BY instr(n.folded, ?1), n.seen DESC";
static const char channel_by_id
    [] = "SELECT id, ord, name, name, type FROM channel WHERE id = ?1";
static const char
    channel_all[] = "SELECT id, ord, name, name, type FROM channel ORDER BY id";

void
targets_release(struct targets *n)
{
	while (n->count) {
		struct target *t = &n->at[--n->count];

		free(t->name);
		free(t->matched);
		free(t->kind);
		*t = (struct target){0};
	}
}

/* The current row becomes a candidate, unless there is one of that id. */
static void
add(struct targets *n, struct stmt *s, bool exact)
{
	struct target *at = &n->at[n->count];
	uint64_t id = (uint64_t)row_int(s, 0);

	for (size_t i = 0; i < n->count; i++)
		if (n->at[i].id == id)
			return;
	if (n->count == TARGETS_MAX)
		return;
	at->id = id;
	at->ord = (uint32_t)row_int(s, 1);
	at->exact = exact;
	at->name = mem_dup(row_text(s, 2));
	at->matched = mem_dup(row_text(s, 3));
	at->kind = mem_dup(row_text(s, 4));
	n->count++;
}

/* Run a look-up with the id or text bound; every row is a candidate. */
static int
add_all(struct corpus *c, const char *sql, uint64_t id, const char *text,
    bool exact, struct targets *n, struct err *e)
{
	struct stmt s = {0};
	int row;

	stmt_start(&s, c->db, sql);
	if (text)
		stmt_text(&s, 1, text);
	else
		stmt_int(&s, 1, (int64_t)id);
	while ((row = stmt_next(&s, e)) > 0)
		add(n, &s, exact);
	stmt_end(&s);
	return row;
}

/* The id in a mention or in bare digits; 0 if there is none. */
static uint64_t
id_in(const char *text, enum target_kind what)
{
	size_t len = strlen(text);
	char digits[24] = "";
	uint64_t id;

	if (len > 3 && text[0] == '<' && text[len - 1] == '>' &&
	    text[1] == (what == TARGET_MEMBER ? '@' : '#')) {
		text += 2 + (text[2] == '!');
		len = strcspn(text, ">");
	}
	if (len >= sizeof(digits))
		return 0;
	memcpy(digits, text, len);
	return snowflake_read(&id, digits) == 0 && id <= INT64_MAX ? id : 0;
}

static int
fold(struct corpus *c, const char *text, struct buf *to, struct err *e)
{
	buf_clear(to);
	return text_fold(c->text, to, text, strlen(text), e);
}

/* Channels are few: compare each one's name, folded here. */
static int
channels(struct corpus *c, const char *folded, struct targets *n, struct err *e)
{
	struct targets likely = {0};
	struct stmt s = {0};
	struct buf name = {0};
	int row, bad = 0;

	stmt_start(&s, c->db, channel_all);
	while ((row = stmt_next(&s, e)) > 0) {
		if ((bad = fold(c, row_text(&s, 2), &name, e)) < 0)
			break;
		if (strcmp(buf_text(&name), folded) == 0)
			add(n, &s, true);
		else if (strstr(buf_text(&name), folded))
			add(&likely, &s, false);
	}
	if (!n->count) {
		*n = likely;
		likely = (struct targets){0};
	}
	targets_release(&likely);
	buf_release(&name);
	stmt_end(&s);
	return row < 0 || bad < 0 ? -1 : 0;
}

static int
by_name(struct corpus *c, enum target_kind what, const char *folded,
    struct targets *n, struct err *e)
{
	if (what == TARGET_CHANNEL)
		return channels(c, folded, n, e);
	if (add_all(c, member_by_name, 0, folded, true, n, e) < 0)
		return -1;
	if (n->count)
		return 0;
	return add_all(c, member_like, 0, folded, false, n, e);
}

int
targets_find(struct corpus *c, enum target_kind what, const char *text,
    struct targets *found, struct err *e)
{
	uint64_t id = id_in(text, what);
	struct buf folded = {0};
	int result = 0;

	targets_release(found);
	if (id)
		result = add_all(c,
		    what == TARGET_MEMBER ? member_by_id : channel_by_id, id,
		    NULL, true, found, e);
	if (result < 0 || found->count)
		return result;
	text += *text == (what == TARGET_MEMBER ? '@' : '#');
	result = fold(c, text, &folded, e);
	if (result >= 0 && folded.len)
		result = by_name(c, what, folded.data, found, e);
	buf_release(&folded);
	return result < 0 ? -1 : 0;
}

/* "Rita (ritasampaio, 650306352333272664)": two may share the name found. */
static void
add_candidate(struct buf *list, const struct target *t)
{
	size_t room = list->len;

	buf_fmt(list, "%s%s (", room ? ", " : "", t->matched);
	if (strcmp(t->matched, t->name) != 0)
		buf_fmt(list, "%s, ", t->name);
	buf_fmt(list, "%llu)", (unsigned long long)t->id);
	if (list->full && list->data) { /* the whole one, or nothing of it */
		list->len = room;
		list->data[room] = '\0';
	}
	list->full = false;
}

static int
unclear(enum target_kind what, const char *text, const struct targets *n,
    struct err *e)
{
	const char *noun = what == TARGET_MEMBER ? "member" : "channel";
	struct buf list = {.limit = 300};

	for (size_t i = 0; i < n->count && i < 6; i++)
		add_candidate(&list, &n->at[i]);
	if (!list.len && !(n->count && n->at[0].exact))
		err_set(e, ERR_INPUT, "no %s '%.60s' in the index", noun, text);
	else if (n->at[0].exact)
		err_set(e, ERR_INPUT, "'%.60s' could be: %s; give the id", text,
		    buf_text(&list));
	else
		err_set(e, ERR_INPUT, "no %s '%.60s'; did you mean: %s", noun,
		    text, buf_text(&list));
	buf_release(&list);
	return -1;
}

int
targets_one(struct corpus *c, enum target_kind what, const char *text,
    struct targets *found, struct err *e)
{
	if (targets_find(c, what, text, found, e) < 0)
		return -1;
	if (found->count == 1 && found->at[0].exact)
		return 0;
	return unclear(what, text, found, e);
}

int
targets_authors(struct corpus *c, const char *folded, uint32_t *ords,
    size_t room, struct err *e)
{
	static const char sql[] = "SELECT DISTINCT author FROM author_name"
				  " WHERE folded = ?1 ORDER BY author";
	struct stmt s = {0};
	size_t count = 0;
	int row;

	stmt_start(&s, c->db, sql);
	stmt_text(&s, 1, folded);
	while ((row = stmt_next(&s, e)) > 0 && count < room)
		ords[count++] = (uint32_t)row_int(&s, 0);
	stmt_end(&s);
	return row < 0 ? -1 : (int)count;
}

void
targets_write(struct buf *b, const char *key, const struct targets *n)
{
	jsonw_array(b, key);
	for (size_t i = 0; i < n->count; i++) {
		jsonw_object(b, NULL);
		jsonw_id(b, "id", n->at[i].id);
		jsonw_str(b, "name", n->at[i].name);
		jsonw_str(b, "matched", n->at[i].matched);
		jsonw_str(b, "kind", n->at[i].kind);
		jsonw_bool(b, "exact", n->at[i].exact);
		jsonw_end_object(b);
	}
	jsonw_end_array(b);
}
