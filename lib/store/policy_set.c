#include "store/policy_set.h"

#include <stdbool.h>
#include <string.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "store/setting.h"
#include "store/setting_items.h"
#include "store/settings.h"

static const char *const names[] = {
    [POLICY_GRANTS] = "access.grants",
    [POLICY_RULES] = "access.rules",
    [POLICY_PROTECTED] = "access.protected",
    [POLICY_MODERATORS] = "access.moderators",
};

struct work {
	const struct setting *list;
	const struct json *item;
	bool remove;
};

static void
write_until(struct buf *b, const char *text)
{
	int64_t at_ms;

	if (!text || !*text)
		return;
	if (clock_parse(&at_ms, text) == 0)
		jsonw_time(b, "until", at_ms);
	else
		jsonw_str(b, "until", text); /* to be refused */
}

static void
write_item(struct buf *b, const struct policy_item *x, const char *by)
{
	jsonw_object(b, NULL);
	jsonw_opt(b, "effect", x->effect);
	jsonw_opt(b, "capability", x->capability);
	jsonw_opt(b, "user", x->user);
	jsonw_opt(b, "role", x->role);
	jsonw_opt(b, "guild", x->guild);
	jsonw_opt(b, "channel", x->channel);
	jsonw_opt(b, "tier", x->tier);
	jsonw_opt(b, "mode", x->mode);
	write_until(b, x->until);
	jsonw_str(b, "by", by);
	jsonw_time(b, "at", clock_now_ms());
	jsonw_end_object(b);
}

/* The same in all but who wrote it, and when? */
static bool
is_equal(const struct json *a, const struct json *b)
{
	static const char *const given[] = {"tier", "mode", "until"};

	for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++) {
		const char *x = json_string(a, given[i]);
		const char *y = json_string(b, given[i]);

		if (strcmp(x ? x : "", y ? y : "") != 0)
			return false;
	}
	return true;
}

/* The list without what the item is about; then the item, unless removed. */
static int
edit(void *ctx, const struct settings *now, struct buf *value, struct err *e)
{
	const struct work *w = ctx;
	const struct json *v = settings_items(now, w->list->name);
	int found = 0;
	bool equal = false;

	(void)e;
	jsonw_array(value, NULL);
	for (; v; v = json_next(v)) {
		if (!setting_items_same(w->list, v, w->item)) {
			jsonw_value(value, NULL, v);
			continue;
		}
		found++;
		equal = is_equal(v, w->item);
	}
	if (!w->remove)
		jsonw_value(value, NULL, w->item);
	jsonw_end_array(value);
	return w->remove ? found > 0 : !(found == 1 && equal);
}

static int
change(enum policy_list list, const struct json *item, bool remove,
    const char *by, struct err *e)
{
	struct work w = {settings_find(names[list]), item, remove};
	const struct settings_change c = {
	    .name = names[list],
	    .edit = edit,
	    .ctx = &w,
	    .by = by,
	};

	if (!remove && setting_item_check(w.list, item, e) < 0) {
		e->kind = ERR_INPUT;
		return -1;
	}
	return settings_change(&c, e);
}

static int
apply(enum policy_list list, const struct policy_item *x, bool remove,
    const char *by, struct err *e)
{
	struct buf text = {0};
	struct json *item = NULL;
	int rc;

	write_item(&text, x, by);
	rc = json_read(&item, buf_text(&text), text.len, e);
	if (rc == 0)
		rc = change(list, item, remove, by, e);
	json_free(item);
	buf_release(&text);
	return rc;
}

int
policy_add(enum policy_list list, const struct policy_item *x, const char *by,
    struct err *e)
{
	return apply(list, x, false, by, e);
}

int
policy_remove(enum policy_list list, const struct policy_item *x,
    const char *by, struct err *e)
{
	return apply(list, x, true, by, e);
}
