#ifndef RECORD_NONCE_H
#define RECORD_NONCE_H
/*
 * nonce - the mark by which Discord knows a message that it has got before.
 *
 * It is made of what the message is, "TASK.N.K" of a delivery and "TASK.N" of
 * a change, so that it is the same after a crash: 25 digits of base 36, all that
 * Discord allows, of its SHA-256.
 */

enum { NONCE_LEN = 25 };

void nonce_make(char out[NONCE_LEN + 1], const char *what);

#endif
