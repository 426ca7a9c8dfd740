#ifndef DISCORD_EXPORT_H
#define DISCORD_EXPORT_H
/*
 * export - read what DiscordChatExporter writes as JSON, in all its versions.
 *
 * A file is one object: guild, channel, dateRange, and messages. Versions since
 * 2018 only added fields, so each is read where it is and missed nowhere:
 * without nickname, roles or stickers (before 2.30), with one `image` an embed
 * or a list `images`, `category` of a thread being its channel.
 *
 * Memory   a message borrows from its JSON and from the head.
 * Errors   ERR_INPUT, naming the field.
 */

struct err;
struct json;
struct message;

/* What a file says once: fills guild and channel. */
int export_read_head(struct message *head, const struct json *v, struct err *e);

/* One message of it. */
int export_read(struct message *m, const struct message *head,
    const struct json *v, struct err *e);

#endif
