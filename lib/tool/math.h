#ifndef TOOL_MATH_H
#define TOOL_MATH_H
/*
 * math - an arithmetic expression, calculated exactly.
 *
 *	sum     = product { ("+" | "-") product }
 *	product = sign { ("*" | "/" | "%" | "%" "of") sign }
 *	sign    = ("-" | "+") sign | power
 *	power   = value [ "^" sign ]
 *	value   = number | "(" sum ")" | name "(" sum { "," sum } ")"
 *	number  = digits [ "." digits ] [ "e" [ "+" | "-" ] digits ]
 *
 * 2^3^2 is 2^9, -2^2 is -4, "a % b" has the sign of b, and "15% of 80" is
 * 15 / 100 * 80. The names are abs, floor and ceil of one value, round of one
 * and perhaps how many places, and min, max and sum of one or more. A half is
 * rounded away from zero. There are no other names: pi has no exact value.
 *
 * Limits   MATH_LONGEST bytes, nested MATH_DEPTH deep, numbers as in ext/num.
 */

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct err;

enum { MATH_LONGEST = 4096, MATH_DEPTH = 64 };

/*
 * Add the value as a decimal to out. *exact tells whether that is all of it, or
 * rounded. ERR_INPUT says what is wrong, and at which byte.
 */
int math_evaluate(struct buf *out, bool *exact, const char *text, size_t len,
    struct err *e);

#endif
