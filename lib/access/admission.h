#ifndef ACCESS_ADMISSION_H
#define ACCESS_ADMISSION_H
/*
 * admission - may this person, here, address Sophia at all? Asked before any
 * work, for every way in: a mention, a reply, a direct message, a command, its
 * completion, a button, a modal.
 *
 * Nothing is enabled by default. In a guild of discord.guilds those of
 * discord.users are let in (* for everybody there), its moderators, and whoever
 * has a grant there, by themselves or by a role; in direct messages, once
 * discord.dms is on, only people who are named by discord.users or by a grant
 * that holds everywhere, since * and roles are about guilds. An operator is let
 * in wherever the place is enabled. A bot, a webhook and Sophia herself never
 * are.
 *
 * Roles are those that Discord put into the event itself. Without them nobody
 * is let in by one.
 *
 * To be let in grants nothing but an answer: what a task may do is decided
 * for each of its calls.
 */

#include <stdbool.h>

struct err;
struct json;
struct settings;

struct applicant {
	const char *user;         /* an id of Discord's */
	const char *guild;        /* NULL in direct messages */
	bool bot;                 /* a bot, or a webhook */
	const struct json *roles; /* ids, of the event; NULL: not known */
	bool before; /* let in before, and roles that did it count still */
};

bool admission_allows(const struct settings *s, const struct applicant *a);

/*
 * Is the guild enabled, by the settings as they are now: 0, or ERR_DENIED. A
 * task may have begun before it was taken out.
 */
int admission_guild(const char *guild, struct err *e);

#endif
