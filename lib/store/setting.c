#include "store/setting.h"

#include <ctype.h>
#include <string.h>

#include "core/err.h"
#include "ext/json.h"
#include "ext/jsonw.h"

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
    {"model.slots", SETTING_INT, "4", 1, 64, NULL,
	"model requests at one time, over all processes"},
    {"retention.tasks", SETTING_INT, "0", 0, 36500, NULL,
	"days after which inactive, settled tasks are forgotten; 0 for never"},
    {"budget.actor", SETTING_MONEY, "", 0, 32, NULL,
	"US dollars that one person may use a day; empty for no limit"},
    {"budget.installation", SETTING_MONEY, "", 0, 32, NULL,
	"US dollars that all together may use a day; empty for no limit"},
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

static bool
is_choice(const char *choices, const char *text)
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
	if (k->kind == SETTING_WORD && !is_choice(k->choices, text))
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

int
setting_check(const struct setting *k, const struct json *v, struct err *e)
{
	int64_t n;

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

void
setting_write(struct buf *b, const char *key, const struct setting *k,
    const char *text)
{
	if (k->kind == SETTING_INT && is_whole(text))
		jsonw_raw(b, key, text, strlen(text));
	else
		jsonw_str(b, key, text);
}
