#ifndef STORE_SETTING_H
#define STORE_SETTING_H
/* setting - whether a value will do for a setting. For store/settings. */

#include <stdbool.h>

#include "store/settings.h"

struct buf;
struct json;

/* ERR_CONFIG, which names the setting, if the value won't do. */
int setting_check(const struct setting *known, const struct json *v,
    struct err *e);

/* The text as a JSON value of the setting's kind; checked by nobody yet. */
void setting_write(struct buf *b, const char *key, const struct setting *known,
    const char *text);

/* Is the text one of "a|b|c"? */
bool setting_choice(const char *choices, const char *text);

#endif
