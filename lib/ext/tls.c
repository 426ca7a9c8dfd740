#include "ext/tls.h"

#include <openssl/ssl.h>

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
	SSL_CTX_set_mode(tls,
	    SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
	SSL_CTX_set_session_cache_mode(tls, SSL_SESS_CACHE_OFF);
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

const char *
tls_distrust(X509_STORE_CTX *checked)
{
	return X509_verify_cert_error_string(X509_STORE_CTX_get_error(checked));
}
