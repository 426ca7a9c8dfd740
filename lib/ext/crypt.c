#include "ext/crypt.h"

#include <openssl/evp.h>

#include "core/mem.h"

void
crypt_sha256(unsigned char out[CRYPT_SHA256], const void *bytes, size_t len)
{
	int good = EVP_Digest(bytes, len, out, NULL, EVP_sha256(), NULL);

	mem_check(good ? out : NULL); /* it fails for want of memory alone */
}
