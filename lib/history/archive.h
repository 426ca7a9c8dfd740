#ifndef HISTORY_ARCHIVE_H
#define HISTORY_ARCHIVE_H
/*
 * archive - make messages of the objects that an archive consists of.
 *
 * Each object is told by its looks: a message of DiscordChatExporter inside an
 * export, Discord's own by its channel_id, our records by their type.
 *
 * Memory   {0} reads anything. A message borrows from its archive, until that
 *          reads the next head or message.
 * Errors   ERR_INPUT, without the place: the caller knows it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "history/split.h"
#include "record/message.h"

struct err;
struct json_reader;

enum archive_format {
	ARCHIVE_ANY,
	ARCHIVE_EXPORT,  /* DiscordChatExporter's */
	ARCHIVE_DISCORD, /* Discord's own objects */
	ARCHIVE_RECORDS  /* our message records */
};

struct archive {
	enum archive_format format; /* what else is no message */
	uint64_t guild;             /* of messages that don't tell theirs */
	struct message head;        /* guild and channel of an export */
	struct json_reader *reader; /* private */
};

/* "any", "export", "discord", "records"; false for another word. */
bool archive_format_read(enum archive_format *format, const char *word);

/* An export's head. ERR_INPUT if it doesn't name the channel (yet). */
int archive_head(struct archive *a, const char *text, size_t len,
    struct err *e);

/* 1 a message, 0 a record of another kind, -1. */
int archive_read(struct archive *a, enum split_kind kind, const char *text,
    size_t len, struct message *m, struct err *e);

void archive_release(struct archive *a); /* harmless on {0}, or twice */

#endif
