#ifndef ACCESS_ADMISSION_H
#define ACCESS_ADMISSION_H
/*
 * admission - may this person, here, address Sophia at all? Asked before any
 * work, for every way in: a mention, a reply, a direct message, a command, its
 * completion, a button, a modal.
 *
 * Nothing is enabled by default. In a guild of discord.guilds those of
 * discord.users are let in (* for everybody there); in direct messages, once
 * discord.dms is on, only people who are named, since * is about the guilds.
 * An operator is let in wherever the place is enabled. A bot, a webhook and
 * Sophia herself never are.
 *
 * To be let in grants nothing but an answer: what a task may do is decided
 * for each of its calls.
 */

#include <stdbool.h>

struct err;
struct settings;

struct applicant {
	const char *user;  /* an id of Discord's */
	const char *guild; /* NULL in direct messages */
	bool bot;          /* a bot, or a webhook */
};

bool admission_allows(const struct settings *s, const struct applicant *a);

/*
 * Is the guild enabled, by the settings as they are now: 0, or ERR_DENIED. A
 * task may have begun before it was taken out.
 */
int admission_guild(const char *guild, struct err *e);

#endif
