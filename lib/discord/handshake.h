#ifndef DISCORD_HANDSHAKE_H
#define DISCORD_HANDSHAKE_H
/*
 * handshake - what is said when a session begins: where it connects, what it
 * sends, and what it reads of the answers.
 *
 * Errors   ERR_INPUT for an answer without what is needed in it.
 * Memory   {0} is an empty struct of each kind; nothing to release.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct err;

enum { HANDSHAKE_TEXT = 256, HANDSHAKE_SEND_MAX = 4096 };

/* What GET /gateway/bot answers. */
struct handshake_limit {
	char url[HANDSHAKE_TEXT];
	int shards; /* that Discord recommends */
	int64_t total, remaining, reset_after_ms;
	int max_concurrency;
};

/* What READY says of the session. */
struct handshake_ready {
	char id[HANDSHAKE_TEXT], url[HANDSHAKE_TEXT];
	char user[HANDSHAKE_TEXT]; /* the bot's name */
	size_t guilds;
};

struct handshake_identity {
	const char *token;
	uint64_t intents;
	int shard, shards; /* shards is 0 for a bot without */
};

/*
 * Whether a session may be carried there: wss, or ws to this machine. Nobody
 * else shall read the token.
 */
bool handshake_safe(const char *url);

/* The address of a connection, from one that Discord named. */
void handshake_address(struct buf *b, const char *url, bool compress);

void handshake_identify(struct buf *b, const struct handshake_identity *who);
void handshake_resume(struct buf *b, const char *token, const char *id,
    int64_t sequence);
void handshake_beat(struct buf *b, int64_t sequence); /* 0 for none yet */

int handshake_read_limit(struct handshake_limit *l, const char *text,
    size_t len, struct err *e);
int handshake_read_ready(struct handshake_ready *r, const char *data,
    size_t len, struct err *e);

/* The interval in the data of a HELLO; 0 if it holds no sensible one. */
int64_t handshake_interval_ms(const char *data, size_t len);

#endif
