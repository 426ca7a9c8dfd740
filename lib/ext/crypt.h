#ifndef EXT_CRYPT_H
#define EXT_CRYPT_H
/*
 * crypt - what must be unguessable or can't be forged. The only place that
 * knows OpenSSL's libcrypto. To compare bytes, core/hash is enough.
 *
 * Memory   the caller's. With none left for OpenSSL, the program ends (see
 *          mem).
 */

#include <stddef.h>

enum { CRYPT_SHA256 = 32, CRYPT_SHA1 = 20 }; /* bytes of a digest */

void crypt_sha256(unsigned char out[CRYPT_SHA256], const void *bytes,
    size_t len);

/* For RFC 6455 alone, which wants nothing better. */
void crypt_sha1(unsigned char out[CRYPT_SHA1], const void *bytes, size_t len);

/* As text with its NUL: 4 characters for 3 bytes, or for what is left. */
void crypt_base64(char *out, const void *bytes, size_t len);

#endif
