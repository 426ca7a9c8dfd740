#ifndef ACCESS_ATTACHED_H
#define ACCESS_ATTACHED_H
/*
 * attached - may a provider be given the address of a file that is attached to
 * a message, to fetch it there itself?
 *
 * Only one of Discord's media hosts, by https, whose signature says until when
 * it holds, and which then still holds for a while: anything else would have
 * somebody fetch what a stranger chose, or nothing.
 */

#include <stdbool.h>
#include <stdint.h>

enum { ATTACHED_MARGIN_MS = 120000 }; /* a request may wait for its slot */

bool attached_opens(const char *url, int64_t now_ms);

#endif
