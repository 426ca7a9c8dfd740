#ifndef STORE_SETTING_ITEMS_H
#define STORE_SETTING_ITEMS_H
/* setting_items - whether a list of objects has its shape. For store/setting.
 */

#include <stdbool.h>

struct err;
struct json;
struct setting;

/*
 * ERR_CONFIG, naming the field ("access.grants[2].tier"): a member unknown,
 * missing, doubled, of a wrong kind, or in spite of another.
 */
int setting_items_check(const struct setting *k, const struct json *v,
    struct err *e);

/* The same of one item, whose field alone is named ("tier"). */
int setting_item_check(const struct setting *k, const struct json *item,
    struct err *e);

/* Do the items say the same, but for who wrote them, and what they give? */
bool setting_items_same(const struct setting *k, const struct json *a,
    const struct json *b);

#endif
