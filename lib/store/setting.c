#include "store/setting.h"

#include <ctype.h>
#include <string.h>

#include "core/err.h"
#include "core/id.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "store/setting_items.h"

enum { ITEMS = 500 }; /* in one list */

static const struct setting table[] = {
    {"profile", SETTING_TEXT, "extractive", 1, 64, NULL,
	"model profile of a turn that names none"},
    {"voice", SETTING_WORD, "balanced", 0, 0, "balanced|casual|formal",
	"how answers sound; never what they say"},
    {"language", SETTING_TEXT, "auto", 2, 16, NULL,
	"language of answers; auto is that of the request"},
    {"index.path", SETTING_PATH, "", 0, 4000, NULL,
	"where messages.sqlite is, if not in the state folder"},
    {"runtime.tool_call_limit", SETTING_INT, "0", 0, 1000000, NULL,
	"calls after which a task pauses, over all its turns; 0 for none"},
    {"approval.minutes", SETTING_INT, "60", 1, 10080, NULL,
	"how long somebody who is asked to approve a change has to decide"},
    {"model.slots", SETTING_INT, "4", 1, 64, NULL,
	"model requests at one time, over all processes"},
    {"retention.tasks", SETTING_INT, "0", 0, 36500, NULL,
	"days after which inactive, settled tasks are forgotten; 0 for never"},
    {"budget.actor", SETTING_MONEY, "", 0, 32, NULL,
	"US dollars that one person may use a day; empty for no limit"},
    {"budget.installation", SETTING_MONEY, "", 0, 32, NULL,
	"US dollars that all together may use a day; empty for no limit"},
    {"discord.guilds", SETTING_IDS, "", 0, 1000, NULL,
	"guilds where Sophia reads and answers; none unless named"},
    {"discord.users", SETTING_IDS, "", 1, 1000, NULL,
	"people she answers; * for everybody in those guilds"},
    {"discord.dms", SETTING_WORD, "off", 0, 0, "off|on",
	"whether people named in discord.users may write to her directly"},
    {"discord.recover_hours", SETTING_INT, "24", 0, 720, NULL,
	"how old a request may be that came while she was down"},
    {"discord.recover_messages", SETTING_INT, "100", 0, 10000, NULL,
	"how many such requests she takes up, the newest of them"},
    {"converse.tasks", SETTING_INT, "8", 1, 64, NULL,
	"tasks of people in Discord at one time; others wait for their turn"},
    {"history.sweep", SETTING_INT, "200", 0, 100000, NULL,
	"newest messages of each channel that are looked through at a start"},
    {"sandbox.enabled", SETTING_WORD, "off", 0, 0, "off|on",
	"whether code may be run, in containers; see sophia-sandbox"},
    {"sandbox.engine", SETTING_WORD, "docker", 0, 0, "docker|podman",
	"the container engine that is used"},
    {"sandbox.image", SETTING_TEXT, "sophia-sandbox:1", 1, 127, NULL,
	"the image that a container is made of"},
    {"sandbox.spare", SETTING_WORD, "off", 0, 0, "off|on",
	"whether `sophia up` keeps a container ready for the next run"},
    {"media.transcriber", SETTING_TEXT, "", 0, 64, NULL,
	"model profile that recordings are given to; empty for the task's own"},
    {"spool.max", SETTING_INT, "4294967296", 134217728, 1099511627776, NULL,
	"bytes of events kept for readers that are behind"},
    {"access.grants", SETTING_ITEMS, "[]", 0, ITEMS, NULL,
	"who may change what, and whether they are asked; see sophia-access"},
    {"access.rules", SETTING_ITEMS, "[]", 0, ITEMS, NULL,
	"what is denied, asked about or allowed in spite of a grant's mode"},
    {"access.protected", SETTING_ITEMS, "[]", 0, ITEMS, NULL,
	"channels and roles where nothing destructive happens, ever"},
    {"access.moderators", SETTING_ITEMS, "[]", 0, ITEMS, NULL,
	"people and roles of a guild that are let in, for reads only"},
};

enum { SETTINGS = sizeof(table) / sizeof(table[0]) };

const struct setting *
settings_known(int i)
{
	return i >= 0 && i < SETTINGS ? &table[i] : NULL;
}

const struct setting *
settings_find(const char *name)
{
	for (int i = 0; i < SETTINGS; i++)
		if (strcmp(table[i].name, name) == 0)
			return &table[i];
	return NULL;
}

bool
setting_choice(const char *choices, const char *text)
{
	size_t len = strlen(text);

	for (const char *at = choices; at; at = strchr(at, '|')) {
		at += *at == '|';
		if (len && strncmp(at, text, len) == 0 &&
		    (at[len] == '|' || !at[len]))
			return true;
	}
	return false;
}

/* Digits, and a point with more of them or none. */
static bool
is_money(const char *text)
{
	size_t whole = strspn(text, "0123456789");
	size_t part = text[whole] == '.'
			  ? strspn(text + whole + 1, "0123456789")
			  : 0;

	if (!*text)
		return true;
	return whole && (text[whole] == '.' ? part && !text[whole + 1 + part]
					    : !text[whole]);
}

static bool
is_clean(const char *text)
{
	while (*text && !iscntrl((unsigned char)*text))
		text++;
	return !*text;
}

static int
check_text(const struct setting *k, const char *text, struct err *e)
{
	size_t len = strlen(text);

	if (len < (size_t)k->low || (k->high && len > (size_t)k->high))
		return err_set(e, ERR_CONFIG,
		    "%s: must have %lld to %lld bytes", k->name,
		    (long long)k->low, (long long)k->high);
	if (!is_clean(text))
		return err_set(e, ERR_CONFIG, "%s: holds a control character",
		    k->name);
	if (k->kind == SETTING_WORD && !setting_choice(k->choices, text))
		return err_set(e, ERR_CONFIG, "%s: must be one of %s", k->name,
		    k->choices);
	if (k->kind == SETTING_MONEY && !is_money(text))
		return err_set(e, ERR_CONFIG,
		    "%s: must be an amount like 2.50, or empty", k->name);
	if (k->kind == SETTING_PATH && *text && *text != '/')
		return err_set(e, ERR_CONFIG,
		    "%s: must be a path that begins with /", k->name);
	return 0;
}

static int
check_ids(const struct setting *k, const struct json *v, struct err *e)
{
	uint64_t id;

	if (json_kind(v) != JSON_ARRAY)
		return err_set(e, ERR_CONFIG, "%s: must be a list of ids",
		    k->name);
	if (json_count(v) > (size_t)k->high)
		return err_set(e, ERR_CONFIG, "%s: has more than %lld ids",
		    k->name, (long long)k->high);
	for (v = json_first(v); v; v = json_next(v)) {
		const char *text = json_text(v);

		if (json_kind(v) != JSON_STRING)
			return err_set(e, ERR_CONFIG,
			    "%s: each must be an id of Discord's in quotes%s",
			    k->name, k->low ? ", or \"*\"" : "");
		if (snowflake_read(&id, text) < 0 &&
		    !(k->low && strcmp(text, "*") == 0))
			return err_set(e, ERR_CONFIG,
			    "%s: \"%.40s\" is no id of Discord's: a number, "
			    "which its menus copy in developer mode%s",
			    k->name, text, k->low ? "; nor *" : "");
	}
	return 0;
}

int
setting_check(const struct setting *k, const struct json *v, struct err *e)
{
	int64_t n;

	if (k->kind == SETTING_IDS)
		return check_ids(k, v, e);
	if (k->kind == SETTING_ITEMS)
		return setting_items_check(k, v, e);
	if (k->kind == SETTING_INT) {
		if (json_kind(v) == JSON_NUMBER && json_whole(v, &n) == 0 &&
		    n >= k->low && n <= k->high)
			return 0;
		return err_set(e, ERR_CONFIG,
		    "%s: must be a whole number from %lld to %lld", k->name,
		    (long long)k->low, (long long)k->high);
	}
	if (json_kind(v) != JSON_STRING)
		return err_set(e, ERR_CONFIG, "%s: must be a text", k->name);
	return check_text(k, json_text(v), e);
}

/* Is it a number that JSON has: no sign but a minus, no leading zero? */
static bool
is_whole(const char *text)
{
	size_t sign = *text == '-', n = strspn(text + sign, "0123456789");

	return n && !text[sign + n] && (n == 1 || text[sign] != '0');
}

/* The parts between commas, without the spaces around them. */
static void
write_ids(struct buf *b, const char *key, const char *text)
{
	static const char gap[] = " \t\n";
	size_t len;

	jsonw_array(b, key);
	for (text += strspn(text, gap); *text; text += strspn(text, gap)) {
		len = strcspn(text, ", \t\n");
		jsonw_strn(b, NULL, text, len);
		text += len + strspn(text + len, gap);
		text += *text == ',';
	}
	jsonw_end_array(b);
}

/* The JSON that it is, else a text, which nobody takes for a list. */
static void
write_items(struct buf *b, const char *key, const char *text)
{
	struct json *v = NULL;
	struct err none = {0};

	if (json_read(&v, text, strlen(text), &none) == 0)
		jsonw_value(b, key, v);
	else
		jsonw_str(b, key, text);
	json_free(v);
}

void
setting_write(struct buf *b, const char *key, const struct setting *k,
    const char *text)
{
	if (k->kind == SETTING_IDS)
		write_ids(b, key, text);
	else if (k->kind == SETTING_ITEMS)
		write_items(b, key, text);
	else if (k->kind == SETTING_INT && is_whole(text))
		jsonw_raw(b, key, text, strlen(text));
	else
		jsonw_str(b, key, text);
}
