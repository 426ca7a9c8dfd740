#ifndef EXT_TLS_H
#define EXT_TLS_H
/*
 * tls - how our own connections are protected: TLS 1.2 or newer; certificate and
 * host name verified against the system's store ($SSL_CERT_FILE and
 * $SSL_CERT_DIR are honoured). Of a store that is a folder, only what is needed
 * is read.
 *
 * A struct tls_link holds no socket: what the other side sent is fed to it, and
 * what is to be sent is taken from it.
 *
 * Memory   {0} is no link; tls_link_close() ends it. A tls outlives its links.
 * Errors   ERR_CONFIG for a store that can't be read; ERR_REFUSED for a peer
 *          that isn't who it should be, or speaks no TLS.
 */

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct err;
struct ssl_ctx_st; /* OpenSSL's SSL_CTX, SSL */
struct ssl_st;

struct ssl_ctx_st *tls_open(struct err *e); /* NULL and *e on failure */
void tls_close(struct ssl_ctx_st *tls);     /* NULL is allowed */

struct tls_link {
	struct ssl_st *ssl; /* private */
};

int tls_link_open(struct tls_link *t, struct ssl_ctx_st *tls, const char *host,
    struct err *e);
void tls_link_close(struct tls_link *t); /* harmless on {0}, or twice */

int tls_feed(struct tls_link *t, const char *bytes, size_t len, struct err *e);

/* What was said: how many bytes, 0 until more is fed, or -1. */
int tls_read(struct tls_link *t, char *to, size_t room, struct err *e);

/* Say that; only once both have agreed. */
bool tls_agreed(const struct tls_link *t);
int tls_write(struct tls_link *t, const char *bytes, size_t len, struct err *e);

void tls_take(struct tls_link *t, struct buf *out); /* what is to be sent */

#endif
