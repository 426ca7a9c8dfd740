#ifndef EXT_NUM_H
#define EXT_NUM_H
/*
 * num - exact arithmetic with decimals and fractions of any length. The only
 * place that knows GMP.
 *
 * Memory   num_new() gives a zero that num_free() ends.
 * Limits   A number has at most NUM_BITS bits above its fraction bar and as
 *          many below; whatever would be longer is ERR_INPUT, and so is a
 *          division by zero. So every operation takes a bounded time.
 * Order    The first argument takes the result, and is unchanged after an
 *          error.
 */

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct err;
struct num;

enum {
	NUM_BITS = 1 << 15, /* some 9,800 digits */
	NUM_DIGITS = 50,    /* of a decimal that has to be rounded */
};

struct num *num_new(void);
void num_free(struct num *n); /* NULL is allowed */

/* Digits with at most one point among them, then perhaps e and an exponent. */
int num_read(struct num *n, const char *text, size_t len, struct err *e);

void num_set(struct num *n, const struct num *from);
int num_compare(const struct num *a, const struct num *b); /* <0, 0, >0 */

int num_add(struct num *n, const struct num *by, struct err *e);
int num_sub(struct num *n, const struct num *by, struct err *e);
int num_mul(struct num *n, const struct num *by, struct err *e);
int num_div(struct num *n, const struct num *by, struct err *e);

/* n - by * floor(n / by): it has the sign of by. */
int num_mod(struct num *n, const struct num *by, struct err *e);

/* The exponent is a whole number, which may be negative; 0^0 is 1. */
int num_pow(struct num *n, const struct num *exponent, struct err *e);

void num_neg(struct num *n);
void num_abs(struct num *n);
void num_floor(struct num *n);
void num_ceil(struct num *n);

/*
 * Round to so many places after the point, or before it if negative; a half
 * goes away from zero. Places is a whole number from -1000 to 1000.
 */
int num_round(struct num *n, const struct num *places, struct err *e);

/*
 * Add it as a decimal. True if that is exact; else it never ends, and is
 * rounded to NUM_DIGITS significant digits, or to a whole number if that has
 * more.
 */
bool num_write(struct buf *b, const struct num *n);

#endif
