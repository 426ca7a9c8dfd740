#ifndef CORE_UTF8_H
#define CORE_UTF8_H
/*
 * utf8 - walk, cut and write UTF-8 text.
 *
 * Valid is what RFC 3629 section 3 calls so: no overlong form, no surrogate,
 * nothing above U+10FFFF. NUL is a character like any other. A wrong sequence
 * counts as one bad character as long as its longest correct beginning (the
 * "maximal subpart" of The Unicode Standard, section 3.9), so that every
 * program finds the same number of them.
 *
 * Memory   nothing is kept; lengths are bytes.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UTF8_BAD UINT32_MAX /* no character: the bytes are not UTF-8 */

/*
 * The character that begins at text, which has at least one byte; returns how
 * many bytes it is. *cp is UTF8_BAD for a wrong sequence.
 */
size_t utf8_next(const char *text, size_t len, uint32_t *cp);

/*
 * Write a character (U+FFFD for what is none) at to; returns its 1 to 4 bytes.
 */
size_t utf8_put(char *to, uint32_t cp);

/* The greatest length <= max at which text can end without splitting one. */
size_t utf8_cut(const char *text, size_t len, size_t max);

/*
 * Whether a terminal shows it: false for the controls of C0 and C1, with which
 * a text from outside could take a terminal over, for the two characters that
 * make all that follows read in the other direction, and for UTF8_BAD.
 */
bool utf8_shown(uint32_t cp);

/*
 * Whether it is also seen for what it is: false for what utf8_shown() refuses,
 * and for characters that take no place of their own, such as those that steer
 * the direction of text, join or separate others, or carry a hidden tag (most
 * of the general category Cf of The Unicode Standard, and its line separators).
 */
bool utf8_plain(uint32_t cp);

/*
 * Copy a C string as far as it fits into `room` bytes, whole characters only,
 * with a '?' for each that utf8_shown() is false for. Returns its length.
 */
size_t utf8_tame(char *to, size_t room, const char *text);

#endif
