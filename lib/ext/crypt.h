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

enum { CRYPT_SHA256 = 32 }; /* bytes of a digest */

void crypt_sha256(unsigned char out[CRYPT_SHA256], const void *bytes,
    size_t len);

#endif
