#include "ext/tls.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "core/buf.h"
#include "core/err.h"

SSL_CTX *
tls_open(struct err *e)
{
	SSL_CTX *tls = SSL_CTX_new(TLS_client_method());

	if (!tls) {
		err_set(e, ERR_INTERNAL, "OpenSSL doesn't start");
		return NULL;
	}
	SSL_CTX_set_min_proto_version(tls, TLS1_2_VERSION);
	SSL_CTX_set_mode(tls, SSL_MODE_RELEASE_BUFFERS);
	SSL_CTX_set_session_cache_mode(tls, SSL_SESS_CACHE_OFF);
	SSL_CTX_set_verify(tls, SSL_VERIFY_PEER, NULL);
	if (SSL_CTX_set_default_verify_paths(tls) == 1)
		return tls;
	SSL_CTX_free(tls);
	err_set(e, ERR_CONFIG, "the system's certificates can't be read");
	return NULL;
}

void
tls_close(SSL_CTX *tls)
{
	SSL_CTX_free(tls);
}

/* An address is looked for among the addresses of the certificate. */
static bool
set_name(SSL *ssl, const char *host)
{
	X509_VERIFY_PARAM *param = SSL_get0_param(ssl);

	X509_VERIFY_PARAM_set_hostflags(param,
	    X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
	if (X509_VERIFY_PARAM_set1_ip_asc(param, host) == 1)
		return true;
	return X509_VERIFY_PARAM_set1_host(param, host, 0) == 1 &&
	       SSL_set_tlsext_host_name(ssl, host) == 1;
}

int
tls_link_open(struct tls_link *t, SSL_CTX *tls, const char *host, struct err *e)
{
	BIO *in = BIO_new(BIO_s_mem()), *out = BIO_new(BIO_s_mem());

	t->ssl = SSL_new(tls);
	if (!t->ssl || !in || !out || !set_name(t->ssl, host)) {
		BIO_free(in);
		BIO_free(out);
		tls_link_close(t);
		return err_set(e, ERR_INTERNAL, "OpenSSL takes no link");
	}
	SSL_set_bio(t->ssl, in, out);
	SSL_set_connect_state(t->ssl);
	(void)SSL_do_handshake(t->ssl); /* it wants to hear something first */
	return 0;
}

void
tls_link_close(struct tls_link *t)
{
	SSL_free(t->ssl);
	t->ssl = NULL;
}

static int
fail(struct tls_link *t, struct err *e)
{
	const long verified = SSL_get_verify_result(t->ssl);
	const char *why = ERR_reason_error_string(ERR_peek_last_error());

	ERR_clear_error();
	if (verified != X509_V_OK)
		why = X509_verify_cert_error_string(verified);
	return err_set(e, ERR_REFUSED, "TLS: %s", why ? why : "it broke off");
}

int
tls_feed(struct tls_link *t, const char *bytes, size_t len, struct err *e)
{
	if (BIO_write(SSL_get_rbio(t->ssl), bytes, (int)len) == (int)len)
		return 0;
	return fail(t, e);
}

int
tls_read(struct tls_link *t, char *to, size_t room, struct err *e)
{
	int n = SSL_read(t->ssl, to, (int)room);

	if (n > 0)
		return n;
	switch (SSL_get_error(t->ssl, n)) {
	case SSL_ERROR_WANT_READ:
	case SSL_ERROR_ZERO_RETURN: return 0;
	default: return fail(t, e);
	}
}

bool
tls_agreed(const struct tls_link *t)
{
	return SSL_is_init_finished(t->ssl);
}

int
tls_write(struct tls_link *t, const char *bytes, size_t len, struct err *e)
{
	return SSL_write(t->ssl, bytes, (int)len) == (int)len ? 0 : fail(t, e);
}

void
tls_take(struct tls_link *t, struct buf *out)
{
	BIO *from = SSL_get_wbio(t->ssl);
	const size_t len = BIO_ctrl_pending(from);
	char *to = len ? buf_room(out, len) : NULL;
	int n = to ? BIO_read(from, to, (int)len) : 0;

	if (n > 0)
		buf_wrote(out, (size_t)n);
}
