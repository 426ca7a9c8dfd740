#ifndef DISCORD_PARTS_H
#define DISCORD_PARTS_H
/*
 * parts - what only some messages have, brought into the shape that
 * record/message describes. Discord's API and DiscordChatExporter name the same
 * things differently (`filename` and `fileName`); both spellings are read.
 *
 * Each function appends one part to m->more, or nothing where v has no such
 * part. Call them in the order of enum message_part; parts_end() closes it.
 * What has the wrong kind is left out: an archive may hold anything.
 */

#include <stdbool.h>
#include <stdint.h>

struct json;
struct message;

enum { KIND_DEFAULT = 0, KIND_REPLY = 19 }; /* Discord's "Message Types" */

/* attachments, embeds and stickers: what a forwarded message has too */
void parts_content(struct message *m, const struct json *v);
void parts_poll(struct message *m, const struct json *poll);
void parts_forwarded(struct message *m, const struct json *message);
void parts_components(struct message *m, const struct json *list);

/*
 * What it refers to: m->reply if it answers a message of its channel, else a
 * part. Before there was a type for it, an answer was a default one that
 * refers.
 */
void parts_reference(struct message *m, const struct json *v, bool forward);
void parts_interaction(struct message *m, const struct json *v);
void parts_ended(struct message *m, const char *at);
void parts_mentions(struct message *m, const struct json *users,
    const struct json *roles);
void parts_emojis(struct message *m, const struct json *list);
void parts_reactions(struct message *m, const struct json *list);
void parts_end(struct message *m);

/* The string under either key; NULL if there is none, or it is empty. */
const char *parts_text(const struct json *v, const char *key,
    const char *other);

/* The id under either key; 0 if there is none. */
uint64_t parts_id(const struct json *v, const char *key, const char *other);

#endif
