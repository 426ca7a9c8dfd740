#ifndef WORKSPACE_WAV_H
#define WORKSPACE_WAV_H
/*
 * wav - the one kind of sound that goes to a model: mono, 16 bits, WAV_RATE
 * samples a second, as a WAV file with nothing else in it. Pure.
 */

#include <stddef.h>
#include <stdint.h>

struct buf;

enum { WAV_RATE = 16000, WAV_HEAD = 44, WAV_BYTES_MS = WAV_RATE * 2 / 1000 };

/* Add such a file of these samples, two bytes each, the lower one first. */
void wav_write(struct buf *b, const char *samples, size_t len);

/* How many ms it lasts, or -1 if it is no such file. */
int64_t wav_length_ms(const char *bytes, size_t len);

#endif
