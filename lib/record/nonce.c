#include "record/nonce.h"

#include <string.h>

#include "ext/crypt.h"

/* Divide a number of many bytes, the highest first; returns what is left. */
static unsigned
divide(unsigned char *number, size_t len, unsigned by)
{
	unsigned left = 0;

	for (size_t i = 0; i < len; i++) {
		left = left << 8 | number[i];
		number[i] = (unsigned char)(left / by);
		left %= by;
	}
	return left;
}

void
nonce_make(char out[NONCE_LEN + 1], const char *what)
{
	static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	unsigned char number[CRYPT_SHA256];

	crypt_sha256(number, what, strlen(what));
	for (int i = NONCE_LEN; i-- > 0;)
		out[i] = digits[divide(number, sizeof(number), 36)];
	out[NONCE_LEN] = '\0';
}
