#ifndef RETRIEVE_MARKUP_H
#define RETRIEVE_MARKUP_H
/*
 * markup - a message as people see it: names in place of Discord's marks.
 *
 * <@ID> and <@!ID> become @name, the newest nickname if there is one; <#ID>
 * #name; <@&ID> @role; <:name:ID> :name:; <t:SECONDS:STYLE> a time in UTC;
 * </name:ID> /name. (Discord's documentation, "Message Formatting".) What isn't
 * in the index stays as it is, and so does everything else.
 *
 * Memory   The text is borrowed until the next call, or markup_release().
 */

#include "core/buf.h"
#include "ext/db.h"

struct err;
struct message;

struct markup {
	struct db *db;

	struct stmt user, channel, role; /* private */
	struct buf text;
};

/* Set m->plain, if the text has marks that can be read. */
int markup_read(struct markup *k, struct message *m, struct err *e);
void markup_release(struct markup *k); /* harmless on {0}, or twice */

#endif
