#ifndef RECORD_MESSAGE_H
#define RECORD_MESSAGE_H
/*
 * message - one message of a chat, as every program here passes it on.
 *
 * A struct message is filled by whoever has one: the readers of archives
 * (discord/export, discord/raw), the index (store/dump), or message_read_json()
 * from a line of NDJSON. sophia-records(5) describes the line.
 *
 * Memory   {0} is empty. The texts are borrowed from where they came from; only
 *          the two bufs are its own. message_clear() empties it for the next
 *          one and keeps their room, message_release() gives all back.
 * Ids      0 stands for "not known"; guild 0 for direct messages.
 * Time     When a message was sent is in its id, and nowhere else.
 * More     What only some messages have is one JSON object in `more`, "" if
 *          there is none. Its members stand in the order of enum message_part,
 *          and become members of the record:
 *
 *	attachments  [{id, name, url, size, type?, description?}]
 *	embeds       [{title?, url?, description?, author?, provider?, footer?,
 *	             image?, thumbnail?, video?, fields?: [{name, value}]}]
 *	stickers     [{id, name}]
 *	poll         {question, answers: [{text, votes?, id?}], ends?}; the id
 *	             is only there if it isn't the answer's place, from 1
 *	forwarded    {text, at?, attachments?, embeds?, stickers?}
 *	components   ["text that a component shows"]
 *	reference    {message?, channel?, guild?}: what it refers to, but
 *	             does not answer
 *	interaction  {id, name, user?: {id, name}}
 *	ended        when a call ended
 *	mentions     [{id, name}]
 *	roles        ["id of a role mentioned"]
 *	emojis       [{id, name}]: only a guild's own
 *	reactions    [{emoji, id?, count}]
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"

struct err;
struct json;

struct message_guild {
	uint64_t id;
	const char *name, *icon; /* NULL while not known */
};

struct message_channel {
	uint64_t id, parent;  /* the category, or a thread's channel */
	const char *name;     /* NULL while not known, as all of these */
	const char *type;     /* as the exporter says: "GuildTextChat" */
	const char *category; /* the parent's name */
	const char *topic;
};

struct message_author {
	uint64_t id;
	const char *name;          /* username */
	const char *discriminator; /* NULL if none */
	const char *nickname;      /* in this guild; NULL if none */
	const char *display;       /* everywhere; NULL if none */
	const char *color;
	bool bot;
	bool member; /* nickname, color and roles are known, if only as none */
};

struct message {
	uint64_t id;
	uint64_t reply;    /* the message it answers */
	int64_t edited_ms; /* 0 if it never was */
	struct message_guild guild;
	struct message_channel channel;
	struct message_author author;
	int64_t kind; /* Discord's number; -1 for one we have no number for */
	bool pinned;
	const char *text;
	size_t text_len;
	const char *plain; /* as people see it, if that differs; not written */
	struct buf more;   /* JSON object, or empty */
	struct buf roles; /* the author's: JSON [{id, name, color, position}] */

	/* Only in the answer to a search. */
	const char *lane;  /* "relevance" or "chronological" */
	const char *score; /* decimal text */
	const char *part;  /* "hit" or "neighbour" */
	int64_t group;     /* from 1; 0 for none */

	struct json *line; /* to be freed with it; or NULL */
};

enum message_part {
	MESSAGE_ATTACHMENTS,
	MESSAGE_EMBEDS,
	MESSAGE_STICKERS,
	MESSAGE_POLL,
	MESSAGE_FORWARDED,
	MESSAGE_COMPONENTS,
	MESSAGE_REFERENCE,
	MESSAGE_INTERACTION,
	MESSAGE_ENDED,
	/* from here on: neither its words, nor its revision */
	MESSAGE_MENTIONS,
	MESSAGE_ROLES,
	MESSAGE_EMOJIS,
	MESSAGE_REACTIONS,
	MESSAGE_PARTS
};

/*
 * What a version of a message tells, where it doesn't tell all: a bit for each
 * part, which is told even if there is none, and these.
 */
enum message_told {
	MESSAGE_TOLD_TEXT = 1 << MESSAGE_PARTS,
	MESSAGE_TOLD_EDITED = 2 << MESSAGE_PARTS,
	MESSAGE_TOLD_PINNED = 4 << MESSAGE_PARTS,
	MESSAGE_TOLD_KIND = 8 << MESSAGE_PARTS,
	MESSAGE_TOLD_AUTHOR = 16 << MESSAGE_PARTS,
};

/* The member of `more` that a part is. */
const char *message_part_key(enum message_part part);

void message_clear(struct message *m);
void message_release(struct message *m); /* harmless on {0}, or twice */

/*
 * Read a `message` record, which m borrows from; fields it does not know are
 * left out. ERR_INPUT if it is none, or has no id, channel, author or text.
 */
int message_read_json(struct message *m, const struct json *v, struct err *e);

/*
 * Complete a version that tells only a part by an older one, from which it then
 * borrows. What refers to another message (reply) goes with MESSAGE_REFERENCE.
 * ERR_INPUT if one of them has a `more` that is no JSON object.
 */
int message_merge(struct message *m, const struct message *old, unsigned told,
    struct err *e);

/* Append it as one line. */
void message_write(struct buf *to, const struct message *m);

/* Append the link that leads to it in Discord. */
void message_link(struct buf *to, const struct message *m);

/* Append what a search looks at: its text, and the words in `more`. */
void message_words(struct buf *to, const struct message *m);
/* False if that is its text alone, as it mostly is. */
bool message_has_words(const struct message *m);

enum { MESSAGE_REVISION = 40 };

/*
 * "EDITEDMS-DIGEST": two revisions of a message differ in it, unless only
 * mentions and reactions changed. The digest is FNV-1a, 64 bits, in hex.
 */
void message_revision(char out[MESSAGE_REVISION], const struct message *m);

#endif
