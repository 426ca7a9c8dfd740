#ifndef EXT_TLS_H
#define EXT_TLS_H
/*
 * tls - how our own connections are protected: TLS 1.2 or newer, certificates
 * verified against the system's store ($SSL_CERT_FILE and $SSL_CERT_DIR are
 * honoured). Of a store that is a folder, only what is needed is read.
 */

struct err;
struct ssl_ctx_st; /* OpenSSL's SSL_CTX */
struct x509_store_ctx_st;

struct ssl_ctx_st *tls_open(struct err *e); /* NULL and *e on failure */
void tls_close(struct ssl_ctx_st *tls);     /* NULL is allowed */

/* Why a certificate is not trusted: a text of OpenSSL's, for ever. */
const char *tls_distrust(struct x509_store_ctx_st *checked);

#endif
