#ifndef CORE_MEDIA_H
#define CORE_MEDIA_H
/*
 * media - what bytes are, by the marks that their formats begin with. The name
 * decides only among formats that share one: text, and what is packed as ZIP.
 *
 * A short table of our own: the formats that the sandbox can make and that are
 * treated differently somewhere. libmagic knows thousands, guesses, and is a
 * parser of much hostile input to that end. Whatever is not known is
 * application/octet-stream, which loses nothing.
 */

#include <stddef.h>

const char *media_type(const char *bytes, size_t len, const char *name);

/* "image", "audio", "video", "text", "document" or "other". */
const char *media_kind(const char *type);

#endif
