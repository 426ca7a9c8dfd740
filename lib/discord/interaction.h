#ifndef DISCORD_INTERACTION_H
#define DISCORD_INTERACTION_H
/*
 * interaction - a slash command, its completion, a button or a modal, as the
 * gateway gives it ("Interaction Object" in Discord's documentation).
 *
 * Memory   What is filled in is borrowed from the JSON.
 * Errors   ERR_INPUT, naming the field. An interaction of another kind reads
 *          well: its kind is INTERACTION_OTHER.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct json;

enum interaction_kind { /* Discord's numbers */
	INTERACTION_OTHER = 0,
	INTERACTION_COMMAND = 2,
	INTERACTION_COMPONENT = 3,
	INTERACTION_COMPLETE = 4,
	INTERACTION_MODAL = 5,
};

enum { INTERACTION_NAME = 4 * 32 + 1 }; /* bytes: Discord allows 32 letters */

struct interaction {
	enum interaction_kind kind;
	const char *id, *application, *token;
	const char *guild; /* NULL outside one */
	const char *channel;
	bool direct;      /* in the direct messages of Sophia herself */
	const char *user; /* an id, */
	char
	    who[INTERACTION_NAME]; /* and the name that people see, in a line */
	bool bot;
	const struct json *roles; /* of the member: ids; NULL outside a guild */
	const char *name;         /* of the command, or the custom id pressed */
	const char *sub;     /* the subcommand, whose options count; or NULL */
	const char *message; /* id of the message that was pressed, or NULL */

	const struct json *options, *resolved, *rows, *values; /* private */
};

int interaction_read(struct interaction *x, const struct json *v,
    struct err *e);

/* The value of an option as text, NULL; or as a switch, `other`: if not given.
 */
const char *interaction_option(const struct interaction *x, const char *name);
bool interaction_flag(const struct interaction *x, const char *name,
    bool other);

/* The option that is being typed, and what is typed so far; or NULL. */
const char *interaction_typed(const struct interaction *x, const char **name);

/*
 * The roles of the member whom an option names: an array of ids, as Discord
 * says they are now; NULL if it doesn't.
 */
const struct json *interaction_roles(const struct interaction *x,
    const char *name);

/* The file given for an option: an attachment object, or NULL. */
const struct json *interaction_file(const struct interaction *x,
    const char *name);

/* The i-th value chosen in a menu, from 0; NULL past the last. */
const char *interaction_value(const struct interaction *x, size_t i);

/* What was typed into the modal's field with that id; or NULL. */
const char *interaction_field(const struct interaction *x, const char *id);

#endif
