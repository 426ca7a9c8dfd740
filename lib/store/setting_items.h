#ifndef STORE_SETTING_ITEMS_H
#define STORE_SETTING_ITEMS_H
/* setting_items - whether a list of objects has its shape. For store/setting.
 */

struct err;
struct json;
struct setting;

/*
 * ERR_CONFIG, naming the field ("access.grants[2].tier"): a member unknown,
 * missing, doubled, of a wrong kind, or in spite of another.
 */
int setting_items_check(const struct setting *k, const struct json *v,
    struct err *e);

#endif
