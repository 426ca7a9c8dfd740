#ifndef STORE_SETTINGS_H
#define STORE_SETTINGS_H
/*
 * settings - settings.json of the state folder: an operator's preferences.
 *
 * Names    "voice", or with a category "model.slots"; in the file each category
 *          is an object. Only the settings of settings_known() exist.
 * Errors   ERR_CONFIG, naming the field, for a file that isn't valid: an
 *          unknown name, a wrong type, a value out of range. It is never passed
 *          over. No file means that everything has its default.
 * Memory   Texts are borrowed from the open settings.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct err;
struct json;

struct settings {
	struct json *root; /* NULL while there is no file */
};

int settings_open(struct settings *s, struct err *e);
int settings_read(struct settings *s, const char *text, size_t len,
    struct err *e);                      /* the file's text */
void settings_close(struct settings *s); /* harmless on {0}, or twice */

/* The value, or its default. To ask by a name or kind of none is our bug. */
const char *settings_text(const struct settings *s, const char *name);
int64_t settings_int(const struct settings *s, const char *name);

/* The i-th id of a list, from 0; NULL past the last. */
const char *settings_id(const struct settings *s, const char *name, int i);

/* The first item of a list of objects, for json_next(); NULL for none. */
const struct json *settings_items(const struct settings *s, const char *name);

enum setting_kind {
	SETTING_TEXT,
	SETTING_WORD,  /* one of choices */
	SETTING_INT,   /* low to high */
	SETTING_MONEY, /* decimal text of at least 0, or "" for none */
	SETTING_PATH,  /* absolute, or "" for none */
	SETTING_IDS,   /* Discord's, at most high; and "*" if low is 1 */
	SETTING_ITEMS, /* objects of a shape, at most high; as text it is JSON */
};

struct setting {
	const char *name;
	enum setting_kind kind;
	const char *other;   /* its default, as text */
	int64_t low, high;   /* of a number; of a text the bytes */
	const char *choices; /* "a|b|c" */
	const char *help;    /* a line */
};

/* The i-th that there is, from 0; NULL past the last. */
const struct setting *settings_known(int i);
const struct setting *settings_find(const char *name);         /* or NULL */
bool settings_has(const struct settings *s, const char *name); /* in the file */

/* The value of any kind as text: ids have commas between them. */
void settings_value(struct buf *b, const struct settings *s,
    const struct setting *known);

/* The record {"type":"setting",...} of it, as a line. */
void settings_write(struct buf *b, const struct settings *s,
    const struct setting *known);

/*
 * Change the file, alone and as one step, with a line in the audit (see audit).
 * Returns 1 if something changed, else 0. ERR_INPUT if the value won't do, or
 * there is no such setting or category.
 *
 * A setting gets a value; or what edit() makes of the one it has, which it adds
 * to *value: 1, 0 to leave it, or -1. Without either it has its default again.
 * A category is what stands before the dot, or "general": all of it has.
 */
struct settings_change {
	const char *name, *value;
	int (*edit)(void *ctx, const struct settings *now, struct buf *value,
	    struct err *e);
	void *ctx;
	const char *category; /* instead of a name */
	const char *by;       /* an id of Discord's; NULL: `local` */
};

int settings_change(const struct settings_change *c, struct err *e);

/* The same by whoever is at the machine; a value of NULL unsets it. */
int settings_set(const char *name, const char *value, struct err *e);
int settings_reset(const char *category, struct err *e);

#endif
