#ifndef DISCORD_SESSION_PARTS_H
#define DISCORD_SESSION_PARTS_H
/* session_parts - what the files of discord/session share; for them alone. */

#include "discord/session.h"

enum { SESSION_GONE = 1000 }; /* the code that ends the session, too */

void session_do(struct session *s, enum session_what what, int code,
    const char *why);

/* Nothing of the session may be used again. */
void session_forget(struct session *s);

/* This connection is none any more, whatever still comes of it. */
void session_disconnect(struct session *s, int64_t now_ms);

/* Give this connection up, and begin another one, in least_ms at least. */
void session_drop(struct session *s, int64_t least_ms, const char *why,
    int64_t now_ms);

void session_finish(struct session *s);

void session_take(struct session *s, const struct payload *p, int64_t now_ms);
void session_beat(struct session *s, int64_t now_ms);

#endif
