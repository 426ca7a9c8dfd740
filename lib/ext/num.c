#include "ext/num.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/mem.h"
#include "ext/num_parts.h"

enum { PLACES_MAX = 1000, EXPONENT_MAX = 9999 };

struct num *
num_new(void)
{
	struct num *n = mem_new(sizeof(*n));

	mpq_init(n->q);
	return n;
}

void
num_free(struct num *n)
{
	if (!n)
		return;
	mpq_clear(n->q);
	free(n);
}

static int
too_long(struct err *e)
{
	return err_set(e, ERR_INPUT, "this number is too long to calculate");
}

static bool
fits(const mpq_t q)
{
	return mpz_sizeinbase(mpq_numref(q), 2) <= NUM_BITS &&
	       mpz_sizeinbase(mpq_denref(q), 2) <= NUM_BITS;
}

/* Give n the value in q, and end q. */
static int
settle(struct num *n, mpq_t q, struct err *e)
{
	bool good = fits(q);

	if (good)
		mpq_swap(n->q, q);
	mpq_clear(q);
	return good ? 0 : too_long(e);
}

void
num_scale(mpq_t q, long places)
{
	mpz_t power;

	mpz_init(power);
	mpz_ui_pow_ui(power, 10, (unsigned long)labs(places));
	if (places < 0)
		mpz_mul(mpq_denref(q), mpq_denref(q), power);
	else
		mpz_mul(mpq_numref(q), mpq_numref(q), power);
	mpq_canonicalize(q);
	mpz_clear(power);
}

/* Collect the digits; *places counts those after the point. */
static size_t
read_digits(struct buf *digits, const char *text, size_t len, long *places)
{
	bool point = false;
	size_t i;

	*places = 0;
	for (i = 0; i < len; i++) {
		if (text[i] == '.' && !point) {
			point = true;
		} else if (isdigit((unsigned char)text[i])) {
			buf_char(digits, text[i]);
			*places += point;
		} else {
			break;
		}
	}
	return i;
}

/* The exponent in text, "" for none: 0, or -1 if it is bad. */
static int
read_exponent(long *exponent, const char *text, size_t len)
{
	char copy[8] = "", *end;

	*exponent = 0;
	if (!len)
		return 0;
	if ((*text != 'e' && *text != 'E') || len > sizeof(copy) || len < 2)
		return -1;
	memcpy(copy, text + 1, len - 1);
	*exponent = strtol(copy, &end, 10);
	if (*end || *copy == ' ' || labs(*exponent) > EXPONENT_MAX ||
	    !isdigit((unsigned char)copy[len - 2]))
		return -1;
	return 0;
}

int
num_read(struct num *n, const char *text, size_t len, struct err *e)
{
	struct buf digits = {.limit = NUM_BITS / 3};
	long places, exponent;
	size_t used = read_digits(&digits, text, len, &places);
	int result = -1;
	mpq_t q;

	mpq_init(q);
	if (digits.full) {
		too_long(e);
	} else if (!digits.len ||
		   read_exponent(&exponent, text + used, len - used) < 0) {
		err_set(e, ERR_INPUT, "'%.*s' is no number",
		    (int)(len < 40 ? len : 40), text);
	} else {
		mpz_set_str(mpq_numref(q), buf_text(&digits), 10);
		num_scale(q, exponent - places);
		result = 0;
	}
	buf_release(&digits);
	if (result == 0)
		return settle(n, q, e);
	mpq_clear(q);
	return -1;
}

void
num_set(struct num *n, const struct num *from)
{
	mpq_set(n->q, from->q);
}

int
num_compare(const struct num *a, const struct num *b)
{
	return mpq_cmp(a->q, b->q);
}

typedef void operation(mpq_ptr, mpq_srcptr, mpq_srcptr);

static int
apply(struct num *n, operation *op, const struct num *by, struct err *e)
{
	mpq_t q;

	mpq_init(q);
	op(q, n->q, by->q);
	return settle(n, q, e);
}

int
num_add(struct num *n, const struct num *by, struct err *e)
{
	return apply(n, mpq_add, by, e);
}

int
num_sub(struct num *n, const struct num *by, struct err *e)
{
	return apply(n, mpq_sub, by, e);
}

int
num_mul(struct num *n, const struct num *by, struct err *e)
{
	return apply(n, mpq_mul, by, e);
}

static int
by_zero(struct err *e)
{
	return err_set(e, ERR_INPUT, "division by zero");
}

int
num_div(struct num *n, const struct num *by, struct err *e)
{
	return mpq_sgn(by->q) == 0 ? by_zero(e) : apply(n, mpq_div, by, e);
}

static void
whole_part(mpq_t q, bool up)
{
	if (up)
		mpz_cdiv_q(mpq_numref(q), mpq_numref(q), mpq_denref(q));
	else
		mpz_fdiv_q(mpq_numref(q), mpq_numref(q), mpq_denref(q));
	mpz_set_ui(mpq_denref(q), 1);
}

int
num_mod(struct num *n, const struct num *by, struct err *e)
{
	mpq_t q;

	if (mpq_sgn(by->q) == 0)
		return by_zero(e);
	mpq_init(q);
	mpq_div(q, n->q, by->q);
	whole_part(q, false);
	mpq_mul(q, q, by->q);
	mpq_sub(q, n->q, q);
	return settle(n, q, e);
}

/* Whether it is a whole number from low to high; then *value is it. */
static bool
small(const struct num *n, long low, long high, long *value)
{
	if (mpz_cmp_ui(mpq_denref(n->q), 1) != 0 ||
	    !mpz_fits_slong_p(mpq_numref(n->q)))
		return false;
	*value = mpz_get_si(mpq_numref(n->q));
	return *value >= low && *value <= high;
}

/* Bits of the longer half of the fraction: each power has at most so many. */
static size_t
width(const mpq_t q)
{
	size_t up = mpz_sizeinbase(mpq_numref(q), 2);
	size_t down = mpz_sizeinbase(mpq_denref(q), 2);

	return up > down ? up : down;
}

int
num_pow(struct num *n, const struct num *exponent, struct err *e)
{
	unsigned long times;
	long value;
	mpq_t q;

	if (mpz_cmp_ui(mpq_denref(exponent->q), 1) != 0)
		return err_set(e, ERR_INPUT,
		    "an exponent must be a whole number");
	if (!small(exponent, -NUM_BITS, NUM_BITS, &value))
		return err_set(e, ERR_INPUT, "this exponent is too big");
	if (value < 0 && mpq_sgn(n->q) == 0)
		return by_zero(e);
	times = (unsigned long)labs(value);
	if ((width(n->q) - 1) * times > NUM_BITS)
		return too_long(e);
	mpq_init(q);
	mpz_pow_ui(mpq_numref(q), mpq_numref(n->q), times);
	mpz_pow_ui(mpq_denref(q), mpq_denref(n->q), times);
	if (value < 0)
		mpq_inv(q, q);
	return settle(n, q, e);
}

void
num_neg(struct num *n)
{
	mpq_neg(n->q, n->q);
}

void
num_abs(struct num *n)
{
	mpq_abs(n->q, n->q);
}

void
num_floor(struct num *n)
{
	whole_part(n->q, false);
}

void
num_ceil(struct num *n)
{
	whole_part(n->q, true);
}

void
num_nearest(mpq_t q)
{
	int sign = mpq_sgn(q);
	mpq_t half;

	mpq_init(half);
	mpq_set_ui(half, 1, 2);
	mpq_abs(q, q);
	mpq_add(q, q, half);
	whole_part(q, false);
	if (sign < 0)
		mpq_neg(q, q);
	mpq_clear(half);
}

int
num_round(struct num *n, const struct num *places, struct err *e)
{
	long count;
	mpq_t q;

	if (!small(places, -PLACES_MAX, PLACES_MAX, &count))
		return err_set(e, ERR_INPUT,
		    "round takes a whole number of places up to %d",
		    PLACES_MAX);
	mpq_init(q);
	mpq_set(q, n->q);
	num_scale(q, count);
	num_nearest(q);
	num_scale(q, -count);
	return settle(n, q, e);
}
